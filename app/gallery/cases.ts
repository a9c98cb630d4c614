import type { ChildDoc, FieldDoc, FormDoc, Json, NodeDoc, ScreenDoc, Step, Value } from '#language/documents/documents.ts'
import { widgetOf } from '#language/text/shorthand.ts'
import type { JsonSchema, WidgetManifest } from '#language/types/catalog.ts'
import type { StateRules } from '#renderer/core/registry.ts'

/** One example of `widgets/<type>/<type>.example.json`. Texts are literal, because the gallery is not a document. */
export interface Example {
  name: string
  props?: Record<string, Value>
  slots?: Record<string, ChildDoc[]>
  /** Steps of events. Without them the widget has no listeners, and one that navigates may look inactive. */
  on?: Record<string, Step[]>
  /** Values of the screen's own `state`. */
  state?: Record<string, Json>
  /** The form around a field: its fields and texts. `{}` is a form with this field only. */
  form?: Partial<FormDoc>
}

export interface ExampleFile {
  /** One line: the purpose of the widget. */
  about?: string
  examples: Example[]
}

export const states = ['ready', 'loading', 'empty', 'error', 'stale', 'disabled', 'busy'] as const
type StateName = (typeof states)[number]

/** One frame of the gallery: an example of a widget in one state. */
export interface Case {
  /** Unique in the gallery; letters, digits and dashes. */
  id: string
  name: string
  state: StateName
  example: Example
  node: NodeDoc
  /** The form document around a field, or that of the widget `form`. */
  form?: Partial<FormDoc>
}

/** Source of all loading and failing cases. The gallery's API answers the calls `gallery.<state>`. */
const sourceName = 'example'

/** Events that no press triggers: a widget with only these events is not a control. */
const unpressed = new Set(['end', 'done', 'retry', 'empty', 'more'])

const rulesOf = (widget: WidgetManifest) => widget.states as unknown as StateRules
const propsOf = (widget: WidgetManifest) => (widget.props.properties ?? {}) as Record<string, JsonSchema>

/** States of the widget's passport, in order. A state in which the widget draws nothing has no frame. */
function statesOf(widget: WidgetManifest): StateName[] {
  const rules = rulesOf(widget)
  const control = widget.events.some((event) => !unpressed.has(event))
  const drawn: Record<StateName, boolean> = {
    ready: true,
    loading: rules.loading !== 'none',
    empty: rules.empty !== undefined,
    error: rules.error !== 'none',
    stale: rules.stale !== 'none',
    disabled: control,
    busy: control,
  }
  return states.filter((state) => drawn[state])
}

/** Each example in its normal state, then the first one in each further state. */
export function casesOf(widget: WidgetManifest, examples: readonly Example[]): Case[] {
  const ready = examples.map((example, i) => caseOf(widget, example, 'ready', `${i}`))
  const first = examples[0]
  if (!first) return ready
  // A field has no loading state of its own, and its form decides whether it is enabled.
  const further = first.form ? fieldStates(widget) : statesOf(widget).filter((state) => state !== 'ready')
  return [...ready, ...further.flatMap((state) => (waits(state) && !probeOf(widget, first) ? [] : [caseOf(widget, first, state, state)]))]
}

const fieldStates = (widget: WidgetManifest): StateName[] => (widget.type === 'form' ? [] : ['disabled'])

export const waits = (state: StateName) => state === 'loading' || state === 'error' || state === 'stale'

function caseOf(widget: WidgetManifest, example: Example, state: StateName, suffix: string): Case {
  const node: NodeDoc = { id: widget.type, widget: widget.type, props: { ...example.props } }
  if (example.slots) node.slots = example.slots
  if (example.on) node.on = example.on
  const made: Case = { id: `${widget.type}-${suffix}`, name: example.name, state, example, node }
  if (example.form) return inForm(made, example.form)
  if (waits(state)) wait(made, widget)
  const { empty } = rulesOf(widget)
  if (state === 'empty' && empty) node.props = { ...node.props, [empty.prop]: [] }
  if (state === 'disabled') node.enable = false
  return made
}

/** The example as a form: props of the field become members of the form's field. */
function inForm(made: Case, written: Partial<FormDoc>): Case {
  const { id, node, state, example } = made
  const { widget } = node
  const fields = (written.fields ?? []).map((plain): FieldDoc => {
    // Files omit the default widget of a type.
    const cells = plain.fields?.map((cell) => ({ ...cell, widget: widgetOf(cell) }))
    const field: FieldDoc = { ...plain, widget: widgetOf(plain), ...(cells && { fields: cells }) }
    return field.widget === widget
      ? { ...field, props: { ...field.props, ...example.props }, ...(state === 'disabled' && { enable: false }) }
      : field
  })
  return {
    ...made,
    form: { ...written, fields },
    node: { ...node, widget: 'form', props: { ...(widget === 'form' && node.props), form: `gallery.${id}` } },
  }
}

/**
 * A prop that reads the source, so that the node waits for it. A prop that the example does not use is preferred, because the view then
 * gets the same props in every state; then one that is not displayed; a whole list comes last.
 */
function probeOf(widget: WidgetManifest, example: Example): string | undefined {
  const props = propsOf(widget)
  const used = example.props ?? {}
  const names = Object.keys(props)
  const unread = names.filter((name) => !props[name]?.text && name !== widget.label)
  return names.find((name) => !Object.hasOwn(used, name)) ?? unread.find((name) => props[name]?.type !== 'array') ?? unread[0] ?? names[0]
}

/** The list that the passport names, and repeated rows, come from the source: they are missing until it has answered. */
function wait({ node, state }: Case, widget: WidgetManifest): void {
  const { loading, error, empty } = rulesOf(widget)
  const self = (state === 'loading' && loading === 'self') || (state === 'error' && error === 'self')
  const bound = (self && empty?.prop) || probeOf(widget, { name: '', props: node.props ?? {} })
  if (bound) node.props = { ...node.props, [bound]: { $: `data.${sourceName}.${bound}` } }
  if (self && node.slots?.row) node.slots = { ...node.slots, row: [] }
}

/** The screen of a case. A widget that cannot be shown alone gets the surroundings that it needs. */
export function screenOf({ id, node, state, example }: Case): ScreenDoc {
  const screen: ScreenDoc = { kind: 'screen', id: `gallery.${id}`, format: 1, body: around(node) }
  if (example.state) screen.state = example.state
  if (waits(state)) screen.data = { [sourceName]: { call: `gallery.${state}`, args: { case: id } } }
  return screen
}

function around(node: NodeDoc): ChildDoc[] {
  if (node.widget === 'sheet') {
    return [{ id: 'open', widget: 'button', props: { label: 'Open', tone: 'secondary' }, on: { press: [{ open: node.id }] } }, node]
  }
  return [node]
}
