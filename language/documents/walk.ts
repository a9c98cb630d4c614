import type {
  Action,
  AnyDoc,
  ChangesDoc,
  ChildDoc,
  ErrorOutcome,
  FieldDoc,
  FormDoc,
  NodeDoc,
  PushedDoc,
  ScreenDoc,
  Step,
  StepKind,
} from '#language/documents/documents.ts'
import { isObject } from '#language/documents/json.ts'
import { below, frameLists } from '#language/text/position.ts'
import { kindOf } from '#language/text/step-kind.ts'

/** One pass over a document that collects everything that checks need, with its place. */

export interface NodePlace {
  node: NodeDoc
  pointer: string
  parent?: NodePlace
  slot?: string
  /** In the content of a fragment's slot, as written: the fragment may repeat it. */
  inSlot?: boolean
  /** Name of the parent's state (`loading`, `empty`, `error`, `stale`) or `fallback` that this node replaces. */
  standIn?: string
  depth: number
  /** The field of a form. `node` is then its widget, with all props that the widget receives. The parent of a field in rows is theirs. */
  field?: FieldDoc
  /** Id of the fragment that contains it; the pointer is then that of the `use`. */
  fragment?: string
}
export interface ActionPlace {
  steps: readonly Step[]
  pointer: string
  node?: NodePlace
  /** Event of the node or source, name of the screen's action, or "enter". */
  name: string
  /** The source whose answers trigger the action. */
  source?: string
  /** The expression of `changes` whose value triggers the action. */
  watched?: unknown
}
interface Around {
  pointer: string
  /** The place is in `pushed` of the app document, and reads rows of this topic. */
  topic?: string
  node?: NodePlace
  action?: ActionPlace
  /** The use is in the content of another fragment's slot. */
  inSlot?: boolean
  /** The place is in the row that this source shows until the server answers. */
  source?: string
}
export interface ValuePlace extends Around {
  value: unknown
  role: 'prop' | 'arg' | 'param' | 'with' | 'text' | 'each' | 'set' | 'optimistic'
  /** Name of the prop, argument or parameter. */
  name: string
}
export interface LogicPlace extends Around {
  logic: unknown
  /** `value`: the expression of a named value, or the list of a row of a prompt; `watched`: the expression of `changes`. */
  role: 'show' | 'enable' | 'required' | 'when' | 'test' | 'if' | 'value' | 'watched' | 'stale_when'
}
export interface StepPlace extends Around {
  step: Step
  kind: StepKind
  action: ActionPlace
  depth: number
}
interface UsePlace extends Around {
  use: string
  as?: string
  with: Record<string, unknown>
}
export interface Facts {
  nodes: NodePlace[]
  values: ValuePlace[]
  logics: LogicPlace[]
  steps: StepPlace[]
  actions: ActionPlace[]
  uses: UsePlace[]
}

/** Origin of nodes that come from fragments. */
export type Origins = ReadonlyMap<object, { pointer: string; fragment?: string }>

