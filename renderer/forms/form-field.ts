import { entryValue } from '#language/documents/field-values.ts'
import { guard, type Scope } from '#language/expression/expression.ts'
import type { StopReason } from '#language/expression/run.ts'
import type { CompiledField } from '#renderer/core/forms/form.ts'
import {
  FieldJudge,
  type Finding,
  isEmptyFor,
  type JudgeScope,
  requiredNow,
  shownNow,
  stoppedShow,
  type Verdict,
} from '#renderer/core/forms/form-judge.ts'
import { given } from '#renderer/core/parts.ts'
import { type Say, same } from '#renderer/core/resolve.ts'
import { drawnOf, type LiveScope } from '#renderer/core/scope.ts'

/** The form that a field belongs to, or its row. */
export interface FieldHome extends LiveScope {
  readonly say: Say
  /** The scope that judgements read. */
  readonly judging: JudgeScope
  /** Validity or dirtiness may be another. */
  metaChanged(): void
  /** The entry of a field. */
  entry(name: string): unknown
  /** The path of a field among the entries: `price`, or `exits.0.price`. */
  pathOf(name: string): string
  /** The end of the id of its control, which stays when rows move. */
  idOf(name: string): string
  /** The entry of a field is another one. */
  after(field: FormField<unknown>): void
}

const noItems: readonly never[] = []

/** The state that a field is drawn from. A new object only when something to draw changed. */
interface FieldShot {
  shown: boolean
  label: string
  hint: string | undefined
  required: boolean
  enabled: boolean
  problem: Finding | undefined
  /** The warning is ticked. */
  accepted: boolean
  /** An action that its widget started is running. */
  busy: boolean
  props: Readonly<Record<string, unknown>>
  /** Some of what is drawn answers other arguments than the present ones. */
  stale: boolean
  /** Grows when the value was changed by something else than its native control. */
  written: number
  /** A limit of expressions ended the evaluation of its condition, its words or a prop: the error state is drawn. */
  stopped: StopReason | undefined
}

const say = (value: unknown) => (value === undefined || value === null ? '' : String(value))

/** One field of an open form: its value, what is wrong with it, and what it looks like. */
export class FormField<View = unknown> {
  readonly field: CompiledField<View>
  readonly form: FieldHome
  /** The value of its control before anything was entered. */
  initial: unknown
  /** Follows the value that its document names: the customer has entered nothing. */
  following: boolean
  /** Left once, or sent once: from here on its problem shows. */
  judged = false
  private readonly judge: FieldJudge
  private verdict: { is: Verdict } | undefined
  /** The server's message about this very entry. */
  private said: string | undefined
  /** The value at the time when the form was sent, once another entry was typed since. */
  private sent: { raw: unknown } | undefined
  private ticked: string | undefined
  private written = 0
  private busy = false
  private shot: FieldShot | undefined
  private wake: (() => void) | undefined

  constructor(field: CompiledField<View>, form: FieldHome) {
    this.field = field
    this.form = form
    this.following = field.follows !== undefined
    this.judge = new FieldJudge(field)
  }

  /** The value of its control. */
  get raw(): unknown {
    return this.form.entry(this.field.name)
  }

  get path(): string {
    return this.form.pathOf(this.field.name)
  }

  get dirty(): boolean {
    return !same(this.raw, this.initial)
  }

  /** The content of its control for a value of a document. */
  rawOf(value: unknown): unknown {
    const { type } = this.field
    if (value === undefined || value === null) return type === 'boolean' ? false : type === 'list' ? noItems : ''
    return typeof value === 'number' ? String(value) : value
  }

  /** The field that a server means by the row and the name behind its own. */
  part(_row: number | undefined, _name: string | undefined): FormField<View> | undefined {
    return this
  }

  /** The fields of it that stop the form. */
  wrong(): readonly FormField<View>[] {
    return this.stops() ? [this] : []
  }

  /** The value that rules, expressions and calls read. */
  value(): unknown {
    const { type, bounds } = this.field
    return entryValue(type, this.raw, type === 'enum' ? bounds.options?.read(this.form, this.form.say, ignore) : undefined)
  }

  /** The same without what does not show. */
  shownValue(): unknown {
    return this.value()
  }

  /** Ids of its options now. */
  options(): readonly string[] {
    const all = this.field.bounds.options?.read(this.form, this.form.say, ignore)
    return Array.isArray(all) ? all.flatMap((one: { id?: unknown } | null) => (typeof one?.id === 'string' ? [one.id] : [])) : []
  }

  shown(): boolean {
    return shownNow(this.field, this.form)
  }

  /** Judges once until something that it reads has changed. Of a field that does not show, only rules of the form are judged. */
  finding(): Verdict {
    const { judging, say } = this.form
    this.verdict ??= { is: this.shown() ? this.judge.judge(this.value(), judging, say) : this.judge.judgeHidden(judging, say) }
    return this.verdict.is
  }

