import { type LiveScope, Topics } from '#renderer/core/scope.ts'
import type { OpenForm } from '#renderer/io/perform.ts'

/** Roots that every screen sees: session, app, device, feed. The engine gives them; a screen only reads. */
export interface OuterScope extends LiveScope {}

const own = new Set(['params', 'state', 'data'])
const ofForms = new Set(['form', 'formMeta'])

/** A form that stands in the screen: it answers the roots `form` and `formMeta` for what stands outside of it. */
export interface ScreenForm extends OpenForm {
  get(root: string): unknown
  field(name: string): unknown
  readonly names: readonly string[]
}

/**
 * The values of one open screen. Writing wakes exactly the topic that was written; equal values wake nobody.
 */
export class ScreenStore implements LiveScope {
  readonly topics = new Topics()
  private readonly outer: OuterScope
  private readonly roots: { params: Record<string, unknown>; state: Record<string, unknown>; data: Record<string, unknown> }
  private sheet: string | undefined
  private forms: readonly ScreenForm[] = []
  /** For actions outside of a form: the first form that has the field takes it. */
  readonly form: OpenForm = {
    problem: (name, text) => this.forms.some((form) => form.problem(name, text)),
    set: (name, value) => this.forms.find((form) => form.field(name))?.set(name, value),
    reset: () => {
      for (const form of this.forms) form.reset()
    },
  }

  constructor(outer: OuterScope, params: Record<string, unknown>, state: Record<string, unknown>) {
    this.outer = outer
    this.roots = { params, state: { ...state }, data: {} }
  }

  get(root: string): unknown {
    if (ofForms.has(root)) return this.ofForms(root)
    return own.has(root) ? this.roots[root as keyof typeof this.roots] : this.outer.get(root)
  }

  subscribe(topic: string, wake: () => void): () => void {
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

  /** Changes one row of a loaded list in place of loading it again; other rows keep their identity. */
  patchRow(source: string, list: string, index: number, change: Record<string, unknown>): void {
    const value = this.roots.data[source] as Record<string, unknown[]> | undefined
    const rows = value?.[list]
    if (!value || !rows || index < 0 || index >= rows.length) return
    const next = rows.slice()
    next[index] = { ...(rows[index] as object), ...change }
    this.put('data', source, { ...value, [list]: next })
  }

  /** @returns takes the form out again */
  addForm(form: ScreenForm): () => void {
    const tell = () => {
      for (const name of form.names) this.topics.wake(`form.${name}`)
      this.topics.wake('formMeta')
    }
    this.forms = [...this.forms, form]
    tell()
    return () => {
      this.forms = this.forms.filter((one) => one !== form)
      tell()
    }
  }

  /** One form answers for itself; of several, the first that has a name. */
  private ofForms(root: string): unknown {
    const [first, ...more] = this.forms.map((form) => form.get(root) as Record<string, unknown>)
    if (!first || more.length === 0) return first
    const all = [first, ...more]
    const whole = Object.assign({}, ...all.toReversed())
    if (root === 'form') return whole
    const fields = Object.assign({}, ...all.toReversed().map((meta) => meta.fields))
    return { valid: all.every((meta) => meta.valid), dirty: all.some((meta) => meta.dirty), fields }
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