export function factsOf(doc: AnyDoc, origins: Origins = new Map()): Facts {
  const facts: Facts = { nodes: [], values: [], logics: [], steps: [], actions: [], uses: [] }
  if ('values' in doc) {
    for (const [name, logic] of Object.entries(doc.values ?? {})) facts.logics.push({ logic, role: 'value', pointer: `/values/${name}` })
  }
  if (doc.kind === 'screen' || doc.kind === 'fragment') {
    for (const [name, source] of Object.entries(doc.data ?? {})) {
      const pointer = `/data/${name}`
      for (const member of ['call', 'live', 'keepMs', 'everyMs'] as const) {
        const value: unknown = source[member]
        if (isParam(value)) facts.values.push({ value, role: 'param', name: member, pointer: `${pointer}/${member}` })
      }
      values(facts, source.args, 'arg', { pointer: `${pointer}/args` })
      if (source.when !== undefined) facts.logics.push({ logic: source.when, role: 'when', pointer: `${pointer}/when` })
      values(facts, source.send?.optimistic, 'optimistic', { pointer: `${pointer}/send/optimistic`, source: name })
      for (const [event, steps] of Object.entries(source.on ?? {}))
        action(facts, { steps, pointer: `${pointer}/on/${event}`, name: event, source: name })
    }
    for (const [name, steps] of Object.entries(doc.actions ?? {})) action(facts, { steps, pointer: `/actions/${name}`, name })
    for (const list of frameLists) {
      const children = list === 'foot' && doc.kind === 'fragment' ? [] : ((doc as ScreenDoc)[list] ?? [])
      for (const [i, child] of children.entries()) childOf(facts, child, { pointer: `/${list}/${i}`, depth: 1 }, origins)
    }
  }
  if (doc.kind === 'screen') {
    if (doc.enter) action(facts, { steps: doc.enter, pointer: '/enter', name: 'enter' })
    changeFacts(facts, doc.changes)
    outcomes(facts, doc.errors)
    if (doc.title !== undefined) facts.values.push({ value: doc.title, role: 'text', name: 'title', pointer: '/title' })
  }
  if (doc.kind === 'form') formFacts(facts, doc)
  if (doc.kind === 'screen' || doc.kind === 'fragment') {
    for (const [i, child] of doc.body.entries()) childOf(facts, child, { pointer: `/body/${i}`, depth: 1 }, origins)
  }
  if (doc.kind === 'app') {
    childOf(facts, doc.tabBar, { pointer: '/tabBar', depth: 1 }, origins)
    for (const [i, one] of (doc.pushed ?? []).entries()) pushedFacts(facts, one, `/pushed/${i}`)
    for (const [name, { label, test }] of Object.entries(doc.segments ?? {})) {
      facts.values.push({ value: label, role: 'text', name: 'label', pointer: `/segments/${name}/label` })
      facts.logics.push({ logic: test, role: 'test', pointer: `/segments/${name}/test` })
    }
  }
  if (doc.kind === 'prompt') promptFacts(facts, doc)
  if (doc.kind === 'validation') {
    facts.logics.push({ logic: doc.test, role: 'test', pointer: '/test' })
    facts.values.push({ value: doc.message, role: 'text', name: 'message', pointer: '/message' })
  }
  if (doc.kind === 'quick-entries') {
    doc.entries.forEach((entry, i) => {
      const pointer = `/entries/${i}`
      facts.values.push({ value: entry.label, role: 'text', name: 'label', pointer: `${pointer}/label` })
      if (entry.badge !== undefined) facts.values.push({ value: entry.badge, role: 'text', name: 'badge', pointer: `${pointer}/badge` })
      values(facts, entry.params, 'param', { pointer: `${pointer}/params` })
      if (entry.show !== undefined) facts.logics.push({ logic: entry.show, role: 'show', pointer: `${pointer}/show` })
    })
  }
  return facts
}

/** A name that a fragment takes from a parameter. */
const isParam = (value: unknown) => isObject(value) && '$' in value

function pushedFacts(facts: Facts, { topic, show, by, one, many }: PushedDoc, pointer: string): void {
  if (show !== undefined) facts.logics.push({ logic: show, role: 'show', pointer: `${pointer}/show`, topic })
  facts.values.push({ value: by, role: 'param', name: 'by', pointer: `${pointer}/by`, topic })
  for (const [name, { toast, tone, press }] of Object.entries({ one, many })) {
    const at = { topic, pointer: `${pointer}/${name}` }
    facts.values.push({ ...at, value: toast, role: 'text', name: 'toast', pointer: `${at.pointer}/toast` })
    if (tone !== undefined) facts.values.push({ ...at, value: tone, role: 'param', name: 'tone', pointer: `${at.pointer}/tone` })
    if (press) action(facts, { steps: press, pointer: `${at.pointer}/press`, name: 'press' })
  }
}

function outcomes(facts: Facts, errors: Readonly<Record<string, ErrorOutcome>> | undefined): void {
  for (const [code, outcome] of Object.entries(errors ?? {})) {
    const pointer = below('/errors', code)
    if (outcome.toast !== undefined) facts.values.push({ value: outcome.toast, role: 'text', name: 'toast', pointer: `${pointer}/toast` })
    if (outcome.message !== undefined)
      facts.values.push({ value: outcome.message, role: 'text', name: 'message', pointer: `${pointer}/message` })
    values(facts, outcome.set, 'set', { pointer: `${pointer}/set` })
  }
}

