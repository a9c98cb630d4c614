import type { ListDoc } from '#language/documents/documents.ts'
import type { NamedValues } from '#language/expression/expression.ts'
import { rootsBy, type Scope } from '#language/expression/scope.ts'
import { recordsOf, withRecord } from '#renderer/core/records.ts'
import { formRoots, isComputed, type LiveScope, overlay, subscribeComputed, Topics } from '#renderer/core/scope.ts'
import type { Kept } from '#renderer/engine/kept.ts'
import type { ScreenForms } from '#renderer/forms/store-forms.ts'

const own = new Set<string>(rootsBy.screen)
const ofForms = new Set<string>([...rootsBy.form, 'formMeta'])

/**
 * The values of one open screen. Writing wakes exactly the topic that was written; equal values wake nobody.
 */
export class ScreenStore implements LiveScope {
  readonly topics = new Topics()
  private readonly outer: LiveScope
  private readonly roots: { params: Record<string, unknown>; state: Record<string, unknown>; data: Record<string, unknown> }
  /** Answers to other arguments than the present ones, by source. */
  private old: Readonly<Record<string, unknown>> = {}
  private look: Scope = this
  private sheet: string | undefined
  private lists: Readonly<Record<string, ListDoc>>
  /** The part of it that the visit keeps; absent where nothing is kept. */
  readonly kept: Kept | undefined
  /** Its forms; the first brings the code for them. */
  form: ScreenForms | undefined
  /** The named values of its document. */
  values: NamedValues | undefined

  constructor(
    outer: LiveScope,
    params: Record<string, unknown>,
    state: Record<string, unknown>,
    lists: Readonly<Record<string, ListDoc>> = {},
    kept?: Kept,
  ) {
    this.outer = outer
    this.lists = lists
    this.roots = { params, state: { ...state, ...startOf(lists) }, data: {} }
    this.kept = kept
    for (const name in kept?.state) if (Object.hasOwn(this.roots.state, name)) this.setState(name, kept.state[name])
  }

  get(root: string): unknown {
    if (ofForms.has(root)) return this.form?.get(root)
    if (root === 'values') return this.values
    if (root === formRoots.all) return this.form
    return own.has(root) ? this.roots[root as keyof typeof this.roots] : this.outer.get(root)
  }

  subscribe(topic: string, wake: () => void): () => void {
    if (isComputed(topic)) return subscribeComputed(this, topic, wake)
    const dot = topic.indexOf('.')
    const root = dot < 0 ? topic : topic.slice(0, dot)
    return own.has(root) || ofForms.has(root) || topic === '$sheet' || topic.startsWith('$status')
      ? this.topics.subscribe(topic, wake)
      : this.outer.subscribe(topic, wake)
  }

  /** Writes `state.a.b`: every object on the way is copied, so that old snapshots keep their values. */
  setState(path: string, value: unknown): void {
    const [first = '', ...rest] = path.split('.')
    const list = Object.hasOwn(this.lists, first) ? this.lists[first] : undefined
    if (list) this.putState(first, recordsOf(list, value))
    else this.putState(first, rest.length ? withIn(this.roots.state[first], rest, value) : value)
  }

  /** Changes one record of a list. @param member absent: all of it */
  setRecord(name: string, by: string | number, member: string | undefined, value: unknown): void {
    const list = Object.hasOwn(this.lists, name) ? this.lists[name] : undefined
    const rows = this.roots.state[name]
    if (list && Array.isArray(rows)) this.putState(name, withRecord(list, rows, by, member, value))
  }

  /** Names that another revision of the document adds start with its values; what the customer has stays. */
  adopt(state: Record<string, unknown>, lists: Readonly<Record<string, ListDoc>> = {}): void {
    this.lists = lists
    for (const [name, value] of Object.entries({ ...state, ...startOf(lists) }))
      if (!Object.hasOwn(this.roots.state, name)) this.putState(name, value)
  }

  setParams(params: Record<string, unknown>): void {
    const before = this.roots.params
    const names = new Set([...Object.keys(before), ...Object.keys(params)])
    const changed = [...names].filter((name) => !Object.is(before[name], params[name]))
    if (changed.length === 0) return
    this.roots.params = params
    for (const name of changed) this.topics.wake(`params.${name}`)
  }

  /**
   * Takes what a source answered.
   * @param stale it answers other arguments than the present ones: it is drawn, and nothing else reads it
   */
  setData(source: string, value: unknown, stale = false): void {
    const wasStale = Object.hasOwn(this.old, source)
    if (stale ? wasStale && Object.is(this.old[source], value) : !wasStale && Object.is(this.roots.data[source], value)) return
    this.roots.data = { ...this.roots.data, [source]: stale ? undefined : value }
    if (stale || wasStale) {
      const { [source]: _, ...others } = this.old
      this.old = stale ? { ...others, [source]: value } : others
    }
    this.look = Object.keys(this.old).length > 0 ? overlay(this, { data: { ...this.roots.data, ...this.old } }) : this
    this.topics.wake(`data.${source}`)
  }

  get drawn(): Scope {
    return this.look
  }

  /** Returns the data of a source for drawing. */
  dataOf(source: string): unknown {
    return Object.hasOwn(this.old, source) ? this.old[source] : this.roots.data[source]
  }

  /** Sources whose data is drawn only. */
  staleSources(): readonly string[] {
    return Object.keys(this.old)
  }

  openSheet(id: string | undefined): void {
    if (this.sheet === id) return
    this.sheet = id
    this.topics.wake('$sheet')
  }

  openedSheet(): string | undefined {
    return this.sheet
  }

  private putState(name: string, value: unknown): void {
    if (Object.is(this.roots.state[name], value)) return
    this.roots.state = { ...this.roots.state, [name]: value }
    this.topics.wake(`state.${name}`)
  }
}

const startOf = (lists: Readonly<Record<string, ListDoc>>) =>
  Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, recordsOf(list, list.default ?? [])]))

function withIn(base: unknown, path: readonly string[], value: unknown): Record<string, unknown> {
  const [first = '', ...rest] = path
  const from = typeof base === 'object' && base !== null ? (base as Record<string, unknown>) : {}
  return { ...from, [first]: rest.length ? withIn(from[first], rest, value) : value }
}
