import { type CSSProperties, memo } from 'react'
import styles from '#widgets/parts/look/CoinMark.module.css'

/**
 * The symbol of a currency in its colour; a disc with its first letter while it loads or when there is none. Decorative: the name is beside
 * it.
 */
export const CoinMark = memo(function CoinMark(props: { code: string }) {
  // A row of data may lack it.
  const code = props.code ?? ''
  const name = code.toLowerCase().replace(/[^a-z0-9]/g, '')
  return (
    <span
      aria-hidden="true"
      className={styles.mark}
      data-letter={code.slice(0, 1)}
      style={{ '--mark': `var(--coin-${name}, var(--quiet))` } as CSSProperties}
    >
      <svg className={styles.sign} aria-hidden="true">
        <use href={`/coins.svg#${name}`} />
      </svg>
    </span>
  )
})
