import type { CSSProperties } from 'react'
import { useEngineText, useFormat, type ViewProps } from '#renderer/widget-api.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import { SkeletonShape } from '#widgets/parts/look/SkeletonShape.tsx'
import { Hideable } from '#widgets/parts/values/Hideable.tsx'
import styles from '#widgets/share-chart/ShareChart.module.css'
import { slicesOf } from '#widgets/share-chart/share.rules.ts'
import type { ShareChartProps } from '#widgets/share-chart/share-chart.props.ts'

const slicesMax = 5
/** Colours of items without a colour of their own, in order of size. */
const palette = ['var(--accent)', 'var(--up)', 'var(--focus)', 'var(--warn)', 'var(--down)']
const restColour = 'var(--line-strong, var(--quiet))'
const coinColour = (code: string | null = '') => `var(--coin-${(code ?? '').toLowerCase().replace(/[^a-z0-9]/g, '')}, ${restColour})`

/** Shares of a whole: a ring, and a legend with all values. */
export function ShareChart({ root, props, status }: ViewProps<ShareChartProps>) {
  const { label, items = [], coins = false, hidden = false } = props
  const format = useFormat()
  const say = useEngineText()
  if (status === 'loading') return <SkeletonShape shape="card" count={1} root={{ ...root }} />
  const { slices, rest } = slicesOf(items, slicesMax)
  if (slices.length === 0) return <div {...root} />
  const pieces = slices.map((slice, i) => ({ ...slice, colour: coins ? coinColour(slice.label) : (palette[i] ?? restColour) }))
  const last = pieces.at(-1)
  const others = rest && {
    id: '',
    label: say('widget.shares_other', { count: rest.count }),
    usd: undefined,
    colour: restColour,
    share: String(rest.length / 100),
    from: (last?.from ?? 0) + (last?.length ?? 0),
    length: rest.length,
  }
  const all = others ? [...pieces, others] : pieces
  return (
    <figure {...root} className={styles.chart}>
      <figcaption className="visually-hidden">{label}</figcaption>
      <svg className={styles.ring} viewBox="0 0 42 42" aria-hidden="true">
        {all.map(({ id, from, length, colour }) => (
          <circle
            key={id}
            className={styles.slice}
            cx="21"
            cy="21"
            r="16"
            pathLength={100}
            strokeDasharray={`${gapped(length, all.length)} 100`}
            strokeDashoffset={-from}
            style={{ '--slice': colour } as CSSProperties}
          />
        ))}
      </svg>
      <ul className={styles.legend}>
        {all.map(({ id, label: name, share, usd, colour }) => (
          <li key={id} className={styles.item}>
            <span className={styles.dot} style={{ '--slice': colour } as CSSProperties} aria-hidden="true" />
            <span className={styles.name}>{name}</span>
            <span className={classes('num', styles.share)}>{format.percent(share)}</span>
            {usd !== undefined && (
              <span className={classes('num', styles.worth)}>
                <Hideable text={format.fiat(usd)} hidden={hidden} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </figure>
  )
}

/** A small gap between slices; a single slice closes the ring, and the smallest stays visible. */
const gapped = (length: number, count: number) => (count === 1 ? 100 : Math.max(0.6, length - 0.8))
