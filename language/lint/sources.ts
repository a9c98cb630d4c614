import { ExpressionProblem } from '#language/expression/expression.ts'
import { compileValue } from '#language/expression/value.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import type { LintProblem } from '#language/types/catalog.ts'

/** `keep` and `debounceMs` belong to sources whose arguments change, and `keep` to none that tells of money. */
export const sources: Check = function* (world) {
  for (const entry of world.screens) {
    const paying = moneyCallOf(world, entry)
    for (const [name, source] of Object.entries(entry.doc.data ?? {})) {
      for (const member of ['keep', 'debounceMs'] as const) {
        if (source[member] && !changes(source.args))
          yield problem(world, entry, `/data/${name}/${member}`, `"${member}" says nothing here: the arguments never change`)
      }
      if (!source.keep) continue
      const why = source.live === 'balance' ? 'it tells of the balance' : paying !== undefined ? `this screen sends ${paying}` : undefined
      if (why) yield problem(world, entry, `/data/${name}/keep`, `the answer to other arguments may not be kept: ${why}`)
    }
  }
}

const problem = (world: World, entry: Entry, pointer: string, message: string): LintProblem =>
  world.report('sources', entry, pointer, message)

function changes(args: unknown): boolean {
  try {
    return compileValue(args ?? {}).deps.length > 0
  } catch (error) {
    // Another check tells of it.
    if (error instanceof ExpressionProblem) return true
    throw error
  }
}

/** A call that moves money and stands in the screen, or in a form that it shows. */
function moneyCallOf(world: World, screen: Entry): string | undefined {
  const forms = world.entries.filter(({ shownBy }) => shownBy.some((one) => one === screen))
  for (const { facts } of [screen, ...forms]) {
    for (const { step } of facts.steps) if ('call' in step && world.call(step.call)?.keyed === 'money') return step.call
  }
  return undefined
}
