import type {
  AnyDoc,
  ChildDoc,
  FragmentDoc,
  Logic,
  NodeDoc,
  ScreenDoc,
  SlotDoc,
  Step,
  UseDoc,
  Value,
} from '#language/documents/documents.ts'
import { limits } from '#language/documents/limits.ts'
import { type Names, namedValuesOf, nameWithin, valuesIn, withNamedValues, withTable } from '#language/documents/named-values.ts'
import { nearest } from '#language/documents/nearest.ts'
import { type Given, type Misfit, substituteLogic, substituteValue } from '#language/documents/substitute.ts'
import type { Origins } from '#language/documents/walk.ts'
import { below } from '#language/text/position.ts'

export interface Inlined {
  doc: AnyDoc
  origins: Origins
  problems: Misfit[]
}

/**
 * Inserts named values and fragments where they are used, and the frame of a screen with a title. Values of `with` replace the fragment's
 * `params.…` reads. A document without any of them is returned unchanged. Names that cannot be inserted are omitted and reported in
 * `problems`.
 */
export function inline(written: AnyDoc, { how, ...others }: Names): Inlined {
  // The tab bar of the app has no place for a table of values.
  const names: Names = { ...others, how: written.kind === 'app' ? 'expressions' : how }
  const { doc, problems } = withNamedValues(written, names)
  const { doc: whole, ...inlined } = fragmentsIn(doc, names)
  const made = names.how === 'table' && 'values' in whole ? withTable(whole, usedValues(whole)) : whole
  return { doc: made, origins: inlined.origins, problems: [...problems, ...inlined.problems] }
}

/** The named values of a document that something in it reads. */
function usedValues(doc: AnyDoc): Record<string, Logic> {
  const { values = {}, ...rest } = doc as AnyDoc & { values?: Record<string, Logic> }
  const used: Record<string, Logic> = {}
  const visit = (part: unknown) => {
    for (const name of valuesIn(part)) {
      if (Object.hasOwn(used, name) || !Object.hasOwn(values, name)) continue
      used[name] = values[name] as Logic
      visit(used[name])
    }
  }
  visit(rest)
  return used
}

function fragmentsIn(doc: AnyDoc, names: Names): Inlined {
  const isFramed = doc.kind === 'screen' && doc.title !== undefined && !isFrame(doc.body)
  if ((doc.kind !== 'screen' && doc.kind !== 'app') || !(isFramed || /"(?:use|slot)":/.test(JSON.stringify(doc))))
    return { doc, origins: new Map(), problems: [] }
  const work = new Inliner(names, doc)
  if (doc.kind === 'app')
    return { doc: { ...doc, tabBar: work.node(doc.tabBar, outside('/tabBar')) }, origins: work.origins, problems: work.problems }
  const inlined = isFramed ? work.framed(doc) : { ...doc, body: work.children(doc.body, outside('/body')) }
  return {
    doc: names.how === 'table' ? withTable(inlined, { ...inlined.values, ...work.values }) : inlined,
    origins: work.origins,
    problems: work.problems,
  }
}

/** Whether a body is the expanded frame of a screen that was published. */
function isFrame([page, ...more]: readonly ChildDoc[]): boolean {
  const bar = page && 'widget' in page && page.widget === 'page' ? page.slots?.head?.[0] : undefined
  return more.length === 0 && bar !== undefined && 'widget' in bar && bar.id === 'bar'
}

interface At {
  pointer: string
  /** Set inside a fragment: its id, the given values, and the prefix of its ids. `asked` collects the slots. */
  inside?: {
    fragment: string
    given: Given
    prefix: string
    slots: ReadonlyMap<string, { children: readonly ChildDoc[]; at: At }>
    asked: Set<string>
  }
  depth: number
}
const outside = (pointer: string): At => ({ pointer, depth: 0 })

