import type { Scope } from '#language/expression/expression.ts'
import type { FormMeta } from '#language/expression/operator.ts'
import type { CompiledForm } from '#renderer/core/forms/form.ts'
import type { JudgeScope } from '#renderer/core/forms/form-judge.ts'
import { type Say, same } from '#renderer/core/resolve.ts'
import { drawnOf, isComputed, type LiveScope, subscribeComputed, Topics, topicOf } from '#renderer/core/scope.ts'
import type { DraftFields, Drafts } from '#renderer/forms/drafts.ts'
import { FormButton } from '#renderer/forms/form-button.ts'
import { FormField } from '#renderer/forms/form-field.ts'
import type { ScreenForm } from '#renderer/forms/store-forms.ts'

/** The controls on the page, as the form needs them. */
export interface FormControls {
  write(name: string, raw: unknown): void
  focus(name: string): void
  /** Whether the focus is in the field. */
  isIn(name: string): boolean
}

interface FormWorld {
  /** The screen around the form. */
  outer: LiveScope
  say: Say
  /** Writes the figures of a message as the language does. */
  amount: JudgeScope['amount']
  drafts: Drafts | undefined
  /** Returns the key of the draft; null: it is kept nowhere, because the account is not known yet. */
  draftKey: () => string | null
  /** Told when the form begins or ceases to hold what has not been sent. */
  onDirty: (dirty: boolean) => void
  /** Wakes what stands outside of the form: `form.<field>` or `formMeta`. */
  wakeOutside: (topic: string) => void
}

/**
 * One open form: values, judgements and what everything looks like, without any view. A change wakes its own field and those that are
 * declared to read it, nobody else.
 */
export class LiveForm<View = unknown> implements LiveScope, ScreenForm {
  readonly form: CompiledForm<View>
  readonly say: Say
  readonly fields: readonly FormField<View>[]
  private readonly byName: ReadonlyMap<string, FormField<View>>
  private readonly world: FormWorld
  private readonly topics = new Topics()
  private draftKey: string | null
  private controls: FormControls | undefined
  /** Defaults that wait for data. */
  private awaited = new Set<FormField<View>>()
  /** Fields that are being written because they follow each other. */
  private readonly chain = new Set<FormField<View>>()
  private values: Record<string, unknown> | undefined
  /** Values of the fields that show. */
  private shownValues: Record<string, unknown> | undefined
  private meta: FormMeta | undefined
  private dirtyNow = false
  readonly button: FormButton

  /** @param before another revision of this form: what was entered stays where name and type stayed */
  constructor(form: CompiledForm<View>, world: FormWorld, before?: LiveForm<View>) {
    this.form = form
    this.world = world
    this.say = world.say
    this.button = new FormButton(form.submit, this, world.say, () => this.hiddenProblem())
    this.fields = form.fields.map((field) => new FormField(field, this))
    this.byName = new Map(this.fields.map((one) => [one.field.name, one]))
    this.draftKey = world.draftKey()
    const draft = this.draft()
    for (const one of this.fields) {
      const { name, type, kept } = one.field
      one.initial = one.raw = this.defaultOf(one)
      const old = before?.byName.get(name)
      if (old?.field.type === type && old.dirty) one.raw = old.raw
      else if (kept && Object.hasOwn(draft, name) && draft[name]?.[0] === type) one.raw = draft[name][1]
      if (one.dirty || (old && !old.following)) one.following = false
    }
    for (const one of this.fields) {
      const followed = this.followed(one)
      if (followed !== undefined) one.initial = one.raw = followed
    }
    this.values = undefined
    this.dirtyNow = this.fields.some((one) => one.dirty)
  }

  private draft(): DraftFields {
    return this.draftKey === null ? {} : (this.world.drafts?.read(this.draftKey) ?? {})
  }

  /** Fills in the draft of an account that is known only now, after a login. Entries that were typed meanwhile stay. */
  private adopt(): void {
    if (this.draftKey !== null) return
    this.draftKey = this.world.draftKey()
    const draft = this.draft()
    for (const one of this.fields) {
      const { name, type, kept } = one.field
      if (kept && !one.dirty && Object.hasOwn(draft, name) && draft[name]?.[0] === type) this.write(one, draft[name][1])
    }
    this.keep()
  }

  // ---- scope

  get(root: string): unknown {
    if (root === 'form') return (this.values ??= Object.fromEntries(this.fields.map((one) => [one.field.name, one.value()])))
    if (root === 'formMeta') return (this.meta ??= this.readMeta())
    return this.world.outer.get(root)
  }

  get drawn(): Scope {
    const outer = drawnOf(this.world.outer)
    return outer === this.world.outer
      ? this
      : { get: (root) => (root === 'form' || root === 'formMeta' ? this.get(root) : outer.get(root)) }
  }

