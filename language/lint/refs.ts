import type { Kind } from '#language/documents/documents.ts'
import { kinds } from '#language/documents/documents.ts'
import { nearest } from '#language/documents/nearest.ts'
import { findingsOf } from '#language/lint/findings.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import type { LintProblem } from '#language/types/catalog.ts'

/** Names in props and entries exist: lists of entries, routes, icons, prompts, sheets. */
export const refs: Check = function* (world) {
  for (const entry of world.entries) {
    for (const place of entry.facts.nodes) {
      for (const { kind, ref, pointer } of findingsOf(world, entry, place))
        if (kind === 'ref' && ref) yield* missing(world, entry, ref.kind, ref.name, pointer)
    }
    if (entry.doc.kind === 'quick-entries') {
      for (const [i, { icon }] of entry.doc.entries.entries()) yield* missing(world, entry, 'icon', icon, `/entries/${i}/icon`)
    }
  }
}

/** Names of a kind of thing; undefined when the kind is not one that can be checked. */
function namesOf(world: World, entry: Entry, kind: string): readonly string[] | undefined {
  if (kind === 'icon') return world.catalog.icons.length > 0 ? world.catalog.icons : undefined
  if (kind === 'route') return world.routes ? world.routePaths : undefined
  if (kind === 'symbol') return world.catalog.symbols.length > 0 ? world.catalog.symbols : undefined
  if (kind === 'sheet' || kind === 'node') return entry.facts.nodes.map(({ node }) => node.id)
  return Object.hasOwn(kinds, kind) ? world.ids(kind as Kind) : undefined
}

function* missing(world: World, entry: Entry, kind: string, name: string, pointer: string): Generator<LintProblem> {
  const names = namesOf(world, entry, kind)
  if (names && name !== '' && !names.includes(name))
    yield world.report('refs', entry, pointer, `there is no ${kind} "${name}"`, { suggestion: nearest(name, names) })
}
