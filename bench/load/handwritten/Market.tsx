import { useMemo } from 'react'
import { useCall } from '#bench/load/handwritten/calls.ts'
import { Frame, Segmented } from '#bench/load/handwritten/Frame.tsx'
import { Rows } from '#bench/load/handwritten/Quotes.tsx'
import { useWanted } from '#bench/load/handwritten/quotes.ts'
import { Simulated } from '#bench/load/handwritten/Simulated.tsx'
import type { Listing } from '#contract/calls/market.calls.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'
import button from '#widgets/parts/PushButton.module.css'
import styles from '#widgets/quote-list/QuoteList.module.css'

const head = (
  <>
    <button type="button" className={`pressable ${button.button} ${button.field} ${button.block}`}>
      <span className={button.face}>
        <Icon name="search" />
        <span>Symbol or name</span>
      </span>
    </button>
    <Segmented line name="Market type" options={['All', 'Favourites', 'Crypto', 'Stocks', 'Metals', 'Indices']} />
  </>
)

export function Market() {
  const list = useCall<{ list: Listing[] }>('GET', '/market/quotation')?.list
  const site = useCall<{ simulated: boolean }>('GET', '/common/getSiteConfig')
  useWanted(useMemo(() => list?.map(({ symbol }) => symbol) ?? [], [list]))
  return (
    <Frame screen="market.market" title="Markets" head={head}>
      {site?.simulated && <Simulated />}
      <div className={styles.list} data-star>
        <fieldset className={styles.heads}>
          {['Name', 'Last price', '24h change'].map((label) => (
            <button key={label} type="button" className={styles.head}>
              <span>{label}</span>
              <svg aria-hidden="true" viewBox="0 0 8 12" className={styles.arrows}>
                <path d="M4 1 7 5H1Z" />
                <path d="M4 11 1 7h6Z" />
              </svg>
            </button>
          ))}
        </fieldset>
        {list && <Rows star rows={list} label="Market list" />}
      </div>
    </Frame>
  )
}
