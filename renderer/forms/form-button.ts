import { guard, type Scope } from '#language/expression/expression.ts'
import type { CompiledSubmit } from '#renderer/core/forms/form.ts'
import type { Say } from '#renderer/core/resolve.ts'
import { overlay } from '#renderer/core/scope.ts'

/** One of several buttons: it chooses an option of the field that decides, and sends. */
export interface ButtonChoice {
  /** Id of the option. */
  id: string
  label: string
  enabled: boolean
}

/** The state that a form's button is drawn from, with the sentence that counts its problems. */
interface ButtonShot {
  label: string
  enabled: boolean
  /** The buttons of a form that has one for each option of a field; undefined where it has one button. */
  choices: readonly ButtonChoice[] | undefined
  busy: boolean
  /** How many fields stopped the last press, and whether all of them only want a tick; `press` distinguishes one press from the next. */
  wrong: number
  ticksOnly: boolean
  press: number
  /** The problem that stops the form and belongs to no field, once the form was pressed. */
  problem: string | undefined
}

/** The button that sends a form. */
export class FormButton {
  private readonly submit: CompiledSubmit
  private readonly scope: Scope
  private readonly say: Say
  private state = { busy: false, wrong: 0, ticksOnly: false, press: 0 }
  private shot: ButtonShot | undefined
  private readonly wakes = new Set<() => void>()
  private readonly problem: () => string | undefined

  private readonly options: () => readonly string[]

  /**
   * @param problem what stops the form and has no field to stand on
   * @param options ids of the options of the field that has a button for each; none where the form has one button
   */
  constructor(submit: CompiledSubmit, scope: Scope, say: Say, problem: () => string | undefined, options: () => readonly string[]) {
    this.problem = problem
    this.options = options
    this.submit = submit
    this.scope = scope
    this.say = say
  }

  get busy(): boolean {
    return this.state.busy
  }

  setBusy(busy: boolean): void {
    this.state = { ...this.state, busy }
    this.refresh()
  }

  /** A press found so many fields wrong. */
  pressed(wrong: number, ticksOnly = false): void {
    this.state = { ...this.state, wrong, ticksOnly, press: this.state.press + 1 }
    this.refresh()
  }

  readonly getSnapshot = (): ButtonShot => (this.shot ??= this.look())

  readonly subscribe = (wake: () => void): (() => void) => {
    this.wakes.add(wake)
    return () => this.wakes.delete(wake)
  }

  refresh(): void {
    const before = this.shot
    if (!before) return
    const now = this.look()
    if (Object.entries(now).every(([name, value]) => Object.is(value, before[name as keyof ButtonShot]))) return
    this.shot = now
    for (const wake of this.wakes) wake()
  }

  private look(): ButtonShot {
    const { by } = this.submit
    const { label, enabled, stopped } = this.face(this.scope)
    const problem = stopped ? this.say('problem.too_much_data') : this.state.press > 0 ? this.problem() : undefined
    return { label, enabled, choices: by === undefined ? undefined : this.choices(by), ...this.state, problem }
  }

  /** Label and gate of a button, as `scope` sees them. */
  private face(scope: Scope): { label: string; enabled: boolean; stopped: boolean } {
    const { label, enable } = this.submit
    const gate = enable && guard(enable, scope)
    return {
      label: String(label.evaluate(scope, this.say).value ?? ''),
      enabled: gate === undefined || gate.open,
      stopped: gate?.stopped !== undefined,
    }
  }

  /** One button for each option of the field; the same list while nothing of it has changed. */
  private choices(by: string): readonly ButtonChoice[] {
    const form = this.scope.get('form') as Readonly<Record<string, unknown>>
    const now = this.options().map((id): ButtonChoice => {
      const { label, enabled } = this.face(overlay(this.scope, { form: { ...form, [by]: id } }))
      return { id, label, enabled }
    })
    const before = this.shot?.choices
    return before && JSON.stringify(before) === JSON.stringify(now) ? before : now
  }
}