function changeFacts(facts: Facts, changes: ChangesDoc | undefined): void {
  for (const [i, change] of (changes ?? []).entries()) {
    const pointer = `/changes/${i}`
    facts.logics.push({ logic: change.when, role: 'watched', pointer: `${pointer}/when` })
    action(facts, { steps: change.do, pointer: `${pointer}/do`, name: 'changes', watched: change.when })
  }
}

/** Props that the form adds to those written for a field's widget. */
const given = ['min', 'max', 'step', 'maxLength', 'options'] as const

function formFacts(facts: Facts, doc: FormDoc): void {
  const text = (value: unknown, name: string, around: Around) =>
    value !== undefined && facts.values.push({ ...around, value, role: 'text', name, pointer: `${around.pointer}/${name}` })
  for (const [i, field] of doc.fields.entries()) fieldFacts(facts, field, `/fields/${i}`, text)
  for (const [i, rule] of (doc.rules ?? []).entries()) {
    facts.logics.push({ logic: rule.test, role: 'test', pointer: `/rules/${i}/test` })
    text(rule.message, 'message', { pointer: `/rules/${i}` })
  }
  for (const [i, group] of (doc.groups ?? []).entries()) {
    text(group.title, 'title', { pointer: `/groups/${i}` })
    if (group.show !== undefined) facts.logics.push({ logic: group.show, role: 'show', pointer: `/groups/${i}/show` })
  }
  for (const [i, page] of (doc.pages ?? []).entries()) {
    text(page.title, 'title', { pointer: `/pages/${i}` })
    text(page.text, 'text', { pointer: `/pages/${i}` })
    if (page.show !== undefined) facts.logics.push({ logic: page.show, role: 'show', pointer: `/pages/${i}/show` })
  }
  text(doc.submit.label, 'label', { pointer: '/submit' })
  if (doc.submit.enable !== undefined) facts.logics.push({ logic: doc.submit.enable, role: 'enable', pointer: '/submit/enable' })
  action(facts, { steps: doc.submit.steps, pointer: '/submit/steps', name: 'submit' })
  changeFacts(facts, doc.changes)
  outcomes(facts, doc.errors)
}

type AddText = (value: unknown, name: string, around: Around) => void

function fieldFacts(facts: Facts, field: FieldDoc, pointer: string, text: AddText, parent?: NodePlace): void {
  const props = { ...field.props }
  for (const name of given) if (field[name] !== undefined) props[name] = field[name]
  const place: NodePlace = {
    node: { id: parent ? `${parent.node.id}.${field.name}` : field.name, widget: field.widget, props, ...(field.on && { on: field.on }) },
    pointer,
    depth: parent ? 2 : 1,
    ...(parent && { parent }),
    field,
  }
  const around: Around = { pointer, node: place }
  facts.nodes.push(place)
  text(field.label, 'label', around)
  text(field.hint, 'hint', around)
  for (const name of ['default', 'follows', 'min', 'max', 'step', 'options'] as const)
    if (field[name] !== undefined) facts.values.push({ ...around, value: field[name], role: 'param', name, pointer: `${pointer}/${name}` })
  values(facts, field.props, 'prop', { ...around, pointer: `${pointer}/props` })
  for (const role of ['show', 'enable', 'required'] as const) {
    const logic = field[role]
    if (logic !== undefined && !(role === 'required' && typeof logic === 'boolean'))
      facts.logics.push({ ...around, logic, role, pointer: `${pointer}/${role}` })
  }
  for (const [i, rule] of (field.rules ?? []).entries()) {
    const at: Around = { ...around, pointer: `${pointer}/rules/${i}` }
    if (typeof rule === 'string') continue
    if ('use' in rule) values(facts, rule.with, 'with', { ...at, pointer: `${at.pointer}/with` })
    else {
      facts.logics.push({ ...at, logic: rule.test, role: 'test', pointer: `${at.pointer}/test` })
      text(rule.message, 'message', at)
    }
  }
  for (const [event, steps] of Object.entries(field.on ?? {}))
    action(facts, { steps, pointer: below(`${pointer}/on`, event), node: place, name: event })
  for (const [i, cell] of (field.fields ?? []).entries()) fieldFacts(facts, cell, `${pointer}/fields/${i}`, text, place)
}

