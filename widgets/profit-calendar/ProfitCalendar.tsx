import { type CSSProperties, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useClock, useEngineText, useFormat, useLanguage, type ViewProps } from '#renderer/widget-api.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import { Notice } from '#widgets/parts/Notice.tsx'
import { PushButton } from '#widgets/parts/PushButton.tsx'
import { dateFormat } from '#widgets/parts/values/dates.rules.ts'
import { signedParts } from '#widgets/parts/values/money.rules.ts'
import { afterKey, dateOf, firstWeekday, monthAfter, monthOf, shadesOf, weeksOf } from '#widgets/profit-calendar/month.rules.ts'
import styles from '#widgets/profit-calendar/ProfitCalendar.module.css'
import type { Day, ProfitCalendarProps } from '#widgets/profit-calendar/profit-calendar.props.ts'

const minuteMs = 60_000
const none: readonly Day[] = []

/** The days of a month, each with what it gained or lost; a press on a day says it in full. Days are those of UTC, as on the server. */
export function ProfitCalendar({ root, props, status, emit }: ViewProps<ProfitCalendarProps, 'month'>) {
  const { label, currency_code: unit, result = '0', fee = '0', emptyTitle, emptyText } = props
  const say = useEngineText()
  const format = useFormat()
  const { tag } = useLanguage()
  const today = useClock(minuteMs)
  const isReady = status !== 'loading'
  const month = props.month ?? monthOf(today)
  const days = (isReady ? props.days : undefined) ?? none
  const { shades, gains, losses } = shadesOf(days)
  const weeks = weeksOf(month, firstWeekday(tag))

  const [pressed, setPressed] = useState<string>()
  const chosen = pressed?.startsWith(month) ? pressed : days.findLast(({ date }) => date?.startsWith(month))?.date
  const current = Number(chosen?.slice(-2)) || 1
  const grid = useRef<HTMLTableElement>(null)
  // A key that leads to another month keeps the focus in the grid, unless the reader has taken it elsewhere before the month came.
  const follows = useRef(false)
  /** The month that was asked for last, from which the next press counts. */
  const asked = useRef(month)
  useEffect(() => {
    const { activeElement, body } = document
    const isFree = activeElement === body || grid.current?.contains(activeElement)
    if (follows.current && isFree) grid.current?.querySelector<HTMLButtonElement>('[tabindex="0"]')?.focus()
    follows.current = false
    asked.current = month
  }, [month])

  const thisMonth = monthOf(today)
  const turn = (months: number, byKey = false) => {
    const next = monthAfter(asked.current, months)
    if (months > 0 && next > thisMonth) return
    follows.current = byKey
    asked.current = next
    emit('month', next)
  }
  const press = (event: KeyboardEvent) => {
    const next = afterKey(event.key, current, weeks)
    if (!next || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    if ('months' in next) return turn(next.months, true)
    const date = dateOf(month, next.day)
    setPressed(date)
    grid.current?.querySelector<HTMLButtonElement>(`[data-date="${date}"]`)?.focus()
  }

  const written = (options: Intl.DateTimeFormatOptions) => dateFormat(tag, { ...options, timeZone: 'UTC' })
  const longDay = written({ dateStyle: 'long' })
  const [weekdayShort, weekdayLong] = [written({ weekday: 'short' }), written({ weekday: 'long' })]
  const short = new Intl.NumberFormat(tag, { notation: 'compact', maximumSignificantDigits: 3 })
  const amount = (text: string, signed = true) => {
    const { sign, size } = signedParts(text)
    return `${signed ? sign : ''}${format.amount(size, { min: 2, max: 2 })} ${unit}`
  }
  const brief = (text: string) => {
    const { sign, size } = signedParts(text)
    return sign + short.format(Number(size))
  }
  const heads = (weeks[1] ?? []).map((day) => new Date(`${dateOf(month, day ?? 1)}T00:00:00Z`))
  const now = dateOf(thisMonth, new Date(today).getUTCDate())
  const byDate = new Map(days.map((day) => [day.date, day]))

  return (
    <section {...root} className={styles.calendar} aria-label={label} aria-busy={!isReady || undefined}>
      <header className={styles.head}>
        <PushButton label={say('widget.month_previous')} icon="chevron-left" tone="quiet" hideLabel onPress={() => turn(-1)} />
        <h3 className={styles.month} aria-live="polite">
          {written({ year: 'numeric', month: 'long' }).format(heads[0])}
        </h3>
        <PushButton
          label={say('widget.month_next')}
          icon="chevron-right"
          tone="quiet"
          hideLabel
          enabled={month < thisMonth}
          onPress={() => turn(1)}
        />
      </header>
      <dl className={classes('num', styles.facts)}>
        <Fact name={say('widget.profit_result')} tone={signedParts(result).sign}>
          {isReady ? amount(result) : '–'}
        </Fact>
        <Fact name={say('widget.profit_fee')}>{isReady ? amount(fee, false) : '–'}</Fact>
        <Fact name={say('widget.profit_days')}>{isReady ? `${gains} / ${losses}` : '–'}</Fact>
      </dl>
      <table ref={grid} className={styles.grid} aria-label={label} onKeyDown={press}>
        <thead>
          <tr>
            {heads.map((day) => (
              <th key={day.getTime()} scope="col" abbr={weekdayLong.format(day)} className={styles.weekday}>
                {weekdayShort.format(day)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((row) => (
            <tr key={row.find((day) => day !== undefined)}>
              {row.map((day, column) => {
                // biome-ignore lint/suspicious/noArrayIndexKey: the days of another month have places, not dates
                if (day === undefined) return <td key={column} />
                const date = dateOf(month, day)
                const had = byDate.get(date)
                const shade = shades.get(date)
                const full = longDay.format(new Date(`${date}T00:00:00Z`))
                return (
                  <td key={date}>
                    <button
                      type="button"
                      className={classes('pressable', 'num', styles.day)}
                      data-date={date}
                      data-tone={shade?.tone}
                      data-today={date === now || undefined}
                      data-later={date > now || undefined}
                      data-on={chosen === date || undefined}
                      style={{ '--share': shade?.share ?? 0 } as CSSProperties}
                      tabIndex={day === current ? 0 : -1}
                      aria-pressed={chosen === date}
                      aria-label={had ? `${full}: ${amount(had.result)}` : full}
                      onClick={() => setPressed(date)}
                    >
                      <span className={styles.number}>{day}</span>
                      <span className={styles.amount}>{had ? brief(had.result) : ''}</span>
                    </button>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {chosen && <Chosen day={byDate.get(chosen)} date={longDay.format(new Date(`${chosen}T00:00:00Z`))} amount={amount} />}
      {isReady && days.length === 0 && <Notice icon="calendar" title={emptyTitle ?? say('widget.empty')} text={emptyText} />}
      <p className={styles.note}>{say('widget.profit_utc')}</p>
    </section>
  )
}

function Chosen({ day, date, amount }: { day: Day | undefined; date: string; amount: (text: string, signed?: boolean) => string }) {
  const say = useEngineText()
  const { closes = 0, options = 0 } = day ?? {}
  // A day on which only a night was paid says that nothing was closed.
  const counts = [
    ...(closes > 0 || options === 0 ? [say('widget.profit_closings', { count: closes })] : []),
    ...(options > 0 ? [say('widget.profit_options', { count: options })] : []),
  ]
  return (
    <p className={classes('num', styles.chosen)} role="status">
      <span>{date}</span>
      <strong data-tone={day && signedParts(day.result).sign}>{day ? amount(day.result) : '–'}</strong>
      {day && (
        <span className={styles.closings}>
          {counts.join(' · ')} · {say('widget.profit_fee')} {amount(day.fee, false)}
        </span>
      )}
    </p>
  )
}

function Fact({ name, tone, children }: { name: string; tone?: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd data-tone={tone}>{children}</dd>
    </div>
  )
}
