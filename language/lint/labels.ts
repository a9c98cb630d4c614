import type { LintProblem } from '#language/catalog.ts'
import { textsOf } from '#language/lint/texts.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'

/** Longest labels that fit on a phone, in characters: of a control, and of an entry under its icon. */
const lengthsMax = { control: 60, entry: 24 } as const

/** Every control has a name for those who do not see it, and no label is too long for its place. */
export const labels: Check = function* (world) {
  for (const entry of world.entries) {
    if (entry.doc.kind === 'quick-entries')
      for (const [i, { label }] of entry.doc.entries.entries()) yield* tooLong(world, entry, label, `/entries/${i}/label`, lengthsMax.entry)
    for (const { node, pointer } of entry.own.nodes) {
      const label = world.widget(node.widget)?.label
      if (!label) continue
      const value = node.props?.[label]
      if (value === undefined || value === null || value === '') {
        yield world.report(
          'labels',
          entry,
          `${pointer}/props`,
          `${node.widget} "${node.id}" has no name for assistive technology: give it "${label}"`,
          { suggestion: `"${label}": {"$t": "…"}` },
        )
      } else yield* tooLong(world, entry, value, `${pointer}/props/${label}`, lengthsMax.control)
    }
  }
}

function* tooLong(world: World, entry: Entry, value: unknown, pointer: string, max: number): Generator<LintProblem> {
  const key = typeof value === 'object' && value !== null && '$t' in value ? value.$t : undefined
  if (typeof key !== 'string') return
  for (const language of world.languages)
    for (const text of textsOf(world, language, key, Object.keys(value as object)))
      if (text.length > max)
        yield world.report('labels', entry, pointer, `"${key}" has ${text.length} characters in ${language}; ${max} fit here`, {
          severity: 'warn',
        })
}
