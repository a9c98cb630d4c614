import { compilePath, nameOfLookup, roots, rootsBy, type Scope } from '#language/expression/scope.ts'

/** Where values of a scope come from, and how to hear of a change. A topic is a root and its first name: `data.info`, `device.theme`, `item`. */
export interface LiveScope extends Scope {
  subscribe(topic: string, wake: () => void): () => void
  /** Grows with every change of a row's own values; absent where nobody counts. */
  readonly version?: number
  /**
   * The scope for drawing: the same, but with data that answers earlier arguments until the new answer comes. Everything that decides or
   * sends reads the scope itself, which does not have such data.
   */
  readonly drawn?: Scope
}

/** Returns the scope for drawing of a scope. */
export const drawnOf = (scope: LiveScope | Scope): Scope => (scope as LiveScope).drawn ?? scope

/** The topic of a path: root and first own name, without the rest. A computed name of the feed stays in its brackets. */
export function topicOf(path: string): string {
  if (isComputed(path)) return path
  const match = /^([A-Za-z_]\w*)(?:\.([\w-]+))?/.exec(path)
  if (!match) return path
  const [, root = '', first] = match
  return wholeRoots.has(root) || first === undefined ? root : `${root}.${first}`
}

/** Roots that are one topic as a whole. Rows around are heard of one by one: `row.order`. */
const wholeRoots = new Set<string>([...rootsBy.row, ...rootsBy.action].filter((root) => root !== 'row'))

/** A topic whose name the scope computes: `feed[state.symbol]`. */
export const isComputed = (topic: string): boolean => topic.startsWith('feed[')

/**
 * Subscribes to what a computed topic stands for in this scope, and to another name when the name changes. `wake` hears of the named
 * topic only: who reads the path has the paths inside the brackets among its own topics.
 */
export function subscribeComputed(scope: LiveScope, topic: string, wake: () => void): () => void {
  const path = compilePath(topic)
  let name: string | undefined
  let end: (() => void) | undefined
  const follow = () => {
    const now = nameOfLookup(scope, path)
    if (now === name) return
    name = now
    const before = end
    end = now === undefined ? undefined : scope.subscribe(`${path.root}.${now}`, wake)
    before?.()
  }
  const offs = path.deps.slice(1).map((dep) => scope.subscribe(topicOf(dep), follow))
  follow()
  return () => {
    for (const off of offs) off()
    end?.()
  }
}

/** Listeners by topic. Setting wakes the topic's own listeners and those of its whole root. */
export class Topics {
  private readonly listeners = new Map<string, Set<() => void>>()

  subscribe(topic: string, wake: () => void): () => void {
    let set = this.listeners.get(topic)
    if (!set) this.listeners.set(topic, (set = new Set()))
    set.add(wake)
    return () => {
      set.delete(wake)
      if (set.size === 0) this.listeners.delete(topic)
    }
  }

  wake(topic: string): void {
    const dot = topic.indexOf('.')
    for (const wake of this.listeners.get(topic) ?? []) wake()
    if (dot > 0) for (const wake of this.listeners.get(topic.slice(0, dot)) ?? []) wake()
  }
}

/** Scope of one row of a repeat: `item`, `index` and its name in `row` of its own, everything else from outside. */
export class RowScope implements LiveScope {
  /** Nearly every row has one node; a list costs less than a set. */
  private wakes: readonly (() => void)[] = []
  private readonly outer: LiveScope
  version = 0
  item: unknown
  /** The row comes from data that answers other arguments than the present ones. */
  stale = false
  private index: number
  /** The name that its repeat gives the item, for repeats inside of it. */
  private readonly name: string | undefined

  constructor(outer: LiveScope, item: unknown, index: number, name?: string) {
    this.outer = outer
    this.name = name
    this.item = item
    this.index = index
  }

  get(root: string): unknown {
    if (root === 'item') return this.stale ? undefined : this.item
    if (root === 'index') return this.index
    if (root === 'row' && this.name !== undefined) return this.rows(this.outer, this.stale ? undefined : this.item)
    return this.outer.get(root)
  }

  private rows(outer: Scope, item: unknown): object {
    return { ...(outer.get('row') as object | undefined), [this.name ?? '']: item }
  }

  get drawn(): Scope {
    const outer = drawnOf(this.outer)
    if (!this.stale && outer === this.outer) return this
    const { item, index } = this
    return overlay(outer, { item, index, ...(this.name !== undefined && { row: this.rows(outer, item) }) })
  }

  /** It, or a row around it, comes from data that answers other arguments than the present ones. */
  get old(): boolean {
    return this.stale || (this.outer instanceof RowScope && this.outer.old)
  }

  subscribe(topic: string, wake: () => void): () => void {
    if (isComputed(topic)) return subscribeComputed(this, topic, wake)
    if (topic !== 'item' && topic !== 'index' && !(this.name !== undefined && topic === `row.${this.name}`))
      return this.outer.subscribe(topic, wake)
    this.wakes = [...this.wakes, wake]
    return () => {
      this.wakes = this.wakes.filter((w) => w !== wake)
    }
  }

  /** Wakes the row's nodes only when the row really is another. */
  update(item: unknown, index: number, stale = false): void {
    if (Object.is(item, this.item) && index === this.index && stale === this.stale) return
    this.item = item
    this.index = index
    this.stale = stale
    this.version++
    for (const wake of this.wakes) wake()
  }
}

/** Roots by which a scope finds the forms of its screen, and the form in whose slots it stands. */
export const formRoots = { all: '$forms', own: '$form' } as const

/** The forms of a screen, by the nodes that show them. */
interface FormsByNode {
  of(node: string): Scope | undefined
}

/** Scope of the slots of a form: what is entered into that form, everything else from outside. */
export class FormScope implements LiveScope {
  private readonly outer: LiveScope
  private readonly node: string

  constructor(outer: LiveScope, node: string) {
    this.outer = outer
    this.node = node
  }

  get version(): number {
    return this.outer.version ?? 0
  }

  private form(): Scope | undefined {
    return (this.outer.get(formRoots.all) as FormsByNode | undefined)?.of(this.node)
  }

  get(root: string): unknown {
    if (root === 'form' || root === 'formMeta') return this.form()?.get(root)
    return root === formRoots.own ? this.form() : this.outer.get(root)
  }

  get drawn(): Scope {
    const outer = drawnOf(this.outer)
    if (outer === this.outer) return this
    return { get: (root) => (root === 'form' || root === 'formMeta' ? this.get(root) : outer.get(root)) }
  }

  subscribe(topic: string, wake: () => void): () => void {
    return isComputed(topic) ? subscribeComputed(this, topic, wake) : this.outer.subscribe(topic, wake)
  }
}

/** A scope with some roots laid over another: an action's snapshot, its event value and its results. */
export function overlay(base: Scope, roots: Record<string, unknown>): Scope {
  return { get: (root) => (Object.hasOwn(roots, root) ? roots[root] : base.get(root)) }
}

const snapshotRoots = [...roots, 'format', 'clock', 'formMeta']

/** The one snapshot that an action reads: what the prompt shows is what the call sends. Values are immutable, so references suffice. */
export function snapshot(scope: Scope, more: Record<string, unknown>): Scope {
  const read = Object.fromEntries(snapshotRoots.map((root) => [root, scope.get(root)]))
  return overlay({ get: () => undefined }, { ...read, ...more })
}