class Inliner {
  readonly origins = new Map<object, { pointer: string; fragment?: string }>()
  readonly problems: Misfit[] = []
  /** Named values that fragments bring. */
  readonly values: Record<string, Logic> = {}
  private readonly names: Names
  private readonly fragments: ReadonlyMap<string, FragmentDoc>
  private readonly taken: Set<string>

  constructor(names: Names, doc: AnyDoc) {
    this.names = names
    this.fragments = names.fragments
    this.taken = new Set(Object.keys(namedValuesOf(doc)))
  }

  /** Expands a screen with a title: its body in a page, below a bar with title and toolbar, between head and foot. */
  framed({ title, back, pad, toolbar, head, foot, ...doc }: ScreenDoc): ScreenDoc {
    const list = (name: string, children: readonly ChildDoc[] = []) => this.children(children, outside(`/${name}`))
    const props = { title: title as Value, ...(back !== undefined && { back }) }
    const bar: NodeDoc = { id: 'bar', widget: 'nav-bar', props, ...(toolbar && { slots: { right: list('toolbar', toolbar) } }) }
    const slots = { head: [bar, ...list('head', head)], body: list('body', doc.body), ...(foot && { foot: list('foot', foot) }) }
    const page: NodeDoc = { id: 'page', widget: 'page', ...(pad !== undefined && { props: { pad } }), slots }
    for (const node of [page, bar]) this.origins.set(node, { pointer: '/title' })
    // The engine names a press by the title of its page; checks find the title in the bar.
    return { ...doc, ...(this.names.how === 'table' && { title: title as Value }), body: [page] }
  }

  children(list: readonly ChildDoc[], at: At): NodeDoc[] {
    return list.flatMap((child, i) => this.child(child, this.deeper(at, i)))
  }

  child(child: ChildDoc, at: At): NodeDoc[] {
    if ('use' in child) return this.use(child, at)
    return 'slot' in child ? this.slot(child, at) : [this.node(child, at)]
  }

  /** The content of a slot belongs to the document that gives it: it reads that document's values and has its pointers. */
  private slot({ slot, default: otherwise = [] }: SlotDoc, at: At): NodeDoc[] {
    if (!at.inside) {
      this.problems.push({ pointer: at.pointer, message: 'slots are only allowed in fragments' })
      return []
    }
    at.inside.asked.add(slot)
    const given = at.inside.slots.get(slot)
    return given ? this.children(given.children, given.at) : this.children(otherwise, at)
  }

  private deeper(at: At, name: string | number): At {
    return at.inside ? at : { ...at, pointer: below(at.pointer, name) }
  }

  private use(child: UseDoc, at: At): NodeDoc[] {
    const written = this.fragments.get(child.use)
    const problem = (message: string, suggestion?: string) => {
      this.problems.push({ pointer: at.pointer, message, ...(suggestion !== undefined && { suggestion }) })
      return []
    }
    if (!written) return problem(`there is no fragment "${child.use}"`, nearest(child.use, this.fragments.keys()))
    if (at.depth >= limits.fragmentDepthMax) return problem(`fragments are nested at most ${limits.fragmentDepthMax} levels deep`)
    const { doc: fragment } = withNamedValues(written, this.names)
    const given: Given = new Map()
    const outer = (value: Value) => this.value(value, at)
    for (const [name, param] of Object.entries(fragment.params ?? {})) {
      const value = child.with && Object.hasOwn(child.with, name) ? outer(child.with[name] as Value) : param.default
      if (value === undefined && param.required) problem(`"${child.use}" needs "${name}"`)
      given.set(`params.${name}`, value)
    }
    for (const name of Object.keys(child.with ?? {})) {
      if (!given.has(`params.${name}`))
        problem(`"${child.use}" has no parameter "${name}"`, nearest(name, Object.keys(fragment.params ?? {})))
    }
    if (this.names.how === 'table') this.bring(fragment, child.as ?? child.use, given)
    const prefix = `${at.inside?.prefix ?? ''}${child.as === undefined ? '' : `${child.as}-`}`
    const slotsAt = this.deeper(at, 'slots')
    const slots = new Map(Object.entries(child.slots ?? {}).map(([name, children]) => [name, { children, at: this.deeper(slotsAt, name) }]))
    const asked = new Set<string>()
    const nodes = this.children(fragment.body, {
      pointer: at.pointer,
      depth: at.depth + 1,
      inside: { fragment: child.use, given, prefix, slots, asked },
    })
    for (const name of slots.keys())
      if (!asked.has(name)) {
        const pointer = this.deeper(slotsAt, name).pointer
        const suggestion = nearest(name, asked)
        this.problems.push({ pointer, message: `"${child.use}" has no slot "${name}"`, ...(suggestion !== undefined && { suggestion }) })
      }
    return nodes
  }

