import type { Check } from '#language/lint/world.ts'

/** Fragments exist, get what they need and nothing else, and fit where they stand. */
export const fragments: Check = function* (world) {
  for (const entry of world.entries) {
    for (const { pointer, message, suggestion } of entry.inlined.problems)
      yield world.report('fragments', entry, pointer, message, { suggestion })
    if (entry.doc.kind !== 'fragment') continue
    for (const { use, pointer } of entry.own.uses) {
      if (use === entry.doc.id) yield world.report('fragments', entry, `${pointer}/use`, `the fragment "${use}" uses itself`)
      else if (!world.find('fragment', use)) yield world.report('fragments', entry, `${pointer}/use`, `there is no fragment "${use}"`)
    }
  }
}
