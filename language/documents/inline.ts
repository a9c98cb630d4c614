import type {
  AnyDoc,
  ChildDoc,
  FragmentDoc,
  Logic,
  NodeDoc,
  ScreenDoc,
  SlotDoc,
  SourceDoc,
  Step,
  UseDoc,
  Value,
} from '#language/documents/documents.ts'
import { isObject } from '#language/documents/json.ts'
import { limits } from '#language/documents/limits.ts'
import { type Names, namedValuesOf, nameWithin, valuesIn, withNamedValues, withTable } from '#language/documents/named-values.ts'
import { nearest } from '#language/documents/nearest.ts'
import { type Given, type Misfit, substituteLogic, substituteValue } from '#language/documents/substitute.ts'
import { factsOf, type Origins } from '#language/documents/walk.ts'
import { below } from '#language/text/position.ts'
import { writablePath } from '#language/text/short-nodes.ts'

export interface Inlined {
  doc: AnyDoc
  origins: Origins
  /** Pointers of parts that a fragment brings (`/state/records_from`), with the pointer of its use. */
  brought: ReadonlyMap<string, string>
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
  return { doc: made, origins: inlined.origins, brought: inlined.brought, problems: [...problems, ...inlined.problems] }
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
    return { doc, origins: new Map(), brought: new Map(), problems: [] }
  const work = new Inliner(names, doc)
  const { origins, brought, problems } = work
  if (doc.kind === 'app') return { doc: { ...doc, tabBar: work.node(doc.tabBar, outside('/tabBar')) }, origins, brought, problems }
  const inlined = work.withScopes(isFramed ? work.framed(doc) : { ...doc, body: work.children(doc.body, outside('/body')) })
  const whole = names.how === 'table' ? withTable(inlined, { ...inlined.values, ...work.values }) : inlined
  return { doc: whole, origins, brought, problems }
}

/** Whether a body is the expanded frame of a screen that was published. */
function isFrame([page, ...more]: readonly ChildDoc[]): boolean {
  const bar = page && 'widget' in page && page.widget === 'page' ? page.slots?.head?.[0] : undefined
  return more.length === 0 && bar !== undefined && 'widget' in bar && bar.id === 'bar'
}

/** Parts of a screen that fragments bring, by their names in the screen. */
type Scopes = Partial<Record<'state' | 'data' | 'actions', Record<string, unknown>>>

interface At {
  pointer: string
  /** Set inside a fragment: its id, the given values, and the prefixes of its ids and names. `asked` collects the slots. */
  inside?: {
    fragment: string
    given: Given
    prefix: string
    part: string
    /** Names of this use by those of the fragment, for names that are not read by a path: sources, actions and ids of nodes. */
    sources: ReadonlyMap<string, string>
    actions: ReadonlyMap<string, string>
    ids: ReadonlySet<string>
    slots: ReadonlyMap<string, { children: readonly ChildDoc[]; at: At }>
    asked: Set<string>
  }
  depth: number
  /** Directly in the body of a screen with a title: the toolbar and head of a fragment go to those of the screen. */
  isTop?: boolean
  isRepeated?: boolean
}
const outside = (pointer: string): At => ({ pointer, depth: 0 })

class Inliner {
  readonly origins = new Map<object, { pointer: string; fragment?: string }>()
  readonly problems: Misfit[] = []
  /** Named values that fragments bring. */
  readonly values: Record<string, Logic> = {}
  readonly brought = new Map<string, string>()
  private readonly scopes: Scopes = {}
  private readonly toolbar: NodeDoc[] = []
  private readonly head: NodeDoc[] = []
  private readonly doc: AnyDoc
  private readonly names: Names
  private readonly fragments: ReadonlyMap<string, FragmentDoc>
  private readonly taken: Set<string>

  constructor(names: Names, doc: AnyDoc) {
    this.names = names
    this.doc = doc
    this.fragments = names.fragments
    this.taken = new Set(Object.keys(namedValuesOf(doc)))
  }