function promptFacts(facts: Facts, doc: Extract<AnyDoc, { kind: 'prompt' }>): void {
  for (const name of ['title', 'text', 'ok', 'cancel'] as const) {
    if (doc[name] !== undefined) facts.values.push({ value: doc[name], role: 'text', name, pointer: `/${name}` })
  }
  doc.rows?.forEach((row, i) => {
    if (row.each !== undefined) facts.logics.push({ logic: row.each, role: 'value', pointer: `/rows/${i}/each` })
    facts.values.push(
      { value: row.label, role: 'text', name: 'label', pointer: `/rows/${i}/label` },
      { value: row.value, role: 'param', name: 'value', pointer: `/rows/${i}/value` },
    )
    if (row.show !== undefined) facts.logics.push({ logic: row.show, role: 'show', pointer: `/rows/${i}/show` })
  })
  if (doc.stale_when !== undefined) facts.logics.push({ logic: doc.stale_when, role: 'stale_when', pointer: '/stale_when' })
}

function values(facts: Facts, record: Readonly<Record<string, unknown>> | undefined, role: ValuePlace['role'], around: Around): void {
  for (const [name, value] of Object.entries(record ?? {}))
    facts.values.push({ ...around, value, role, name, pointer: frozen(around) ?? below(around.pointer, name) })
}

/** Everything inside a fragment has the pointer of its `use`. */
function frozen({ node }: Around): string | undefined {
  return node?.fragment === undefined ? undefined : node.pointer
}

interface Position {
  pointer: string
  depth: number
  parent?: NodePlace
  slot?: string
  standIn?: string
  inSlot?: boolean
}

function childOf(facts: Facts, child: ChildDoc, position: Position, origins: Origins): void {
  const origin = origins.get(child)
  // Content of a fragment's slot belongs to the document that gives it.
  const fragment = origin ? origin.fragment : position.parent?.fragment
  const pointer = origin?.pointer ?? position.pointer
  const { parent, slot, standIn, depth, inSlot } = position
  const around = { ...(parent && { node: parent }), ...(inSlot && { inSlot }) }
  if ('use' in child) {
    facts.uses.push({ use: child.use, ...(child.as !== undefined && { as: child.as }), with: child.with ?? {}, pointer, ...around })
    values(facts, child.with, 'with', { pointer: `${pointer}/with`, ...around })
    for (const [name, children] of Object.entries(child.slots ?? {})) {
      const list = `${pointer}${below('/slots', name)}`
      for (const [i, one] of children.entries()) childOf(facts, one, { ...position, pointer: below(list, i), inSlot: true }, origins)
    }
    return
  }
  if ('slot' in child) {
    if (child.repeat)
      facts.values.push({ value: child.repeat.each, role: 'each', name: 'each', pointer: `${pointer}/repeat/each`, ...around })
    for (const [i, one] of (child.default ?? []).entries())
      childOf(facts, one, { ...position, pointer: `${pointer}/default/${i}` }, origins)
    return
  }
  const place: NodePlace = {
    node: child,
    pointer,
    depth,
    ...(parent && { parent }),
    ...(slot !== undefined && { slot }),
    ...(inSlot && { inSlot }),
    ...(standIn !== undefined && { standIn }),
    ...(fragment !== undefined && { fragment }),
  }
  facts.nodes.push(place)
  nodeFacts(facts, place, origins)
}

