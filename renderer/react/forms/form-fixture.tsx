import { act } from 'react'
import * as z from 'zod'
import type { ChangesDoc, FieldDoc, FormDoc, Json, NodeDoc, ScreenDoc } from '#language/documents/documents.ts'
import type { Widget } from '#renderer/core/registry.ts'
import { mountScreen } from '#renderer/react/engine-fixture.tsx'
import { FormView } from '#renderer/react/forms/FormView.tsx'
import { useRows } from '#renderer/react/forms/rows.tsx'
import type { View, ViewProps } from '#renderer/react/view.ts'
import { defineWidget, type FormButtonProps, type PagesLook, useField } from '#renderer/widget-api.ts'

/** Names of fields in the order in which their widgets were drawn. */
export const drawn: string[] = []

const line = defineWidget({
  type: 'line-field',
  props: z.object({}),
  events: ['send'],
  view: ({ root, emit }: ViewProps<object, 'send'>) => {
    const field = useField()
    drawn.push(field.name)
    return (
      <div {...root}>
        <label htmlFor={field.id}>{field.label}</label>
        <input {...field.native} />
        {field.hint && <p id={`${field.id}-hint`}>{field.hint}</p>}
        {field.problem && (
          <p id={`${field.id}-problem`} data-level={field.problem.level}>
            {field.problem.text}
          </p>
        )}
        {field.problem?.level === 'warn' && (
          <input type="checkbox" data-tick={field.name} checked={field.accepted} onChange={(e) => field.accept(e.target.checked)} />
        )}
        <button type="button" data-send={field.name} onClick={() => emit('send')} />
      </div>
    )
  },
})
/** A control that is not native: the value comes from the form alone. */
const flag = defineWidget({
  type: 'flag-field',
  props: z.object({}),
  view: ({ root }: ViewProps) => {
    const field = useField()
    drawn.push(field.name)
    return (
      <button
        {...root}
        type="button"
        id={field.id}
        ref={field.focusRef}
        aria-pressed={field.get() === true}
        onClick={() => field.set(field.get() !== true)}
      >
        {field.problem?.text}
      </button>
    )
  },
})
/** Rows with plain buttons: the widget of the product is tested by itself. */
const rows = defineWidget({
  type: 'rows-field',
  props: z.object({}),
  view: ({ root }: ViewProps) => {
    const field = useField()
    const { rows, add, remove, move, focus } = useRows()
    return (
      <div {...root} id={field.id} ref={field.focusRef} tabIndex={-1}>
        {rows.map(({ key, cells }, i) => (
          <div key={key} data-row={i} data-key={key}>
            {cells}
            <button type="button" data-do={`remove ${i}`} onClick={() => remove(i)} />
            <button type="button" data-do={`up ${i}`} onClick={() => move(i, i - 1)} />
            <button type="button" data-do={`focus ${i}`} onClick={() => focus(i)} />
          </div>
        ))}
        <button type="button" data-do="add" onClick={() => add()} />
        {field.problem && <p id={`${field.id}-problem`}>{field.problem.text}</p>}
      </div>
    )
  },
})
const bomb = defineWidget({
  type: 'bomb-field',
  props: z.object({}),
  view: () => {
    throw new Error('boom')
  },
})
const label = defineWidget({
  type: 'label',
  props: z.object({ text: z.string() }),
  events: ['press'],
  view: ({ root, props, emit }: ViewProps<{ text: string }, 'press'>) => (
    <button {...root} type="button" onClick={() => emit('press')}>
      {props.text}
    </button>
  ),
})
const Send = ({ label, enabled, busy, choice }: FormButtonProps) => (
  <button
    type={choice ? 'button' : 'submit'}
    data-submit
    data-key={choice?.id}
    data-tone={choice?.tone}
    disabled={!enabled}
    aria-busy={busy}
    onClick={choice?.onPress}
  >
    {label}
  </button>
)
const pages: PagesLook = {
  Head: ({ step, title, focus }) => (
    <h2 ref={focus} tabIndex={-1}>
      {step} {title}
    </h2>
  ),
  Summary: ({ pages: before }) => (
    <div>
      {before.map(({ id, rows, onChange }) => (
        <button key={id} type="button" data-change={id} onClick={onChange}>
          {rows.map(({ label, text }) => `${label}=${text}`).join(';')}
        </button>
      ))}
    </div>
  ),
  Foot: ({ back, onBack, children }) => (
    <div>
      {back !== undefined && <button type="button" data-back onClick={onBack} />}
      {children}
    </div>
  ),
}
const form = defineWidget({
  type: 'form',
  props: z.object({ form: z.string() }),
  events: ['done'],
  slots: { foot: {} },
  view: ({ root, props, emit, slots }: ViewProps<{ form: string }, 'done', 'foot'>) => (
    <FormView root={root} form={props.form} Button={Send} pages={pages} foot={slots.foot.all()} onDone={() => emit('done')} />
  ),
})
export const widgets = [line, flag, rows, bomb, label, form] as readonly Widget<View>[]