  /** Expands a screen with a title: its body in a page, below a bar with title and toolbar, between head and foot. */
  framed({ title, back, pad, toolbar, head, foot, ...doc }: ScreenDoc): ScreenDoc {
    const list = (name: string, children: readonly ChildDoc[] = []) => this.children(children, outside(`/${name}`))
    const props = { title: title as Value, ...(back !== undefined && { back }) }
    const body = this.children(doc.body, { ...outside('/body'), isTop: true })
    const right = [...list('toolbar', toolbar), ...this.toolbar]
    const bar: NodeDoc = { id: 'bar', widget: 'nav-bar', props, ...(right.length > 0 && { slots: { right } }) }
    const slots = { head: [bar, ...list('head', head), ...this.head], body, ...(foot && { foot: list('foot', foot) }) }
    const page: NodeDoc = { id: 'page', widget: 'page', ...(pad !== undefined && { props: { pad } }), slots }
    for (const node of [page, bar]) this.origins.set(node, { pointer: '/title' })
    // The engine names a press by the title of its page; checks find the title in the bar.
    return { ...doc, ...(this.names.how === 'table' && { title: title as Value }), body: [page] }
  }

  /** Adds the state, sources and actions of the fragments to those of the screen. */
  withScopes(doc: ScreenDoc): ScreenDoc {
    const made = mapped(this.scopes, (parts, kind) => ({ ...doc[kind as keyof Scopes], ...parts }))
    return { ...doc, ...made }
  }

  children(list: readonly ChildDoc[], at: At): NodeDoc[] {
    return list.flatMap((child, i) => this.child(child, this.deeper(at, i)))
  }

  child(child: ChildDoc, at: At): NodeDoc[] {
    if ('use' in child) return this.use(child, at)
    if ('slot' in child) return this.slot(child, at)
    const made = this.node(child, at)
    // A parameter decides at publishing.
    return at.inside && made.show === false ? [] : [made]
  }

  /** The content of a slot belongs to the document that gives it: it reads that document's values and has its pointers. */
  private slot({ slot, default: otherwise = [], repeat }: SlotDoc, at: At): NodeDoc[] {
    if (!at.inside) {
      this.problems.push({ pointer: at.pointer, message: 'slots are only allowed in fragments' })
      return []
    }
    at.inside.asked.add(slot)
    const given = at.inside.slots.get(slot)
    const place = { ...(given?.at ?? at), isTop: false }
    const isRepeated = repeat !== undefined || at.isRepeated === true || place.isRepeated === true
    const nodes = this.children(given?.children ?? otherwise, { ...place, isRepeated })
    if (!repeat) return nodes
    const each = this.value(repeat.each as Value, at) as typeof repeat.each
    return nodes.map((node) => {
      const row = { ...node, repeat: { ...repeat, each } }
      this.origins.set(row, this.origins.get(node) ?? { pointer: at.pointer })
      return row
    })
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
    const part = `${at.inside ? `${at.inside.part}_` : ''}${(child.as ?? child.use).replace(/\W/g, '_')}`
    const prefix = `${at.inside?.prefix ?? ''}${child.as === undefined ? '' : `${child.as}-`}`
    const own = (kind: keyof Scopes) => new Map(this.namesOf(fragment, kind).map((name) => [name, `${part}_${name}`]))
    const [state, sources, actions] = [own('state'), own('data'), own('actions')]
    for (const [name, made] of state) given.set(`state.${name}`, { $: `state.${made}` })
    for (const [name, made] of sources) given.set(`data.${name}`, { $: `data.${made}` })
    if (this.names.how === 'table') this.bring(fragment, part, given)
    const slotsAt = this.deeper(at, 'slots')
    const slots = new Map(Object.entries(child.slots ?? {}).map(([name, children]) => [name, { children, at: this.deeper(slotsAt, name) }]))
    const asked = new Set<string>()
    const ids = new Set(factsOf(fragment).nodes.map(({ node }) => node.id))
    const within: At = {
      pointer: at.pointer,
      depth: at.depth + 1,
      isRepeated: at.isRepeated === true,
      inside: { fragment: child.use, given, prefix, part, sources, actions, ids, slots, asked },
    }
    if (at.isRepeated && (fragment.state || fragment.data))
      problem(`"${child.use}" has state or sources of its own, which the rows of a repeat would share`)
    else this.bringScope(fragment, within)
    const [toolbar, head] = [this.children(fragment.toolbar ?? [], within), this.children(fragment.head ?? [], within)]
    const nodes = this.children(fragment.body, { ...within, isTop: at.isTop === true })
    if (at.isTop) {
      this.toolbar.push(...toolbar)
      this.head.push(...head)
    } else nodes.unshift(...toolbar, ...head)
    for (const name of slots.keys())
      if (!asked.has(name)) {
        const pointer = this.deeper(slotsAt, name).pointer
        const suggestion = nearest(name, asked)
        this.problems.push({ pointer, message: `"${child.use}" has no slot "${name}"`, ...(suggestion !== undefined && { suggestion }) })
      }
    return nodes
  }

