import type { NamedValues, Scope } from '#language/expression/expression.ts'
import { namedValues } from '#language/expression/named.ts'
import type { FormMeta } from '#language/expression/operator.ts'
import type { CompiledForm, CompiledPage } from '#renderer/core/forms/form.ts'
import type { JudgeScope } from '#renderer/core/forms/form-judge.ts'
import { type Say, same } from '#renderer/core/resolve.ts'
import { drawnOf, isComputed, type LiveScope, subscribeComputed, Topics, topicOf } from '#renderer/core/scope.ts'
import type { DraftFields } from '#renderer/forms/drafts.ts'
import { FormButton } from '#renderer/forms/form-button.ts'
import { type FieldHome, FormField } from '#renderer/forms/form-field.ts'
import { FormPages } from '#renderer/forms/form-pages.ts'
import { FormValues } from '#renderer/forms/form-values.ts'
import type { FormControls, FormWorld } from '#renderer/forms/form-world.ts'
import type { ScreenForm } from '#renderer/forms/store-forms.ts'

/**
 * One open form: values, judgements and what everything looks like, without any view. A change wakes its own field and those that are
 * declared to read it, nobody else.
 */
export class LiveForm<View = unknown> implements FieldHome, ScreenForm {
  readonly form: CompiledForm<View>
  readonly say: Say
  readonly fields: readonly FormField<View>[]
  readonly entries = new FormValues()
  /** Present for a form in several pages. */
  readonly pages: FormPages | undefined
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
  private readonly named: NamedValues
  readonly button: FormButton

  /** @param before another revision of this form: what was entered stays where name and type stayed */
  constructor(form: CompiledForm<View>, world: FormWorld, before?: LiveForm<View>) {
    this.form = form
    this.world = world
    this.say = world.say
    this.named = namedValues(form.values)
    const choices = () => this.byName.get(form.submit.by ?? '')?.options() ?? []
    this.button = new FormButton(form.submit, this, world.say, () => this.hiddenProblem(), choices)
    this.fields = form.fields.map((field) =>
      field.cells.length > 0 && world.RowsField ? new world.RowsField(field, this) : new FormField(field, this),
    )
    this.pages = form.pages.length > 0 ? new FormPages(form.pages, this) : undefined
    this.byName = new Map(this.fields.map((one) => [one.field.name, one]))
    this.draftKey = world.draftKey()
    const draft = this.draft()
    const start: Record<string, unknown> = {}
    for (const one of this.fields) {
      const { name, type, kept } = one.field
      const old = before?.byName.get(name)
      const isDrafted = kept && Object.hasOwn(draft, name) && draft[name]?.[0] === type
      one.initial = this.defaultOf(one)
      start[name] = old?.field.type === type && old.dirty ? old.raw : isDrafted ? one.rawOf(draft[name]?.[1]) : one.initial
      if (!same(start[name], one.initial) || (old && !old.following)) one.following = false
    }
    this.entries.begin(start)
    for (const one of this.fields) {
      const followed = this.followed(one)
      if (followed === undefined) continue
      one.initial = followed
      this.entries.write(one.path, followed)
    }
    this.values = undefined
    this.turnTo(before?.pages?.getSnapshot().page.id ?? draft[pageName]?.[1])
    this.dirtyNow = this.fields.some((one) => one.dirty)
  }

  /** Turns to the page to which the customer had come, or to one before it that is not done. */
  private turnTo(id: unknown): void {
    const isDone = (page: CompiledPage) => !this.fields.some((one) => one.field.page === page && one.stops() && !one.finding()?.unjudged)
    this.pages?.begin(typeof id === 'string' ? id : undefined, isDone)
  }

