import { nearest } from '#language/documents/nearest.ts'
import type { Check } from '#language/lint/world.ts'
import { below } from '#language/text/position.ts'

/** Every problem code that a pressed call may answer has an outcome, and every outcome belongs to one. */
export const outcomes: Check = function* (world) {
  for (const entry of world.entries) {
    if (entry.doc.kind !== 'screen' && entry.doc.kind !== 'form') continue
    const errors = entry.doc.errors ?? {}
    const screen = entry.doc.kind === 'screen' ? entry.doc : entry.shownBy.length === 1 ? entry.shownBy[0]?.doc : undefined
    const sources = Object.keys(screen?.data ?? {})
    const fields = Object.keys(entry.types.form?.properties ?? {})
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
    for (const [code, { refresh = [], field }] of Object.entries(errors)) {
      if (field !== undefined && fields.length > 0 && !fields.includes(field))
        yield world.report('outcomes', entry, `${below('/errors', code)}/field`, `the form has no field "${field}"`, {
          suggestion: nearest(field, fields),
        })
      if (code !== '*' && possible.size > 0 && !possible.has(code)) {
        yield world.report('outcomes', entry, below('/errors', code), `no call here answers "${code}"`, {
          suggestion: nearest(code, possible),
          severity: nearest(code, possible) === undefined ? 'warn' : 'error',
        })
      }
      for (const [i, name] of refresh.entries()) {
        if (screen && !sources.includes(name))
          yield world.report('outcomes', entry, `${below('/errors', code)}/refresh/${i}`, `there is no source "${name}"`, {
            suggestion: nearest(name, sources),
          })
      }
    }
  }
}
