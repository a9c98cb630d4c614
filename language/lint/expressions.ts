import { nearest, nearestKnown } from '#language/documents/nearest.ts'
import { compile, ExpressionProblem } from '#language/expression/expression.ts'
import { operators } from '#language/expression/operators.ts'
import { compileValue } from '#language/expression/value.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import type { LintProblem } from '#language/types/catalog.ts'

/** Every expression may be published: known operators, written paths, within the bounds. */
export const expressions: Check = function* (world) {
  for (const entry of world.entries) {
    for (const { value, pointer } of entry.own.values) yield* refused(world, entry, pointer, () => compileValue(value))
    for (const { logic, pointer } of entry.own.logics) yield* refused(world, entry, pointer, () => compile(logic))
  }
}

const instead: Record<string, string> = { '==': '===', '!=': '!==', '?:': 'if', missing: 'has', missing_some: 'has', $: 'var' }

function refused(world: World, entry: Entry, pointer: string, work: () => unknown): LintProblem[] {
  try {
    work()
    return []
  } catch (problem) {
    // Unknown roots are found by the paths check, which knows what stands near.
    if (!(problem instanceof ExpressionProblem) || problem.code === 'unknown_root') return []
    const operator = problem.pointer.slice(problem.pointer.lastIndexOf('/') + 1)
    const suggestion =
      problem.code === 'unknown_operator'
        ? nearest(operator, Object.keys(operators))
        : problem.code === 'refused_operator' && Object.hasOwn(instead, operator)
          ? instead[operator]
          : nearestKnown(problem.message)
    return [world.report('expressions', entry, pointer + problem.pointer, problem.message, { suggestion })]
  }
}