  /** The scope that judgements and the steps of sending read: a field that does not show is absent. */
  readonly judging: JudgeScope = {
    get: (root) => (root === 'form' ? (this.shownValues ??= this.readShown()) : this.get(root)),
    awaits: (name) => this.byName.get(name)?.awaited() ?? false,
    amount: (text) => this.world.amount(text),
  }

  private readShown(): Record<string, unknown> {
    return Object.fromEntries(this.fields.flatMap((one) => (one.shown() ? [[one.field.name, one.value()]] : [])))
  }

  subscribe(topic: string, wake: () => void): () => void {
    if (isComputed(topic)) return subscribeComputed(this, topic, wake)
    return topic === 'form' || topic === 'formMeta' || topic.startsWith('form.')
      ? this.topics.subscribe(topic, wake)
      : this.world.outer.subscribe(topic, wake)
  }

  get names(): readonly string[] {
    return [...this.byName.keys()]
  }

  field(name: string): FormField<View> | undefined {
    return this.byName.get(name)
  }

  // ---- life

  /** Listens to what stands around the form, until the answer is called. */
  start(controls: FormControls): () => void {
    this.controls = controls
    const topics = new Set([
      'session.language',
      'session.uid',
      ...this.form.draws.keys(),
      ...this.form.judges.keys(),
      ...this.form.follows.keys(),
      ...this.form.submit.topics,
    ])
    for (const one of this.awaited) for (const dep of one.field.default?.deps ?? []) topics.add(topicOf(dep))
    const offs = [...topics]
      .filter((topic) => topic !== 'form' && topic !== 'formMeta' && !topic.startsWith('form.'))
      .map((topic) => this.subscribe(topic, () => this.around(topic)))
    if (this.dirtyNow) this.world.onDirty(true)
    this.around('')
    return () => {
      for (const off of offs) off()
      this.controls = undefined
      if (this.dirtyNow) this.world.onDirty(false)
    }
  }

  /** Something outside has changed. */
  private around(topic: string): void {
    this.shownValues = undefined
    if (topic === 'session.uid') this.adopt()
    for (const field of this.form.follows.get(topic) ?? []) this.follow(this.byName.get(field.name))
    if (topic === '') for (const one of this.fields) this.follow(one)
    for (const one of this.awaited) {
      const value = this.defaultOf(one)
      if (this.awaited.has(one)) continue
      const untouched = !one.dirty
      one.initial = value
      if (untouched) this.write(one, value)
    }
    if (topic === 'session.language' || topic === '') {
      for (const one of this.fields) {
        one.doubt()
        one.refresh()
      }
    } else this.wakeFields(topic)
    this.metaChanged()
  }

  private wakeFields(topic: string, except?: FormField<View>): void {
    for (const field of this.form.judges.get(topic) ?? []) if (field !== except?.field) this.byName.get(field.name)?.doubt()
    for (const field of this.form.draws.get(topic) ?? []) this.byName.get(field.name)?.refresh()
  }

  private defaultOf(one: FormField<View>): unknown {
    if (!one.field.default) return rawOf(one, undefined)
    const { value, missing } = one.field.default.evaluate(this.world.outer, this.say)
    if (missing.length > 0) this.awaited.add(one)
    else this.awaited.delete(one)
    return rawOf(one, value)
  }

  /** Gives a field that nobody has touched the value that it follows. One that has the focus keeps still until it is left. */
  private follow(one: FormField<View> | undefined): void {
    if (!one || this.chain.has(one) || this.controls?.isIn(one.field.name)) return
    const raw = this.followed(one)
    if (raw === undefined) return
    one.initial = raw
    this.chain.add(one)
    this.write(one, raw)
    this.chain.delete(one)
  }

  /** The value that a field follows now; undefined for one that follows none, and while there is none. */
  private followed(one: FormField<View>): unknown {
    const { follows } = one.field
    if (!one.following || !follows) return undefined
    const { value, missing, stopped } = follows.value.evaluate(this, this.say)
    return missing.length > 0 || stopped !== undefined ? undefined : rawOf(one, value)
  }

  // ---- entries

  /** Takes the new entry of a control. */
  typed(name: string, raw: unknown): void {
    const one = this.byName.get(name)
    if (!one || same(one.raw, raw)) return
    one.following = false
    one.changed(raw, true)
    this.after(one)
  }

  /** A control was left. */
  left(name: string): void {
    const one = this.byName.get(name)
    if (!one) return
    if (one.field.follows?.again && one.value() === null) one.following = true
    if (!one.judged && one.dirty) one.show()
    // The control still has the focus.
    if (one.following) queueMicrotask(() => this.follow(one))
  }