function nodeFacts(facts: Facts, place: NodePlace, origins: Origins): void {
  const { node, pointer } = place
  const at = (name: string) => frozen({ pointer, node: place }) ?? `${pointer}/${name}`
  values(facts, node.props, 'prop', { pointer: `${pointer}/props`, node: place })
  if (node.show !== undefined) facts.logics.push({ logic: node.show, role: 'show', pointer: at('show'), node: place })
  if (node.enable !== undefined) facts.logics.push({ logic: node.enable, role: 'enable', pointer: at('enable'), node: place })
  // In a file that is not read yet, `go` stands beside its parameters.
  const { go, params } = node as { go?: unknown; params?: Record<string, unknown> }
  if (go !== undefined && typeof go !== 'string')
    facts.values.push({ value: go, role: 'param', name: 'go', pointer: at('go'), node: place })
  values(facts, params, 'param', { pointer: `${pointer}/params`, node: place })
  if (node.repeat) facts.values.push({ value: node.repeat.each, role: 'each', name: 'each', pointer: at('repeat/each'), node: place })
  for (const [event, todo] of Object.entries(node.on ?? {}) as [string, Action][]) {
    if (typeof todo !== 'string') action(facts, { steps: todo, pointer: at(below('on', event)), node: place, name: event })
  }
  for (const [slot, children] of Object.entries(node.slots ?? {})) {
    for (const [i, child] of children.entries()) {
      const pointer = at(`${below('slots', slot)}/${i}`)
      childOf(facts, child, { pointer, depth: place.depth + 1, parent: place, slot, ...(place.inSlot && { inSlot: true }) }, origins)
    }
  }
  for (const [state, child] of Object.entries(node.states ?? {})) {
    if (child) childOf(facts, child, { pointer: at(`states/${state}`), depth: place.depth + 1, parent: place, standIn: state }, origins)
  }
  if (node.fallback && node.fallback !== 'drop')
    childOf(facts, node.fallback, { pointer: at('fallback'), depth: place.depth + 1, parent: place, standIn: 'fallback' }, origins)
}

function action(facts: Facts, place: ActionPlace): void {
  facts.actions.push(place)
  for (const [i, step] of place.steps.entries()) stepFacts(facts, step, below(place.pointer, i), place, 1)
}

function stepFacts(facts: Facts, step: Step, natural: string, action: ActionPlace, depth: number): void {
  const pointer = frozen({ pointer: natural, node: action.node }) ?? natural
  const around: Around = { pointer, action, ...(action.node && { node: action.node }) }
  const at = (name: string): Around => ({ ...around, pointer: frozen(around) ?? `${pointer}/${name}` })
  const text = (name: string, value: unknown) => value !== undefined && facts.values.push({ ...at(name), value, role: 'text', name })
  facts.steps.push({ ...around, step, kind: kindOf(step), action, depth })
  if ('go' in step) {
    if (typeof step.go !== 'string') facts.values.push({ ...at('go'), value: step.go, role: 'param', name: 'go' })
    values(facts, step.params, 'param', at('params'))
  } else if ('call' in step || 'export' in step) {
    const [name, call] = 'call' in step ? (['call', step.call] as const) : (['export', step.export] as const)
    if (isParam(call)) facts.values.push({ ...at(name), value: call, role: 'param', name })
    values(facts, step.args, 'arg', at('args'))
  } else if ('confirm' in step) values(facts, step.with, 'with', at('with'))
  else if ('set' in step) values(facts, step.set, 'set', at('set'))
  else if ('toast' in step) text('toast', step.toast)
  else if ('resend' in step) facts.values.push({ ...at('resend'), value: step.resend, role: 'param', name: 'resend' })
  else if ('discard' in step) facts.values.push({ ...at('discard'), value: step.discard, role: 'param', name: 'discard' })
  else if ('copy' in step) facts.values.push({ ...at('copy'), value: step.copy, role: 'param', name: 'copy' })
  else if ('link' in step) facts.values.push({ ...at('link'), value: step.link, role: 'param', name: 'link' })
  else if ('share' in step) {
    text('share/title', step.share.title)
    text('share/text', step.share.text)
    facts.values.push({ ...at('share/url'), value: step.share.url, role: 'param', name: 'url' })
  } else if ('save' in step) {
    for (const name of ['name', 'text'] as const) facts.values.push({ ...at(`save/${name}`), value: step.save[name], role: 'param', name })
  } else if ('login' in step) facts.values.push({ ...at('login'), value: step.login, role: 'param', name: 'login' })
  else if ('if' in step) {
    facts.logics.push({ ...at('if'), logic: step.if, role: 'if' })
    for (const [i, inside] of step.then.entries()) stepFacts(facts, inside, `${pointer}/then/${i}`, action, depth + 1)
    for (const [i, inside] of (step.else ?? []).entries()) stepFacts(facts, inside, `${pointer}/else/${i}`, action, depth + 1)
  }
}