  /** Names of a fragment, and of those that it uses: they are read as `<use>_<name>`. */
  private namesOf(fragment: FragmentDoc, kind: keyof Scopes, depth = 1): string[] {
    const inner = factsOf(fragment).uses.flatMap(({ use, as = use }) => {
      const used = depth < limits.fragmentDepthMax ? this.fragments.get(use) : undefined
      return used ? this.namesOf(used, kind, depth + 1).map((name) => `${as.replace(/\W/g, '_')}_${name}`) : []
    })
    return [...Object.keys(fragment[kind] ?? {}), ...inner]
  }

  /** Puts the named values of a fragment among those of the document, under names of this use. */
  private bring({ values = {} }: FragmentDoc, use: string, given: Given): void {
    const named = nameWithin(use, this.taken)
    for (const name of Object.keys(values)) given.set(`values.${name}`, { $: { var: `values.${named(name)}` } })
    for (const [name, logic] of Object.entries(values)) this.values[named(name)] = substituteLogic(logic, given, () => undefined)
  }

  /** Puts state, sources and actions of a fragment among those of the screen. A source or step whose call is not given is left out. */
  private bringScope({ id, state = {}, data = {}, actions = {} }: FragmentDoc, at: At): void {
    const { inside, pointer } = at as At & { inside: NonNullable<At['inside']> }
    const own = this.doc as Pick<ScreenDoc, 'lists'> & Scopes
    const put = (kind: keyof Scopes, name: string, part: unknown) => {
      const made = `${inside.part}_${name}`
      const isTaken = [own[kind], kind === 'state' ? own.lists : undefined, this.scopes[kind]].some(
        (one) => one && Object.hasOwn(one, made),
      )
      if (this.doc.kind !== 'screen')
        this.problems.push({ pointer, message: `"${id}" has ${kind} of its own, so only a screen can use it` })
      else if (isTaken) {
        const path = `${kind}.${made}`
        const message =
          inside.prefix === ''
            ? `"${path}" of the fragment "${id}" is there already: give the use a name with "as"`
            : `"${path}" of the fragment "${id}" is there already`
        this.problems.push({ pointer, message })
      } else {
        this.scopes[kind] = Object.assign(this.scopes[kind] ?? {}, { [made]: part })
        this.brought.set(`/${kind}/${made}`, pointer)
      }
    }
    for (const [name, start] of Object.entries(state)) put('state', name, start)
    for (const [name, source] of Object.entries(data)) {
      const { args, when, on, send } = source
      const made: SourceDoc = { ...source }
      for (const name of ['call', 'live', 'keepMs', 'everyMs'] as const) {
        const value = source[name] === undefined ? null : this.value(source[name], at)
        if (value === null) delete made[name]
        else Object.assign(made, { [name]: value })
      }
      if (made.call === undefined) continue
      if (args) made.args = given(this.record(args, at))
      if (when !== undefined) made.when = this.logic(when, at)
      if (made.when === true) delete made.when
      if (send?.optimistic) made.send = { ...send, optimistic: given(this.record(send.optimistic, at)) }
      if (on) made.on = mapped(on, (steps) => this.steps(steps as Step[], at))
      put('data', name, made)
    }
    for (const [name, steps] of Object.entries(actions)) {
      const made = this.steps(steps, at)
      if (made.length > 0) put('actions', name, made)
    }
  }