  /** OpenForm: a `set` step writes `form.<name>`. Nothing lets the field follow again. */
  set(path: string, value: unknown, chosen: boolean): void {
    const one = this.byName.get(path)
    if (!one) return
    const isNothing = value === null || value === undefined
    if (one.field.follows) one.following = isNothing || (one.following && !chosen)
    const raw = rawOf(one, value)
    // An entry of the customer that was there stays one; anything else that a document writes is none.
    if (!chosen && !one.dirty) one.initial = raw
    this.write(one, raw)
    this.follow(one)
  }

  private write(one: FormField<View>, raw: unknown): void {
    if (same(one.raw, raw)) return
    one.changed(raw, false)
    this.controls?.write(one.field.name, raw)
    this.after(one)
  }

  private after(one: FormField<View>): void {
    const topic = `form.${one.field.name}`
    this.values = undefined
    this.shownValues = undefined
    this.wakeFields(topic, one)
    for (const field of this.form.follows.get(topic) ?? []) if (field !== one.field) this.follow(this.byName.get(field.name))
    this.topics.wake(topic)
    this.world.wakeOutside(topic)
    this.metaChanged()
    this.keep()
  }

  /** Validity or dirtiness may be another. */
  metaChanged(): void {
    this.meta = undefined
    this.shownValues = undefined
    this.wakeFields('formMeta')
    this.topics.wake('formMeta')
    this.world.wakeOutside('formMeta')
    this.button.refresh()
  }

  private keep(): void {
    const { draftKey } = this
    const { drafts, onDirty } = this.world
    const dirty = this.fields.filter((one) => one.dirty)
    if (dirty.length > 0 !== this.dirtyNow) onDirty((this.dirtyNow = dirty.length > 0))
    if (!drafts || draftKey === null) return
    drafts.write(
      draftKey,
      Object.fromEntries(dirty.flatMap(({ field, raw }) => (field.kept ? [[field.name, [field.type, raw] as const]] : []))),
    )
  }

  private readMeta(): FormMeta {
    const fields = Object.fromEntries(this.fields.map((one) => [one.field.name, { valid: !one.stops(), dirty: one.dirty }]))
    return { valid: this.fields.every((one) => !one.stops()), dirty: this.fields.some((one) => one.dirty), fields }
  }

  // ---- sending

  /** OpenForm: puts a problem below a field, and the focus there. False when the form has no such field, or it does not show. */
  problem(name: string, text: string): boolean {
    const one = this.byName.get(name)
    if (!one?.shown()) return false
    one.tell(text)
    this.button.pressed(1)
    this.metaChanged()
    this.controls?.focus(name)
    return true
  }

  /** Why the form stays closed although every field that shows is right: what a rule says whose own field does not show. */
  private hiddenProblem(): string | undefined {
    return this.fields.find((one) => !one.shown() && one.stops())?.finding()?.text
  }

  /** Judges everything anew and shows what is wrong. @returns the fields that stop the form, in order; those that show before others */
  check(): readonly FormField<View>[] {
    this.shownValues = undefined
    for (const one of this.fields) {
      one.tell(undefined)
      one.doubt()
      one.show()
    }
    const stopping = this.fields.filter((one) => one.stops())
    const wrong = stopping.filter((one) => one.shown())
    this.button.pressed(
      wrong.length,
      wrong.every((one) => one.finding()?.level === 'warn'),
    )
    this.metaChanged()
    return wrong.length > 0 ? wrong : stopping
  }

  /** The form is sent: fields that show; the others are not there at all. Steps read it as `form`. */
  sending(): LiveScope {
    for (const one of this.fields) one.leave()
    return { get: (root) => (root === 'form' ? this.readShown() : this.get(root)), subscribe: (topic, wake) => this.subscribe(topic, wake) }
  }

  /** The server has accepted the entries that were sent. Entries that were typed meanwhile are still unsent. */
  sent(): void {
    for (const one of this.fields) one.arrive()
    this.keep()
    this.metaChanged()
  }

  /** OpenForm: back to what the form started with. */
  reset(): void {
    for (const one of this.fields) {
      const initial = this.defaultOf(one)
      one.restart(initial, initial)
      this.controls?.write(one.field.name, initial)
    }
    this.values = undefined
    this.shownValues = undefined
    for (const one of this.fields) {
      one.refresh()
      this.topics.wake(`form.${one.field.name}`)
      this.world.wakeOutside(`form.${one.field.name}`)
    }
    for (const one of this.fields) this.follow(one)
    this.keep()
    this.metaChanged()
  }
}

const noItems: readonly never[] = []

/** The content of a control with a value of a document. */
function rawOf({ field: { type } }: FormField<unknown>, value: unknown): unknown {
  if (value === undefined || value === null) return type === 'boolean' ? false : type === 'list' ? noItems : ''
  return typeof value === 'number' ? String(value) : value
}
