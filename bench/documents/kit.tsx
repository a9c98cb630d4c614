import { Component, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { type Call, type Question, useGo, useNow, useText } from '#bench/documents/hooks.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'
import { timeLeft } from '#widgets/parts/values/left.rules.ts'
import { asksBy, secondsLeft } from '#widgets/quote-ring/ring.rules.ts'

/** Component library of the team that writes the screens by hand. Not counted. `id` marks an element for tests. */

export interface Marked {
  id?: string
}
export const mark = (id: string | undefined) => ({ 'data-node': id })
type Params = Readonly<Record<string, string>>

interface PageProps {
  screen: string
  title: string
  actions?: ReactNode
  children: ReactNode
}
export function Page({ screen, title, actions, children }: PageProps) {
  const say = useText()
  return (
    <Boundary>
      <main data-screen={screen}>
        <header>
          <button type="button" aria-label={say('engine.back')} onClick={() => history.back()}>
            <Icon name="chevron-left" />
          </button>
          <h1>{title}</h1>
          {actions}
        </header>
        {children}
      </main>
    </Boundary>
  )
}

class Boundary extends Component<{ children: ReactNode }> {
  override state = { broken: false }
  static getDerivedStateFromError = () => ({ broken: true })
  override render = () => (this.state.broken ? <ErrorCard onRetry={() => this.setState({ broken: false })} /> : this.props.children)
}

interface LoadedProps<T> {
  of: Call<T>
  children: (data: T) => ReactNode
}
/** Shows a skeleton without data, an error with a retry, and stale data marked as such. */
export function Loaded<T>({ of, children }: LoadedProps<T>) {
  const { data, error, isLoading, isStale, refresh } = of
  return (
    <div aria-busy={isLoading || isStale || undefined} data-stale={isStale || undefined}>
      {error && <ErrorCard onRetry={refresh} />}
      {isLoading && <div data-skeleton />}
      {data !== undefined && children(data)}
    </div>
  )
}

interface ErrorProps extends Marked {
  title?: string
  text?: string
  onRetry: () => void
}
export function ErrorCard({ id, title, text, onRetry }: ErrorProps) {
  const say = useText()
  return (
    <div {...mark(id)} role="alert">
      <strong>{title ?? say('widget.error_title')}</strong>
      <p>{text ?? say('widget.error_text')}</p>
      <button type="button" onClick={onRetry}>
        {say('widget.retry')}
      </button>
    </div>
  )
}

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

interface RowProps extends Marked {
  icon?: string
  title: string
  note?: string
  value?: string
  to: string
}
export function Row({ id, icon, title, note, value, to }: RowProps) {
  const go = useGo()
  return (
    <button {...mark(id)} type="button" onClick={() => go(to)}>
      {icon && <Icon name={icon} />}
      <span>{title}</span>
      {note && <small>{note}</small>}
      {value && <span>{value}</span>}
    </button>
  )
}

interface ButtonProps extends Marked {
  label: string
  icon?: string
  tone?: 'primary' | 'quiet'
  block?: boolean
  hideLabel?: boolean
  to: string
  params?: Params
}
export function LinkButton({ id, label, icon, tone, block, hideLabel, to, params }: ButtonProps) {
  const go = useGo()
  return (
    <button
      {...mark(id)}
      type="button"
      data-tone={tone}
      data-block={block}
      aria-label={hideLabel ? label : undefined}
      onClick={() => go(to, params)}
    >
      {icon && <Icon name={icon} />}
      {!hideLabel && label}
    </button>
  )
}

export function Callout({ id, tone, text }: Marked & { tone: 'warn' | 'info'; text: string }) {
  return (
    <p {...mark(id)} data-tone={tone}>
      {text}
    </p>
  )
}

interface NoticeProps extends Marked {
  text: string
  /** The action that resolves the notice. */
  action?: { id?: string; label: string; to: string }
  children?: ReactNode
}
export function Notice({ id, text, action, children }: NoticeProps) {
  return (
    <div {...mark(id)}>
      <p>{text}</p>
      {action && <LinkButton {...action} tone="primary" block />}
      {children}
    </div>
  )
}

interface EmptyProps extends Marked {
  icon: string
  title: string
  text: string
  action: string
  to: string
  params?: Params
}
export function Empty({ id, icon, title, text, action, to, params }: EmptyProps) {
  return (
    <div {...mark(id)}>
      <Icon name={icon} />
      <strong>{title}</strong>
      <p>{text}</p>
      <LinkButton label={action} to={to} params={params} />
    </div>
  )
}

interface Fact {
  label: string
  value: string
  tone?: 'accent'
  strong?: boolean
}
export function Facts({ id, rows }: Marked & { rows: Fact[] }) {
  return (
    <dl {...mark(id)}>
      {rows.map(({ label, value, tone, strong }) => (
        <div key={label} data-tone={tone} data-strong={strong}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

interface MeterProps extends Marked {
  label: string
  value: string
  ratio: number
  tone: 'accent' | 'warn'
}
export function Meter({ id, label, value, ratio, tone }: MeterProps) {
  return (
    <div {...mark(id)} data-tone={tone}>
      <span>{label}</span> <span>{value}</span>
      <meter aria-label={label} value={ratio} />
    </div>
  )
}

interface SegmentedProps<T extends string> extends Marked {
  label: string
  value: T
  options: readonly { id: T; label: string }[]
  onChange: (id: T) => void
}
export function Segmented<T extends string>({ id, label, value, options, onChange }: SegmentedProps<T>) {
  return (
    <fieldset {...mark(id)} aria-label={label}>
      {options.map((option) => (
        <label key={option.id}>
          <input type="radio" value={option.id} checked={option.id === value} onChange={() => onChange(option.id)} />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}

/** Calls `onDone` once at the given time. */
export function Countdown({ id, to, label, onDone }: Marked & { to: number; label: string; onDone: () => void }) {
  const say = useText()
  const { days, clock, over } = timeLeft(to, useNow())
  const done = useEffectEvent(onDone)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another moment may be over as well
  useEffect(() => {
    if (over) done()
  }, [over, to])
  return (
    <div {...mark(id)}>
      {label} <time role="timer">{`${days > 0 ? `${say('widget.days', { n: days })} ` : ''}${clock}`}</time>
    </div>
  )
}

interface RingProps extends Marked {
  label: string
  text: string
  /** Identity of the offer; another one restarts the countdown. */
  of: string
  ms: number
  onDone: () => void
}
export function QuoteRing({ id, label, text, of, ms, onDone }: RingProps) {
  const now = useNow(250)
  const [came, setCame] = useState({ of, at: now })
  if (came.of !== of) setCame({ of, at: now })
  const times = asksBy(came.at, now, ms)
  const asked = useRef({ of, times: 0 })
  const done = useEffectEvent(() => {
    if (asked.current.of !== of) asked.current = { of, times: 0 }
    if (times <= asked.current.times) return
    asked.current.times = times
    onDone()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks again when an offer comes or its time passes
  useEffect(() => done(), [times, of])
  return (
    <div {...mark(id)}>
      {label} <span>{text}</span> <span role="timer">{secondsLeft(came.at, now, ms)}</span>
    </div>
  )
}

const promptRestMs = 500

/** Rendered by the root of the app. Its buttons are inactive at first, so that a double tap does not confirm. */
export function Prompt({ question, settle }: { question: Question; settle: (agreed: boolean) => void }) {
  const say = useText()
  const [rested, setRested] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setRested(true), promptRestMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className="prompt" role="alertdialog" aria-label={question.title}>
      <strong>{question.title}</strong>
      <p>{question.text}</p>
      <Facts rows={question.rows.map(([label, value]) => ({ label, value }))} />
      <button type="button" className="prompt-cancel" aria-disabled={!rested} onClick={() => rested && settle(false)}>
        {say('engine.cancel')}
      </button>
      <button type="button" className="prompt-ok" aria-disabled={!rested} onClick={() => rested && settle(true)}>
        {question.ok}
      </button>
    </div>
  )
}
