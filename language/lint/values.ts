import { namedValuesOf, valuesIn } from '#language/documents/named-values.ts'
import type { Check } from '#language/lint/world.ts'

/** Named values are read by something. */
export const values: Check = function* (world) {
  for (const entry of world.entries) {
    const { values: definitions, ...rest } = entry.source.doc as { values?: Record<string, unknown> }
    const read = valuesIn([rest, Object.values(definitions ?? {})])
    for (const name of Object.keys(namedValuesOf(entry.source.doc)))
      if (!read.has(name)) yield world.report('values', entry, `/values/${name}`, `nothing reads the value "${name}"`, { severity: 'warn' })
  }
}