  node(node: NodeDoc, at: At): NodeDoc {
    const { inside } = at
    const below = { ...at, isTop: false, isRepeated: at.isRepeated === true || node.repeat !== undefined }
    const made: NodeDoc = { ...node, id: `${inside?.prefix ?? ''}${node.id}` }
    if (inside) {
      if (node.props) made.props = given(this.record(node.props, at))
      if (node.show !== undefined) made.show = this.logic(node.show, at)
      if (node.enable !== undefined) made.enable = this.logic(node.enable, at)
      if (node.repeat)
        made.repeat = { ...node.repeat, each: this.value(node.repeat.each as Value, at) as NonNullable<NodeDoc['repeat']>['each'] }
      if (node.on)
        made.on = mapped(node.on, (action) =>
          typeof action === 'string' ? (inside.actions.get(action) ?? action) : this.steps(action, at),
        )
    }
    if (node.slots) made.slots = mapped(node.slots, (list, slot) => this.children(list, this.deeper(this.deeper(below, 'slots'), slot)))
    if (node.states) {
      made.states = mapped(node.states, (child, state) => this.one(child, this.deeper(this.deeper(below, 'states'), state))) as NonNullable<
        NodeDoc['states']
      >
    }
    if (node.fallback && node.fallback !== 'drop') made.fallback = this.node(node.fallback, this.deeper(below, 'fallback'))
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

  /** A step that goes to a page, or sends a call, which the use does not name is left out. */
  private steps(steps: readonly Step[], at: At): Step[] {
    return steps
      .map((step) => this.step(step, at))
      .filter((step) => goals.every((name) => (step as Record<string, unknown>)[name] !== null))
  }

  private step(step: Step, at: At): Step {
    const { prefix = '', sources, ids } = at.inside ?? {}
    const source = (name: string) => sources?.get(name) ?? name
    const made: Record<string, unknown> = {}
    for (const [name, part] of Object.entries(step)) {
      if (name === 'if') made[name] = this.logic(part, at)
      else if ((name === 'then' || name === 'else') && Array.isArray(part)) made[name] = this.steps(part as Step[], at)
      else if (name === 'set') made[name] = this.settings(part as Record<string, Value>, at)
      else if (name === 'refresh') made[name] = (part as string[]).map(source)
      else if (name === 'more') made[name] = source(part as string)
      else if (name === 'open') made[name] = ids?.has(part as string) ? `${prefix}${part}` : part
      else if (name === 'args') made[name] = given(this.record(part as Record<string, Value>, at))
      else made[name] = records.has(name) ? this.record(part as Record<string, Value>, at) : this.value(part as Value, at)
    }
    return made as Step
  }

  /** Paths of a `set` step: those of this use, and those that parameters name. */
  private settings(values: Record<string, Value>, at: At): Record<string, Value> {
    const { '*': all, ...own } = values
    const given = all === undefined ? {} : this.record({ '*': all }, at)
    const named = Object.entries(this.record(own, at)).map(([path, value]): [Logic, Value] => [this.logic(path, at), value])
    const set = [...Object.entries(given), ...named]
    for (const [path] of set)
      if (typeof path !== 'string' || !writablePath.test(path))
        this.problems.push({
          pointer: at.pointer,
          message: `${JSON.stringify(path)} is no value of state, form or device that could be set`,
        })
    return Object.fromEntries(set)
  }

  /** In a fragment, `*` stands for all members of a record that a parameter gives. */
  private record({ '*': all, ...values }: Record<string, Value>, at: At): Record<string, Value> {
    const given = all === undefined ? {} : (this.value(all, at) ?? {})
    if (!isObject<Value>(given) || '$' in given || '$t' in given)
      this.problems.push({ pointer: at.pointer, message: 'the members of "*" must be written out in the use of the fragment' })
    return { ...(isObject<Value>(given) ? given : {}), ...mapped(values, (value) => this.value(value, at)) }
  }

  private value(value: Value, at: At): Value {
    return at.inside ? substituteValue(value, at.inside.given, (message) => this.problems.push({ pointer: at.pointer, message })) : value
  }

  private logic(logic: Value, at: At): Value {
    return at.inside ? substituteLogic(logic, at.inside.given, (message) => this.problems.push({ pointer: at.pointer, message })) : logic
  }
}

/** Members of steps without which a step does nothing. */
const goals = ['go', 'call', 'export'] as const
/** Members of steps that are values by name. */
const records: ReadonlySet<string> = new Set(['params', 'with'])

/** Arguments or props without those that the parameters of a fragment leave absent. */
const given = (args: Record<string, Value>) => Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null))

function mapped<T, R>(members: Record<string, T>, make: (member: T, name: string) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, make(member, name)]))
}