  /** The scope of defaults: the screen, and the form's named values. */
  private readonly opening: Scope = { get: (root) => (root === 'values' ? this.named : this.world.outer.get(root)) }

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
      if (kept && !one.dirty && Object.hasOwn(draft, name) && draft[name]?.[0] === type) this.write(one, one.rawOf(draft[name][1]))
    }
    this.turnTo(draft[pageName]?.[1])
    this.keep()
  }

  // ---- scope

  get(root: string): unknown {
    if (root === 'form') return (this.values ??= Object.fromEntries(this.fields.map((one) => [one.field.name, one.value()])))
    if (root === 'formMeta') return (this.meta ??= this.readMeta())
    if (root === 'values') return this.named
    return this.world.outer.get(root)
  }

  get drawn(): Scope {
    const outer = drawnOf(this.world.outer)
    return outer === this.world.outer
      ? this
      : { get: (root) => (root === 'form' || root === 'formMeta' || root === 'values' ? this.get(root) : outer.get(root)) }
  }

  /** The scope that judgements and the steps of sending read: a field that does not show is absent. */
  readonly judging: JudgeScope = {
    get: (root) => (root === 'form' ? (this.shownValues ??= this.readShown()) : this.get(root)),
    awaits: (name) => this.byName.get(name)?.awaited() ?? false,
    amount: (text) => this.world.amount(text),
  }

  private readShown(): Record<string, unknown> {
    return Object.fromEntries(this.fields.flatMap((one) => (one.shown() ? [[one.field.name, one.shownValue()]] : [])))
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

  entry(name: string): unknown {
    return this.entries.read(name)
  }
  pathOf(name: string): string {
    return name
  }
  idOf(name: string): string {
    return name
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
    if (!one.field.default) return one.rawOf(undefined)
    const { value, missing } = one.field.default.evaluate(this.opening, this.say)
    if (missing.length > 0) this.awaited.add(one)
    else this.awaited.delete(one)
    return one.rawOf(value)
  }

  /** Gives a field that nobody has touched the value that it follows. One that has the focus keeps still until it is left. */
  private follow(one: FormField<View> | undefined): void {
    if (!one || this.chain.has(one) || this.controls?.isIn(one)) return
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
    return missing.length > 0 || stopped !== undefined ? undefined : one.rawOf(value)
  }

  // ---- entries

  /** A control has written its entry. @param before the one that it replaces */
  typed(one: FormField<View>, before: unknown): void {
    if (same(one.raw, before)) return
    one.following = false
    one.changed(before, true)
    one.form.after(one)
  }

  /** A control was left. */
  left(one: FormField<View>): void {
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
    const raw = one.rawOf(value)
    // An entry of the customer that was there stays one; anything else that a document writes is none.
    if (!chosen && !one.dirty) one.initial = raw
    this.write(one, raw)
    this.follow(one)
  }

  private write(one: FormField<View>, raw: unknown): void {
    const before = one.raw
    if (same(before, raw)) return
    this.entries.write(one.path, raw)
    this.controls?.fillIn(one)
    one.changed(before, false)
    this.after(one)
  }

  after(one: FormField<View>): void {
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
    this.pages?.refresh()
    this.wakeFields('formMeta')
    this.topics.wake('formMeta')
    this.world.wakeOutside('formMeta')
    this.button.refresh()
  }

  keep(): void {
    const { draftKey } = this
    const { drafts, onDirty } = this.world
    const dirty = this.fields.filter((one) => one.dirty)
    if (dirty.length > 0 !== this.dirtyNow) onDirty((this.dirtyNow = dirty.length > 0))
    if (!drafts || draftKey === null) return
    const kept = dirty.flatMap(({ field, raw }) => (field.kept ? [[field.name, [field.type, raw] as const] as const] : []))
    const { id } = this.pages?.getSnapshot().page ?? {}
    const page = id !== undefined && kept.length > 0 ? [[pageName, ['page', id] as const] as const] : []
    drafts.write(draftKey, Object.fromEntries([...kept, ...page]))
  }

  private readMeta(): FormMeta {
    const fields = Object.fromEntries(this.fields.map((one) => [one.field.name, { valid: !one.stops(), dirty: one.dirty }]))
    return { valid: this.fields.every((one) => !one.stops()), dirty: this.fields.some((one) => one.dirty), fields }
  }

  // ---- sending

  /** OpenForm: puts a problem below a field, and the focus there. False when the form has no such field, or it does not show. */
  problem(name: string, text: string): boolean {
    const [, own = '', row, cell] = /^([^.[]+)(?:[.[](\d+)\]?(?:\.(.+))?)?$/.exec(name) ?? []
    const one = this.byName.get(own)
    if (!one?.shown()) return false
    const part = one.part(row === undefined ? undefined : Number(row), cell) ?? one
    part.tell(text)
    this.pages?.show(part.field.page, true)
    this.button.pressed(1)
    this.metaChanged()
    this.controls?.focus(part)
    return true
  }

  /** Why the form stays closed although every field that shows is right: what a rule says whose own field does not show. */
  private hiddenProblem(): string | undefined {
    return this.fields.find((one) => !one.shown() && one.stops())?.finding()?.text
  }

  /**
   * Judges everything anew and shows what is wrong.
   * @param page judges its fields alone
   * @returns the fields that stop the form, in order; those that show before others
   */
  check(page?: CompiledPage): readonly FormField<View>[] {
    this.shownValues = undefined
    const fields = page ? this.fields.filter(({ field }) => field.page === page) : this.fields
    for (const one of fields) {
      one.tell(undefined)
      one.doubt()
      one.show()
    }
    const stopping = fields.flatMap((one) => one.wrong())
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
    this.turnTo(undefined)
    this.keep()
    this.metaChanged()
  }

  /** OpenForm: back to what the form started with. */
  reset(): void {
    for (const one of this.fields) {
      const before = one.raw
      const initial = this.defaultOf(one)
      this.entries.write(one.path, initial)
      this.controls?.fillIn(one)
      one.restart(before, initial)
    }
    this.values = undefined
    this.shownValues = undefined
    for (const one of this.fields) {
      one.refresh()
      this.topics.wake(`form.${one.field.name}`)
      this.world.wakeOutside(`form.${one.field.name}`)
    }
    for (const one of this.fields) this.follow(one)
    this.turnTo(undefined)
    this.keep()
    this.metaChanged()
  }
}

/** The page among the fields of a draft; no field has such a name. */
const pageName = '#page'
