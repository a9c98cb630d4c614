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
import type { FormField } from '#renderer/forms/form-field.ts'
import type { LiveForm } from '#renderer/forms/forms.ts'
import { addForm } from '#renderer/forms/store-forms.ts'
import { type ScreenHandle, useEngine, useRelease, useScreen } from '#renderer/react/context.ts'
import { FieldView } from '#renderer/react/forms/FieldView.tsx'
import type { PagesLook } from '#renderer/react/forms/FormPages.tsx'
import { FormPart } from '#renderer/react/forms/formPart.ts'
import { compiledFormOf, openForm, pagesCode, viewsOf } from '#renderer/react/forms/openForm.ts'
import { useTopics } from '#renderer/react/forms/useTopics.ts'
import { useLoaded } from '#renderer/react/lazyComponent.tsx'
import { StandIn, unsized } from '#renderer/react/StandIn.tsx'
import type { RootProps, View } from '#renderer/react/view.ts'

export interface FormButtonProps {
  label: string
  enabled: boolean
  busy: boolean
  danger: boolean
  /** Id of the form element: the button may stand outside of it. */
  form: string
  /** The option that it chooses, where the form has a button for each option of a field. Such a button is of type button. */
  choice?: FormChoice
}

export interface FormChoice {
  id: string
  /** As the field's own prop `tones` names it. */
  tone: string | undefined
  onPress: () => void
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
  /** Draws a button of type submit, or one that chooses and sends. */
  Button: ComponentType<FormButtonProps>
  /** The looks of a form in pages. */
  pages: PagesLook
  /** Stands around the button or the buttons; `choices` names the field that they choose. */
  Buttons?: ComponentType<FormButtonsProps>
  /** Called when the server has accepted the entries. */
  onDone?: () => void
}

export interface FormButtonsProps {
  choices: string | undefined
  children: ReactNode
}

/** A form document, drawn: each field is its own island, and a key draws its field and the declared dependents at most. */
export function FormView({ form: id, ...look }: FormViewProps) {
  const engine = useEngine()
  const release = useRelease()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another release may carry another form
  const form = useMemo(() => compiledFormOf(engine, id), [engine, id, release])
  const views = useLoaded(viewsOf(form))
  const place = usePlace()
  return views ? <Form key={place} form={form} views={views} look={look} /> : <StandIn kind="loading" root={look.root} bones={unsized} />
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
    const out = addForm(screen.store, live, part.id)
    return () => {
      out()
      stop()
    }
  }, [live, part, screen.store])
  const place = useCallback(() => placeOf(at.current.screen, live), [live])
  const { changes } = form.doc
  useLayoutEffect(() => changes && actOnChanges(changes, live, () => ({ ...place(), source: { depth: 1 } })), [changes, live, place])
  /** The second press of a double one would fall on the button of the next page. A press after an entry is no such one. */
  const turned = useRef(Number.NEGATIVE_INFINITY)
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
  const begin = (enabled: boolean, choose?: () => void) => {
    const { busy } = live.button.getSnapshot()
    const isOnTheWay = live.pages?.isLast === false
    if (
      !(enabled || isOnTheWay) ||
      busy ||
      pressed.current.now ||
      performance.now() - Math.max(pressed.current.at, turned.current) < screen.throttleMs
    )
      return
    choose?.()
    pressed.current.now = true
    if (isOnTheWay) turned.current = performance.now()
    void part.submit(send).finally(() => {
      pressed.current.now = false
    })
  }
  const { by } = form.submit
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // A form in a sheet of a form sends itself alone.
    event.stopPropagation()
    // Enter in a field says nothing of which of several buttons is meant.
    if (by === undefined || live.pages?.isLast === false) begin(live.button.getSnapshot().enabled)
  }
  const choose = (id: string) => {
    const choice = live.button.getSnapshot().choices?.find((one) => one.id === id)
    if (choice && by !== undefined) begin(choice.enabled, () => live.set(by, id, true))
  }
  const draw = useCallback(
    (fields: readonly FormField<View>[]) => drawFields(live, fields, part, views, place, look.groupClassName),
    [live, part, views, place, look.groupClassName],
  )
  const { pages } = live
  const typed = useCallback(() => {
    turned.current = Number.NEGATIVE_INFINITY
  }, [])
  const Pages = pages && pagesCode.ready()?.Pages
  const body = useMemo(() => (pages ? undefined : draw(live.fields)), [draw, live, pages])
  const submitButton = (label?: string) => <Submit live={live} look={look} choose={choose} label={label} />
  const notes = (
    <>
      <Summary live={live} />
      <Problem live={live} />
    </>
  )
  return (
    <form {...root} id={`${root['data-node']}-form`} className={look.className} noValidate onSubmit={submit} onChange={pages && typed}>
      {look.before}
      <NotLoaded live={live} screen={screen} />
      {Pages && pages ? (
        <Pages live={live} pages={pages} look={look.pages} draw={draw} foot={look.foot} notes={notes} button={submitButton} />
      ) : (
        <>
          {body}
          {look.foot}
          {notes}
          {submitButton()}
        </>
      )}
      {look.after}
    </form>
  )
}

/** Where actions inside of the form run: the screen, with the form's own outcomes over the screen's. */
function placeOf(screen: ScreenHandle, live: LiveForm<View>): ScreenHandle {
  const { errors } = live.form.doc
  return { ...screen, form: live, screen: { ...screen.screen, errors: { ...screen.screen.errors, ...errors } } }
}

/** Fields in their order; neighbours of one group stand in one fieldset. */
function drawFields(
  live: LiveForm<View>,
  fields: readonly FormField<View>[],
  part: FormPart,
  views: ReadonlyMap<string, View>,
  place: () => ScreenHandle,
  className: string | undefined,
): ReactNode[] {
  // Another type is another control; the same one keeps caret and focus when a release replaces the form.
  part.draw = (field) => (
    <FieldView
      key={`${field.form.idOf(field.field.name)} ${field.field.type}`}
      part={part.part(field)}
      view={views.get(field.field.doc.widget)}
      place={place}
    />
  )
  const drawn: ReactNode[] = []
  let run: { group: CompiledGroup | undefined; fields: ReactNode[] } | undefined
  for (const field of fields) {
    const { name, group } = field.field
    // It has buttons in the place of a control.
    if (name === live.form.submit.by) continue
    const node = part.draw(field)
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

interface SubmitProps {
  live: LiveForm<View>
  look: Props['look']
  choose: (id: string) => void
  /** Of a button that leads to the next page. */
  label: string | undefined
}

/** The button that sends, or one for each option of the field that they choose. */
function Submit({ live, look, choose, label: next }: SubmitProps) {
  const { label, enabled, busy, choices } = useSyncExternalStore(live.button.subscribe, live.button.getSnapshot)
  const { Button, Buttons = Plain, root } = look
  const { by, danger = false } = live.form.doc.submit
  const form = `${root['data-node']}-form`
  const tones = live.field(by ?? '')?.field.fixed.tones as Readonly<Record<string, string>> | undefined
  if (next !== undefined) return <Button label={next} enabled busy={busy} danger={false} form={form} />
  return (
    <Buttons choices={by}>
      {choices ? (
        choices.map((one) => {
          const choice = { id: one.id, tone: tones?.[one.id], onPress: () => choose(one.id) }
          return <Button key={one.id} label={one.label} enabled={one.enabled} busy={busy} danger={danger} form={form} choice={choice} />
        })
      ) : (
        <Button label={label} enabled={enabled} busy={busy} danger={danger} form={form} />
      )}
    </Buttons>
  )
}

const Plain = ({ children }: FormButtonsProps) => children

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
