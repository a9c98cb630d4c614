import {
  type ComponentType,
  type CSSProperties,
  type FormEvent,
  type ReactNode,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { act, actOnChanges } from '#renderer/actions/act.ts'
import type { CompiledForm, CompiledGroup } from '#renderer/core/forms/form.ts'
import { mayShow } from '#renderer/core/forms/form-judge.ts'
import type { LiveForm } from '#renderer/forms/forms.ts'
import { addForm } from '#renderer/forms/store-forms.ts'
import { type ScreenHandle, useEngine, useRelease, useScreen } from '#renderer/react/context.ts'
import { FieldView } from '#renderer/react/forms/FieldView.tsx'
import { FormPart } from '#renderer/react/forms/formPart.ts'
import { compiledFormOf, openForm, viewsOf } from '#renderer/react/forms/openForm.ts'
import { useLoaded } from '#renderer/react/lazyComponent.tsx'
import { StandIn } from '#renderer/react/StandIn.tsx'
import type { RootProps, View } from '#renderer/react/view.ts'

export interface FormButtonProps {
  label: string
  enabled: boolean
  busy: boolean
  danger: boolean
}

export interface FormViewProps {
  root: RootProps
  /** Id of the form document. */
  form: string
  className?: string
  groupClassName?: string
  before?: ReactNode
  /** Stands between the last field and the button: what will be paid. */
  foot?: ReactNode
  after?: ReactNode
  /** Draws a button of type submit. */
  Button: ComponentType<FormButtonProps>
  /** Called when the server has accepted the entries. */
  onDone?: () => void
}

/** A form document, drawn: each field is its own island, and a key draws its field and the declared dependents at most. */
export function FormView({ form: id, ...look }: FormViewProps) {
  const engine = useEngine()
  const release = useRelease()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another release may carry another form
  const form = useMemo(() => compiledFormOf(engine, id), [engine, id, release])
  const views = useLoaded(viewsOf(form))
  const place = usePlace()
  return views ? <Form key={place} form={form} views={views} look={look} /> : <StandIn kind="loading" root={look.root} />
}

/**
 * Returns a key for the content of the screen, by its parameters. Entries are made for it: another market has a form, and a draft, of its
 * own.
 */
function usePlace(): string {
  const { store } = useScreen()
  const params = useSyncExternalStore(
    useCallback((wake: () => void) => store.subscribe('params', wake), [store]),
    () => store.get('params'),
  )
  return JSON.stringify(params)
}

interface Props {
  form: CompiledForm<View>
  views: ReadonlyMap<string, View>
  look: Omit<FormViewProps, 'form'>
}

type Open = { form: CompiledForm<View>; live: LiveForm<View>; part: FormPart }

function Form({ form, views, look }: Props) {
  const engine = useEngine()
  const screen = useScreen()
  const at = useRef({ screen, look })
  const { root } = look
  const make = (before?: Open): Open => {
    const live = openForm(form, engine, screen.store, before?.live)
    return { form, live, part: new FormPart(live, root['data-node']) }
  }
  const [open, setOpen] = useState(() => make())
  if (open.form !== form) setOpen(make(open))
  const { live, part } = open
  useLayoutEffect(() => {
    at.current = { screen, look }
  })
  useLayoutEffect(() => {
    const stop = live.start(part)
    const out = addForm(screen.store, live)
    return () => {
      out()
      stop()
    }
  }, [live, part, screen.store])
  const place = useCallback(() => placeOf(at.current.screen, live), [live])
  const { changes } = form.doc
  useLayoutEffect(() => changes && actOnChanges(changes, live, () => ({ ...place(), source: { depth: 1 } })), [changes, live, place])
  const pressed = useRef({ at: Number.NEGATIVE_INFINITY, now: false })

  const send = async () => {
    pressed.current.at = performance.now()
    live.button.setBusy(true)
    try {
      if ((await act(form.doc.submit.steps, live.sending(), undefined, place())) !== 'done') return
      // The second Enter on a prompt falls on the button below it.
      pressed.current.at = performance.now()
      live.sent()
      at.current.look.onDone?.()
    } finally {
      live.button.setBusy(false)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // A form in a sheet of a form sends itself alone.
    event.stopPropagation()
    const { enabled, busy } = live.button.getSnapshot()
    if (!enabled || busy || pressed.current.now || performance.now() - pressed.current.at < screen.throttleMs) return
    pressed.current.now = true
    void part.submit(send).finally(() => {
      pressed.current.now = false
    })
  }
  const body = useMemo(() => drawFields(live, part, views, place, look.groupClassName), [live, part, views, place, look.groupClassName])
  return (
    <form {...root} className={look.className} noValidate onSubmit={submit}>
      {look.before}
      <NotLoaded live={live} screen={screen} />
      {body}
      {look.foot}
      <Summary live={live} />
      <Problem live={live} />
      <Submit live={live} Button={look.Button} danger={form.doc.submit.danger ?? false} />
      {look.after}
    </form>
  )
}

/** Where actions inside of the form run: the screen, with the form's own outcomes over the screen's. */
function placeOf(screen: ScreenHandle, live: LiveForm<View>): ScreenHandle {
  const { errors } = live.form.doc
  return { ...screen, form: live, screen: { id: screen.screen.id, errors: { ...screen.screen.errors, ...errors } } }
}

/** Fields in their order; neighbours of one group stand in one fieldset. */
function drawFields(
  live: LiveForm<View>,
  part: FormPart,
  views: ReadonlyMap<string, View>,
  place: () => ScreenHandle,
  className: string | undefined,
): ReactNode[] {
  const drawn: ReactNode[] = []
  let run: { group: CompiledGroup | undefined; fields: ReactNode[] } | undefined
  for (const field of live.fields) {
    const { name, type, group, doc } = field.field
    // Another type is another control; the same one keeps caret and focus when a release replaces the form.
    const node = <FieldView key={`${name} ${type}`} part={part.part(field)} view={views.get(doc.widget)} place={place} />
    if (run && run.group === group) run.fields.push(node)
    else {
      run = { group, fields: [node] }
      const { fields } = run
      drawn.push(
        group ? (
          <Group key={`group-${group.id}-${name}`} live={live} group={group} className={className}>
            {fields}
          </Group>
        ) : (
          fields
        ),
      )
    }
  }
  return drawn
}

interface GroupProps {
  live: LiveForm<View>
  group: CompiledGroup
  className: string | undefined
  children: ReactNode
}

/** Returns the result of `read`, again after each change of a topic. */
function useTopics<T>(live: LiveForm<View>, topics: readonly string[], read: () => T): T {
  const subscribe = useCallback(
    (wake: () => void) => {
      const offs = topics.map((topic) => live.subscribe(topic, wake))
      return () => {
        for (const off of offs) off()
      }
    },
    [live, topics],
  )
  return useSyncExternalStore(subscribe, read)
}

function Group({ live, group, className, children }: GroupProps) {
  const topics = useMemo(() => [...group.topics, 'session.language'], [group])
  const title = useTopics(live, topics, () =>
    mayShow(group.show, live) ? String(group.title?.evaluate(live, live.say).value ?? '') : undefined,
  )
  if (title === undefined) return null
  return (
    <fieldset
      className={className}
      data-group={group.id}
      data-columns={group.columns}
      style={group.columns === undefined ? undefined : ({ '--columns': group.columns } as CSSProperties)}
    >
      {title && <legend>{title}</legend>}
      {children}
    </fieldset>
  )
}

function Submit({ live, Button, danger }: { live: LiveForm<View>; Button: FormViewProps['Button']; danger: boolean }) {
  const { label, enabled, busy } = useSyncExternalStore(live.button.subscribe, live.button.getSnapshot)
  return <Button label={label} enabled={enabled} busy={busy} danger={danger} />
}

/** Says that something which the form reads could not be loaded, and loads it again. Fields may be closed for want of it. */
function NotLoaded({ live, screen }: { live: LiveForm<View>; screen: ScreenHandle }) {
  const { sources } = live.form
  const topics = useMemo(() => sources.map((source) => `$status.${source}`), [sources])
  const isLost = (source: string) => {
    const loadable = screen.statusOf(source)
    return loadable?.status === 'failed' && loadable.data === undefined
  }
  const lost = useTopics(live, topics, () => sources.some(isLost))
  if (!lost) return null
  return (
    <p className="form-problem" role="alert">
      {live.say('form.not_loaded')}{' '}
      <button type="button" onClick={() => void screen.data.refresh(sources.filter(isLost))}>
        {live.say('engine.retry')}
      </button>
    </p>
  )
}

/** Shows the problem that stops the form and belongs to no field, above the button. */
function Problem({ live }: { live: LiveForm<View> }) {
  const { problem } = useSyncExternalStore(live.button.subscribe, live.button.getSnapshot)
  if (problem === undefined) return null
  return (
    <p className="form-problem" role="alert">
      {problem}
    </p>
  )
}

/** Says how many fields are wrong after each press; the region stands from the start, so that the first is heard. */
function Summary({ live }: { live: LiveForm<View> }) {
  const { wrong, ticksOnly, press } = useSyncExternalStore(live.button.subscribe, live.button.getSnapshot)
  return (
    <p className="visually-hidden" role="status" aria-live="polite">
      {wrong > 0 && <span key={press}>{ticksOnly ? live.say('form.tick_to_go_on') : live.say('form.wrong_count', { count: wrong })}</span>}
    </p>
  )
}
