import type { ScreenDoc, Step } from '#language/documents/documents.ts'
import { readsOf } from '#language/lint/circles.ts'
import { expressionsIn, operationsIn } from '#language/lint/trees.ts'
import type { Entry, World } from '#language/lint/world.ts'

/** Reads of steps and values, for the checks of meaning. */

/** A step with its place and the conditions of the `if` steps around it. */
export interface StepIn {
  step: Step
  pointer: string
  /** Conditions that are true here. */
  under: readonly unknown[]
  /** Conditions that are false here. */
  past: readonly unknown[]
}

/** All steps of a list and of the `if` steps in it, in their order. */
export function* stepsIn(
  steps: readonly Step[],
  pointer: string,
  under: readonly unknown[] = [],
  past: readonly unknown[] = [],
): Generator<StepIn> {
  for (const [i, step] of steps.entries()) {
    const at = `${pointer}/${i}`
    yield { step, pointer: at, under, past }
    if (!('if' in step)) continue
    yield* stepsIn(step.then, `${at}/then`, [...under, step.if], past)
    yield* stepsIn(step.else ?? [], `${at}/else`, under, [...past, step.if])
  }
}

/** Paths that a step reads itself; the steps inside an `if` are steps of their own. */
export function readBy(step: Step): readonly string[] {
  return 'if' in step ? readsOf({ $: step.if }) : readsOf(step)
}

/** Paths that conditions ask for with `has`. */
export const askedIn = (conditions: readonly unknown[]): readonly string[] =>
  conditions.flatMap((one) =>
    [...operationsIn(one)].flatMap(({ op, args }) => (op === 'has' && typeof args[0] === 'string' ? [args[0]] : [])),
  )

/** Whether a path is another one or a part of its value. */
export const isWithin = (path: string, outer: string): boolean =>
  path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`)

/** Paths that the expressions of a value read without a default; a path that is only asked for with `has` is not one. */
export function requiredIn(value: unknown): string[] {
  return expressionsIn(value).flatMap(({ logic }) =>
    typeof logic === 'string'
      ? [logic]
      : [...operationsIn(logic)].flatMap(({ op, args }) =>
          op === 'var' && args.length === 1 && typeof args[0] === 'string' ? [args[0]] : [],
        ),
  )
}

/** Whether a name is that of an id. */
export const isId = (name: string): boolean => name === 'id' || /(?:_id|Id)$/.test(name)

/** The last member of a path. */
export const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1)

export type Screen = Entry & { doc: ScreenDoc }

/** The screens among the documents to check. `world.screens` are all screens, also those whose findings are kept. */
export const screensIn = (world: World): readonly Screen[] => world.entries.filter((entry): entry is Screen => entry.doc.kind === 'screen')
