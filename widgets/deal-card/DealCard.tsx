import { type CSSProperties, useState } from 'react'
import type { ViewProps } from '#renderer/widget-api.ts'
import { barsOf } from '#widgets/deal-card/bars.rules.ts'
import styles from '#widgets/deal-card/DealCard.module.css'
import type { DealCardProps } from '#widgets/deal-card/deal-card.props.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'

const levels = [1, 2, 3, 4, 5] as const

/** The whole deal before the press: what it earns and risks, what is paid and when it comes back, and what is got in each outcome. */
export function DealCard({ root, props }: ViewProps<DealCardProps>) {
  const { rates, risk, rows = [], outcomesTitle, outcomes = [], examples, rule } = props
  return (
    <div {...root} className={styles.deal}>
      <dl className={styles.rates}>
        {rates.map(({ label, value }) => (
          <div key={label} className={styles.line}>
            <dt>{label}</dt>
            <dd className="num">{value}</dd>
          </div>
        ))}
      </dl>
      <div className={styles.risk}>
        <p className={styles.line}>
          <span className={styles.level}>{risk.label}</span>
          <span className={styles.scale} aria-hidden="true">
            {levels.map((level) => (
              <span key={level} data-on={level <= risk.level} />
            ))}
          </span>
        </p>
        <p>{risk.text}</p>
      </div>
      {rows.length > 0 && (
        <dl className={styles.rows}>
          {rows.map((row) => (
            <Row key={row.label} row={row} />
          ))}
        </dl>
      )}
      {outcomes.length > 0 && (
        <section className={styles.part}>
          {outcomesTitle && <h3 className={styles.title}>{outcomesTitle}</h3>}
          <dl className={styles.rows}>
            {outcomes.map(({ id, label, value, tone }) => (
              <div key={id} className={styles.line}>
                <dt>{label}</dt>
                <dd className={classes('num', styles.strong)} data-tone={tone}>
                  {value}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      {examples && <Examples examples={examples} />}
      {rule && <p className={styles.rule}>{rule}</p>}
    </div>
  )
}

/** A pair whose value has another form, such as a time in UTC: a press shows it. */
function Row({ row: { label, value, other } }: { row: NonNullable<DealCardProps['rows']>[number] }) {
  const [isOther, setOther] = useState(false)
  return (
    <div className={styles.line}>
      <dt>{label}</dt>
      <dd className="num">
        {other === undefined ? (
          value
        ) : (
          <button type="button" className={classes('pressable', styles.toggle)} onClick={() => setOther(!isOther)}>
            {isOther ? other : value}
            <Icon name="repeat" size={14} />
          </button>
        )}
      </dd>
    </div>
  )
}

function Examples({ examples: { title, get, hold, items } }: { examples: NonNullable<DealCardProps['examples']> }) {
  const bars = barsOf(items)
  return (
    <section className={styles.part}>
      <h3 className={styles.title}>{title}</h3>
      <ul className={styles.examples}>
        {items.map((item, at) => (
          <li key={item.id}>
            <p className={classes('num', styles.price)}>{item.label}</p>
            <Bar name={get} text={item.get.text} length={bars[at]!.get} own />
            <Bar name={hold} text={item.hold.text} length={bars[at]!.hold} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Bar({ name, text, length, own = false }: { name: string; text: string; length: number; own?: boolean }) {
  return (
    <div className={styles.bar} data-own={own}>
      <span className={styles.line}>
        <span className={styles.name}>{name}</span>
        <span className="num">{text}</span>
      </span>
      <span className={styles.track} style={{ '--length': length } as CSSProperties} data-length={length.toFixed(4)} aria-hidden="true" />
    </div>
  )
}
