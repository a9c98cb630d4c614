import type { Kind } from '#language/documents/documents.ts'
import { findingsOf } from '#language/lint/findings.ts'
import type { Check } from '#language/lint/world.ts'

/** Documents that nothing leads to. */
export const unused: Check = function* (world) {
  const named = new Set<string>()
  for (const { screen } of Object.values(world.routes?.routes ?? {})) named.add(`screen/${screen}`)
  for (const entry of world.entries) {
    for (const { use } of entry.own.uses) named.add(`fragment/${use}`)
    for (const { step } of entry.facts.steps) if ('confirm' in step) named.add(`prompt/${step.confirm}`)
    for (const place of entry.facts.nodes)
      for (const { ref } of findingsOf(world, entry, place)) if (ref) named.add(`${ref.kind}/${ref.name}`)
  }
  const how: Partial<Record<Kind, string>> = {
    screen: 'no route shows',
    fragment: 'nothing uses',
    prompt: 'no step confirms with',
    'quick-entries': 'no widget shows',
    form: 'no screen shows',
  }
  for (const entry of world.entries) {
    const { kind, id } = entry.doc
    const words = how[kind]
    if (words && !named.has(`${kind}/${id}`))
      yield world.report('unused', entry, '/id', `${words} the ${kind} "${id}"`, { severity: 'warn' })
  }
}
