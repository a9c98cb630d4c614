import type { Topics } from '#renderer/core/scope.ts'

/** The open form that an action belongs to. */
export interface OpenForm {
  /** Puts a problem below a field; false when the form has no such field. */
  problem(field: string, text: string): boolean
  /** @param chosen the customer's own choice; anything else that a document writes is no entry of theirs */
  set(path: string, value: unknown, chosen: boolean): void
  reset(): void
}

/** A form that stands in the screen: it answers the roots `form` and `formMeta` for what stands outside of it. */
export interface ScreenForm extends OpenForm {
  get(root: string): unknown
  field(name: string): unknown
  readonly names: readonly string[]
}

/** The forms of one screen, as one: for actions outside of a form, the first that has the field takes it. */
export class ScreenForms implements OpenForm {
  private forms: readonly ScreenForm[] = []
  private readonly nodes = new Map<ScreenForm, string>()
  private readonly topics: Topics

  constructor(topics: Topics) {
    this.topics = topics
  }

  all(): readonly ScreenForm[] {
    return this.forms
  }

  problem(name: string, text: string): boolean {
    return this.forms.some((form) => form.problem(name, text))
  }

  set(name: string, value: unknown, chosen: boolean): void {
    this.forms.find((form) => form.field(name))?.set(name, value, chosen)
  }

  reset(): void {
    for (const form of this.forms) form.reset()
  }

  /** Returns the form that a node shows. */
  of(node: string): ScreenForm | undefined {
    return this.forms.find((form) => this.nodes.get(form) === node)
  }

  /** @param node shows the form @returns takes the form out again */
  add(form: ScreenForm, node: string): () => void {
    const tell = () => {
      for (const name of form.names) this.topics.wake(`form.${name}`)
      this.topics.wake('formMeta')
    }
    this.forms = [...this.forms, form]
    this.nodes.set(form, node)
    tell()
    return () => {
      this.forms = this.forms.filter((one) => one !== form)
      this.nodes.delete(form)
      tell()
    }
  }

  /** One form answers for itself; of several, the first that has a name. */
  get(root: string): unknown {
    const [first, ...more] = this.forms.map((form) => form.get(root) as Record<string, unknown>)
    if (!first || more.length === 0) return first
    const all = [first, ...more]
    const whole = Object.assign({}, ...all.toReversed())
    if (root === 'form') return whole
    const fields = Object.assign({}, ...all.toReversed().map((meta) => meta.fields))
    return { valid: all.every((meta) => meta.valid), dirty: all.some((meta) => meta.dirty), fields }
  }
}

/** @param node shows the form @returns takes the form out again */
export function addForm(store: { readonly topics: Topics; form: ScreenForms | undefined }, form: ScreenForm, node: string): () => void {
  store.form ??= new ScreenForms(store.topics)
  return store.form.add(form, node)
}
