import { guard, type Scope } from '#language/expression/expression.ts'
import type { CompiledForm } from '#renderer/core/forms/form.ts'
import type { Say } from '#renderer/core/resolve.ts'

/** The state that a form's button is drawn from, with the sentence that counts its problems. */
interface ButtonShot {
  label: string
  enabled: boolean
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
  private readonly submit: CompiledForm['submit']
  private readonly scope: Scope
  private readonly say: Say
  private state = { busy: false, wrong: 0, ticksOnly: false, press: 0 }
  private shot: ButtonShot | undefined
  private readonly wakes = new Set<() => void>()
  private readonly problem: () => string | undefined

  /** @param problem what stops the form and has no field to stand on */
  constructor(submit: CompiledForm['submit'], scope: Scope, say: Say, problem: () => string | undefined) {
    this.problem = problem
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
    const { label, enable } = this.submit
    const gate = enable && guard(enable, this.scope)
    const enabled = gate === undefined || gate.open
    const problem = gate?.stopped ? this.say('problem.too_much_data') : this.state.press > 0 ? this.problem() : undefined
    return { label: String(label.evaluate(this.scope, this.say).value ?? ''), enabled, ...this.state, problem }
  }
}
