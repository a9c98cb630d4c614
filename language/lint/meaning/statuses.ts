import type { NodePlace } from '#language/documents/walk.ts'
import { textsOf, textWidth } from '#language/lint/texts.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import { below } from '#language/text/position.ts'
import type { JsonSchema, LintProblem, StatusSet } from '#language/types/catalog.ts'
import { type StatusPlace, statusPlaces, statusSetOf } from '#language/types/statuses.ts'
import { isUnknown } from '#language/types/types.ts'

/** Checks that each status of a widget is one of the contract, stands alone, and has a text in every language that fits. */
export const statuses: Check = function* (world) {
  for (const entry of world.entries)
    for (const place of entry.facts.nodes) {
      const inFragment = place.fragment !== undefined
      for (const { one, type } of placesOf(world, entry, place)) {
        const at = inFragment ? place.pointer : `${place.pointer}/props${one.pointer}`
        const twice = one.replaces.find((name) => Object.hasOwn(one.holder, name))
        if (twice !== undefined && !inFragment)
          yield world.report(
            'statuses',
            entry,
            below(at.slice(0, one.value === undefined ? undefined : at.lastIndexOf('/')), twice),
            `a status has its own "${twice}"`,
          )
        const set = statusSetOf(type)
        // Inside a fragment alone, types of the screens that use it are not known.
        if (!set && entry.doc.kind === 'fragment' && isUnknown(type)) continue
        if (set) yield* texts(world, entry, at, set, one.fits)
        else
          yield world.report(
            'statuses',
            entry,
            at,
            'this is no status of the contract: only the words of a `statusSet` have a text and a tone',
          )
      }
    }
}

function* texts(world: World, entry: Entry, at: string, { text, tones }: StatusSet, fits: number | undefined): Generator<LintProblem> {
  for (const status of Object.keys(tones))
    for (const language of world.languages) {
      const key = `${text}_${status}`
      const said = textsOf(world, language, key, [])
      if (said.length === 0) yield world.report('statuses', entry, at, `the status "${status}" has no text "${key}" in ${language}`)
      for (const width of said.map(textWidth))
        if (fits !== undefined && width > fits)
          yield world.report('statuses', entry, at, `"${key}" is ${width} letters wide in ${language}; ${fits} fit here`, {
            severity: 'warn',
          })
    }
}

function placesOf(world: World, entry: Entry, place: NodePlace): { one: StatusPlace; type: JsonSchema }[] {
  const widget = world.widget(place.node.widget)
  const found = widget ? [...statusPlaces(place.node.props ?? {}, widget.props)] : []
  return found.map((one) => ({ one, type: one.type(world.typesAt(entry, { node: place })) }))
}

/** Stems of the texts of all statuses that a document shows. */
export function statusTexts(world: World, entry: Entry): string[] {
  return entry.facts.nodes.flatMap((place) => placesOf(world, entry, place).flatMap(({ type }) => statusSetOf(type)?.text ?? []))
}