  /** True while it shows, is required and is empty. */
  awaited(): boolean {
    const { judging } = this.form
    return this.shown() && requiredNow(this.field, judging) && isEmptyFor(this.field, this.value(), judging)
  }

  /** Returns whether the field stops the form from being sent: an error, or a warning without its tick. */
  stops(): boolean {
    const found = this.finding()
    return this.said !== undefined || found?.level === 'error' || (found?.level === 'warn' && this.ticked !== found.text)
  }

  /** Something that the judgement reads has changed. */
  doubt(): void {
    this.verdict = undefined
    if (this.judged) this.refresh()
  }

  /**
   * The entry is another.
   * @param before the entry that it replaces
   * @param fromControl it shows there already
   */
  changed(before: unknown, fromControl: boolean): void {
    this.sent = fromControl ? (this.sent ?? { raw: before }) : undefined
    this.verdict = undefined
    this.said = undefined
    this.ticked = undefined
    if (!fromControl) {
      this.written++
      // Nobody has left it empty.
      if (this.raw === '') this.judged = false
    }
    if (this.judged || !fromControl) this.refresh()
  }

  /** Back to an entry that nobody has judged yet. */
  restart(before: unknown, initial: unknown): void {
    this.initial = initial
    this.following = this.field.follows !== undefined
    this.judged = false
    this.changed(before, false)
  }

  /** The form is on its way. Entries that are typed from now on are not part of it. */
  leave(): void {
    this.sent = undefined
  }

  /** The form has been taken: what it held is not unsent any more. */
  arrive(): void {
    if (this.sent) this.initial = this.sent.raw
    else {
      this.initial = this.raw
      this.judged = false
    }
    this.refresh()
  }

  /** From here on its problem shows. */
  show(): void {
    this.judged = true
    this.refresh()
  }

  /** Puts the server's answer below the field, until the entry changes. */
  tell(text: string | undefined): void {
    if (this.said === text) return
    this.said = text
    this.judged = true
    this.refresh()
  }

  tick(yes: boolean): void {
    this.ticked = yes ? this.finding()?.text : undefined
    this.refresh()
    this.form.metaChanged()
  }

  setBusy(busy: boolean): void {
    this.busy = busy
    this.refresh()
  }

  /** @param wake called after each change of its looks; who has drawn an older one compares */
  subscribe(wake: () => void): () => void {
    this.wake = wake
    return () => {
      if (this.wake === wake) this.wake = undefined
    }
  }

  getSnapshot(): FieldShot {
    return (this.shot ??= this.look())
  }

  refresh(): void {
    const before = this.shot
    if (!before) return
    const now = this.look(before)
    if (alike(before, now)) return
    this.shot = now
    this.wake?.()
  }

  private look(before?: FieldShot): FieldShot {
    const { field, form } = this
    const scope: Scope = form
    const words: Say = form.say
    const shown = this.shown()
    // A field that does not show keeps its looks; nobody sees them.
    if (!shown && before) return before.shown ? { ...before, shown } : before
    const drawn = drawnOf(form)
    let stopped: FieldShot['stopped'] = stoppedShow(field, form)
    const stop = (reason: StopReason) => {
      stopped = reason
    }
    let props = field.fixed
    if (field.moving.length) {
      const next: Record<string, unknown> = { ...field.fixed }
      for (const [name, value, part] of field.moving) next[name] = given(value.read(drawn, words, stop), part)
      props = before && same(before.props, next) ? before.props : next
    }
    const problem =
      this.said !== undefined ? ({ level: 'error', text: this.said } as const) : this.judged && shown ? this.finding() : undefined
    return {
      shown,
      label: say(field.label.read(drawn, words, stop)),
      hint: field.hint && (say(field.hint.read(drawn, words, stop)) || undefined),
      required: requiredNow(field, form.judging),
      enabled: field.enable === undefined || guard(field.enable, scope).open,
      problem:
        problem && before?.problem && problem.level === before.problem.level && problem.text === before.problem.text
          ? before.problem
          : problem,
      accepted: problem?.level === 'warn' && this.ticked === problem.text,
      busy: this.busy,
      props,
      stale: drawn !== form && this.drawsOld(drawn),
      written: this.written,
      stopped,
    }
  }

  /** True when a word or a prop is drawn from data that nothing else reads. */
  private drawsOld(drawn: Scope): boolean {
    const { label, hint, moving } = this.field
    const values = [label, ...(hint ? [hint] : []), ...moving.map(([, value]) => value)]
    return values.some((value) => !same(value.read(drawn, this.form.say, ignore), value.read(this.form, this.form.say, ignore)))
  }
}

/** For readings whose stop is shown where the field is drawn, and stops the form in its judgement. */
const ignore = () => undefined

function alike(a: FieldShot, b: FieldShot): boolean {
  if (a === b) return true
  for (const name in a) if (!Object.is(a[name as keyof FieldShot], b[name as keyof FieldShot])) return false
  return true
}