export const fieldOf = (name: string, more: Partial<FieldDoc> = {}): FieldDoc => ({
  name,
  type: 'string',
  widget: 'line-field',
  label: name,
  ...more,
})

export function formDoc(fields: FieldDoc[], more: Partial<FormDoc> = {}): FormDoc {
  return {
    kind: 'form',
    id: 'f',
    format: 1,
    fields,
    submit: {
      label: 'Send',
      steps: [{ call: 'x.send', args: Object.fromEntries(fields.map(({ name }) => [name, { $: `form.${name}` }])) }],
    },
    ...more,
  }
}

export async function mountForm(options: {
  doc: FormDoc
  call?: (name: string, args: unknown) => Promise<unknown>
  documents?: Record<string, unknown>
  around?: NodeDoc[]
  foot?: NodeDoc[]
  values?: ScreenDoc['values']
  data?: ScreenDoc['data']
  state?: Record<string, Json>
  changes?: ChangesDoc
  session?: Parameters<typeof mountScreen>[0]['session']
}) {
  const documents: Record<string, unknown> = { 'form/f': options.doc, ...options.documents }
  let release = 1
  const screen = {
    ...(options.data && { data: options.data }),
    ...(options.state && { state: options.state }),
    ...(options.changes && { changes: options.changes }),
    ...(options.values && { values: options.values }),
    body: [{ id: 'form', widget: 'form', props: { form: 'f' }, slots: { foot: options.foot ?? [] } }, ...(options.around ?? [])],
  }
  const open = await mountScreen({
    widgets,
    documents,
    doc: screen,
    ...(options.call && { call: options.call }),
    ...(options.session && { session: options.session }),
  })
  const { engine } = open
  const document = engine.config.document.bind(engine.config)
  engine.config.document = (key) => documents[key] ?? document(key)
  const input = (name: string, node = 'form') => open.box.querySelector<HTMLInputElement>(`#${node}-${name}`)
  const submit = (node = 'form') => open.box.querySelector<HTMLButtonElement>(`[data-node="${node}"] [data-submit]`)
  return {
    ...open,
    documents,
    /** Shows the same screen with other parameters. */
    turnTo: (params: Record<string, unknown>) => open.show(screen, '1', params),
    /** Shows what `documents` hold by now, as a release does. */
    swap: () => {
      engine.release = () => release
      release++
      return open.show({ ...screen })
    },
    input,
    submit,
    problem: (name: string) => open.box.querySelector(`#form-${name}-problem`)?.textContent,
    type: (name: string, value: string, node = 'form') =>
      act(async () => {
        const element = input(name, node)
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(element, value)
        element?.dispatchEvent(new Event('input', { bubbles: true }))
      }),
    leave: (name: string) => act(async () => void input(name)?.dispatchEvent(new FocusEvent('focusout', { bubbles: true }))),
    send: (node = 'form') => act(async () => void submit(node)?.form?.requestSubmit()),
    wait: (ms: number) => act(async () => new Promise((done) => setTimeout(done, ms))),
  }
}
