import { compile } from '#language/expression/expression.ts'
import type { Check } from '#language/lint/world.ts'

/** A condition that reads nothing is always the same: what it guards is always or never there. */
export const conditions: Check = function* (world) {
  for (const entry of world.entries) {
    for (const { logic, pointer, role } of entry.own.logics) {
      if (typeof logic === 'boolean') {
        const hides = entry.doc.kind === 'quick-entries'
        if (!hides)
          yield world.report(
            'conditions',
            entry,
            pointer,
            logic ? `"${role}" is always true` : `"${role}" is always false: what it guards cannot be reached`,
            { severity: 'warn' },
          )
        continue
      }
      try {
        if (compile(logic).deps.length === 0)
          yield world.report('conditions', entry, pointer, `"${role}" reads nothing, so it is always the same`)
        const path = contradiction(logic)
        if (path !== undefined)
          yield world.report('conditions', entry, pointer, `"${role}" never holds: "${path}" cannot be two things at once`)
      } catch {
        // What cannot be compiled is reported by the expressions check.
      }
    }
  }
}

/** The path that an `and` wants to be two different literals. */
function contradiction(logic: unknown): string | undefined {
  if (typeof logic !== 'object' || logic === null || !('and' in logic) || !Array.isArray(logic.and)) return undefined
  const wanted = new Map<string, unknown>()
  for (const part of logic.and as unknown[]) {
    const sides = typeof part === 'object' && part !== null && '===' in part && Array.isArray(part['===']) ? (part['==='] as unknown[]) : []
    const path = sides.map(pathOf).find((one) => one !== undefined)
    const literal = sides.find((side) => typeof side !== 'object')
    if (path === undefined || literal === undefined) continue
    if (wanted.has(path) && String(wanted.get(path)) !== String(literal)) return path
    wanted.set(path, literal)
  }
  return undefined
}

function pathOf(side: unknown): string | undefined {
  const path = typeof side === 'object' && side !== null && 'var' in side ? side.var : undefined
  return typeof path === 'string' ? path : undefined
}
