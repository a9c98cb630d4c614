import { saidIn } from '#language/lint/text-keys.ts'
import { textsOf, textWidth } from '#language/lint/texts.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import { below } from '#language/text/position.ts'
import type { JsonSchema, LintProblem } from '#language/types/catalog.ts'

/** A name that only assistive technology says has no narrow place, but nobody listens to more letters than these. */
const nameLengthMax = 60

/** Every control has a name for those who do not see it, and no text is too long for its place. */
export const labels: Check = function* (world) {
  for (const entry of world.entries) {
    for (const { node, pointer, field } of entry.own.nodes) {
      const widget = world.widget(node.widget)
      if (!widget) continue
      for (const { max, ...place } of placesOf(world, entry, node.props ?? {}, widget.props, `${pointer}/props`))
        yield* tooLong(world, place, max)
      const { label } = widget
      if (!label || field) continue
      const value = node.props?.[label]
      if (value === undefined || value === null || value === '') {
        yield world.report(
          'labels',
          entry,
          `${pointer}/props`,
          `${node.widget} "${node.id}" has no name for assistive technology: give it "${label}"`,
          { suggestion: `"${label}": "@…"` },
        )
      } else if (widget.props.properties?.[label]?.fits === undefined)
        yield* tooLong(world, { entry, value, pointer: `${pointer}/props/${label}` }, nameLengthMax)
    }
  }
}

interface Place {
  entry: Entry
  value: unknown
  pointer: string
}

/** Values of narrow places, with the width that fits. Where a text names a list of entries, the place is that of their labels. */
function* placesOf(world: World, entry: Entry, value: unknown, schema: JsonSchema, pointer: string): Generator<Place & { max: number }> {
  const { fits: max } = schema
  if (max !== undefined) {
    const list = schema.ref === 'quick-entries' && typeof value === 'string' ? world.find('quick-entries', value) : undefined
    if (list?.doc.kind === 'quick-entries')
      for (const [i, { label }] of list.doc.entries.entries()) yield { entry: list, value: label, pointer: `/entries/${i}/label`, max }
    else yield { entry, value, pointer, max }
  }
  for (const one of schema.anyOf ?? []) yield* placesOf(world, entry, value, one, pointer)
  if (Array.isArray(value))
    for (const [i, part] of value.entries()) yield* placesOf(world, entry, part, schema.items ?? {}, below(pointer, i))
  else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(schema.properties ?? {}))
      if (Object.hasOwn(value, name)) yield* placesOf(world, entry, (value as Record<string, unknown>)[name], inner, below(pointer, name))
}

function* tooLong(world: World, { entry, value, pointer }: Place, max: number): Generator<LintProblem> {
  for (const { key, args } of saidIn(value, pointer))
    for (const language of world.languages)
      for (const text of textsOf(world, language, key, args)) {
        const width = textWidth(text)
        if (width > max)
          yield world.report('labels', entry, pointer, `"${key}" is ${width} letters wide in ${language}; ${max} fit here`, {
            severity: 'warn',
          })
      }
}
