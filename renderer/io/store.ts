import { rootsBy } from '#language/scope.ts'
import { isComputed, type LiveScope, subscribeComputed, Topics } from '#renderer/core/scope.ts'
import type { ScreenForms } from '#renderer/io/store-forms.ts'

/** Roots that every screen sees: session, app, device, feed. The engine gives them; a screen only reads. */
export interface OuterScope extends LiveScope {}

const own = new Set<string>(rootsBy.screen)
const ofForms = new Set<string>([...rootsBy.form, 'formMeta'])

/**
 * The values of one open screen. Writing wakes exactly the topic that was written; equal values wake nobody.
 */
export class ScreenStore implements LiveScope {
  readonly topics = new Topics()
  private readonly outer: OuterScope
  private readonly roots: { params: Record<string, unknown>; state: Record<string, unknown>; data: Record<string, unknown> }
  private sheet: string | undefined
  /** Its forms; the first brings the code for them. */
  form: ScreenForms | undefined

  constructor(outer: OuterScope, params: Record<string, unknown>, state: Record<string, unknown>) {
    this.outer = outer
    this.roots = { params, state: { ...state }, data: {} }
  }

  get(root: string): unknown {
    if (ofForms.has(root)) return this.form?.get(root)
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
    this.put('state', first, rest.length ? withIn(this.roots.state[first], rest, value) : value)
  }

  /** Names that another revision of the document adds start with its values; what the customer has stays. */
  adopt(state: Record<string, unknown>): void {
    for (const [name, value] of Object.entries(state)) if (!Object.hasOwn(this.roots.state, name)) this.put('state', name, value)
  }

  setParams(params: Record<string, unknown>): void {
    const before = this.roots.params
    const names = new Set([...Object.keys(before), ...Object.keys(params)])
    const changed = [...names].filter((name) => !Object.is(before[name], params[name]))
    if (changed.length === 0) return
    this.roots.params = params
    for (const name of changed) this.topics.wake(`params.${name}`)
  }

  setData(source: string, value: unknown): void {
    this.put('data', source, value)
  }

  openSheet(id: string | undefined): void {
    if (this.sheet === id) return
    this.sheet = id
    this.topics.wake('$sheet')
  }

  openedSheet(): string | undefined {
    return this.sheet
  }

  private put(root: 'state' | 'data', name: string, value: unknown): void {
    if (Object.is(this.roots[root][name], value)) return
    this.roots[root] = { ...this.roots[root], [name]: value }
    this.topics.wake(`${root}.${name}`)
  }
}

function withIn(base: unknown, path: readonly string[], value: unknown): Record<string, unknown> {
  const [first = '', ...rest] = path
  const from = typeof base === 'object' && base !== null ? (base as Record<string, unknown>) : {}
  return { ...from, [first]: rest.length ? withIn(from[first], rest, value) : value }
}
