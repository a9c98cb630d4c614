import { compile } from '#language/expression.ts'
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
      } catch {
        // What cannot be compiled is reported by the expressions check.
      }
    }
  }
}