  /** Puts the named values of a fragment among those of the document, under names of this use. */
  private bring({ values = {} }: FragmentDoc, use: string, given: Given): void {
    const named = nameWithin(use, this.taken)
    for (const name of Object.keys(values)) given.set(`values.${name}`, { $: { var: `values.${named(name)}` } })
    for (const [name, logic] of Object.entries(values)) this.values[named(name)] = substituteLogic(logic, given, () => undefined)
  }

  node(node: NodeDoc, at: At): NodeDoc {
    const { inside } = at
    const made: NodeDoc = { ...node, id: `${inside?.prefix ?? ''}${node.id}` }
    if (inside) {
      if (node.props) made.props = this.record(node.props, at)
      if (node.show !== undefined) made.show = this.logic(node.show, at)
      if (node.enable !== undefined) made.enable = this.logic(node.enable, at)
      if (node.repeat)
        made.repeat = { ...node.repeat, each: this.value(node.repeat.each as Value, at) as NonNullable<NodeDoc['repeat']>['each'] }
      if (node.on) made.on = mapped(node.on, (action) => (typeof action === 'string' ? action : action.map((step) => this.step(step, at))))
    }
    if (node.slots) made.slots = mapped(node.slots, (list, slot) => this.children(list, this.deeper(this.deeper(at, 'slots'), slot)))
    if (node.states) {
      made.states = mapped(node.states, (child, state) => this.one(child, this.deeper(this.deeper(at, 'states'), state))) as NonNullable<
        NodeDoc['states']
      >
    }
    if (node.fallback && node.fallback !== 'drop') made.fallback = this.node(node.fallback, this.deeper(at, 'fallback'))
    this.origins.set(made, { pointer: at.pointer, ...(inside && { fragment: inside.fragment }) })
    return made
  }

  /** Only a single node can be used here; a fragment with more nodes is refused. */
  private one(child: ChildDoc | undefined, at: At): ChildDoc | undefined {
    if (!child) return undefined
    const [first, ...rest] = this.child(child, at)
    if (rest.length > 0) this.problems.push({ pointer: at.pointer, message: 'one node is expected here, but the fragment has several' })
    return first
  }

  private step(step: Step, at: At): Step {
    const made: Record<string, unknown> = {}
    for (const [name, part] of Object.entries(step)) {
      if (name === 'if') made[name] = this.logic(part, at)
      else if ((name === 'then' || name === 'else') && Array.isArray(part)) {
        made[name] = (part as Step[]).map((inside) => this.step(inside, at))
      } else made[name] = this.value(part as Value, at)
    }
    return made as Step
  }

  private record(values: Record<string, Value>, at: At): Record<string, Value> {
    return mapped(values, (value) => this.value(value, at))
  }

  private value(value: Value, at: At): Value {
    return at.inside ? substituteValue(value, at.inside.given, (message) => this.problems.push({ pointer: at.pointer, message })) : value
  }

  private logic(logic: Value, at: At): Value {
    return at.inside ? substituteLogic(logic, at.inside.given, (message) => this.problems.push({ pointer: at.pointer, message })) : logic
  }
}

function mapped<T, R>(members: Record<string, T>, make: (member: T, name: string) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, make(member, name)]))
}
