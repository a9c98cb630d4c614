import type { Check } from '#language/lint/world.ts'
import { nearest } from '#language/nearest.ts'
import { below } from '#language/position.ts'

/** Every problem code that a pressed call may answer has an outcome, and every outcome belongs to one. */
export const outcomes: Check = function* (world) {
  for (const entry of world.screens) {
    const errors = entry.doc.errors ?? {}
    const sources = Object.keys(entry.doc.data ?? {})
    const possible = new Set<string>()
    for (const { step, pointer } of entry.facts.steps) {
      const call = 'call' in step ? world.call(step.call) : undefined
      if (!call) continue
      for (const code of call.problems) possible.add(code)
      const open = Object.hasOwn(errors, '*') ? [] : call.problems.filter((code) => !Object.hasOwn(errors, code))
      if (open.length > 0)
        yield world.report('outcomes', entry, pointer, `${call.name} may answer ${open.join(', ')}: "errors" says nothing about it`, {
          suggestion: '"*"',
        })
    }
    for (const [code, { refresh = [] }] of Object.entries(errors)) {
      if (code !== '*' && possible.size > 0 && !possible.has(code)) {
        yield world.report('outcomes', entry, below('/errors', code), `no call of this screen answers "${code}"`, {
          suggestion: nearest(code, possible),
          severity: nearest(code, possible) === undefined ? 'warn' : 'error',
        })
      }
      for (const [i, name] of refresh.entries()) {
        if (!sources.includes(name))
          yield world.report('outcomes', entry, `${below('/errors', code)}/refresh/${i}`, `there is no source "${name}"`, {
            suggestion: nearest(name, sources),
          })
      }
    }
  }
}
