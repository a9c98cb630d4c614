/** One step that can be taken back: texts before and after, by path; null where there is no file. */
export interface Step {
  before: Readonly<Record<string, string | null>>
  after: Readonly<Record<string, string | null>>
  /** Steps with the same word that follow each other closely become one. */
  together: string | undefined
  at: number
}
export interface History {
  done: readonly Step[]
  undone: readonly Step[]
}

export const noHistory: History = { done: [], undone: [] }
const stepsMax = 200
const joinMs = 1_500

/** Adds a step; what was undone is forgotten. */
export function withStep({ done }: History, step: Step): History {
  const last = done.at(-1)
  if (last && step.together !== undefined && last.together === step.together && step.at - last.at <= joinMs) {
    return {
      done: [...done.slice(0, -1), { ...step, before: { ...step.before, ...last.before }, after: { ...last.after, ...step.after } }],
      undone: [],
    }
  }
  return { done: [...done, step].slice(-stepsMax), undone: [] }
}

/** Takes the last step back. @returns the texts to put in place, undefined where there is none */
export function undone({ done, undone: later }: History): { history: History; texts: Step['before'] } | undefined {
  const last = done.at(-1)
  return last && { history: { done: done.slice(0, -1), undone: [...later, last] }, texts: last.before }
}
export function redone({ done, undone: later }: History): { history: History; texts: Step['after'] } | undefined {
  const next = later.at(-1)
  return next && { history: { done: [...done, { ...next, together: undefined }], undone: later.slice(0, -1) }, texts: next.after }
}
