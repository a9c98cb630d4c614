import { createWorld, type Entry, type World } from '#language/lint/world.ts'
import type { Catalog, SourceDocument, TextCatalog } from '#language/types/catalog.ts'
import type { Types } from '#language/types/types.ts'

/** What can be read at a place: types of the roots. Built when it is first asked, for one state of the documents. */
export interface Places {
  at(file: string, pointer: string): Types
}

export function placesIn(documents: readonly SourceDocument[], texts: TextCatalog, catalog: Catalog): Places {
  let world: World | undefined
  return {
    at(file, pointer) {
      world ??= createWorld(documents, texts, catalog)
      const entry = world.entries.find(({ source }) => source.file === file)
      return entry ? typesAt(world, entry, pointer) : {}
    },
  }
}

function typesAt(world: World, entry: Entry, pointer: string): Types {
  const holds = (place: { pointer: string }) => pointer === place.pointer || pointer.startsWith(`${place.pointer}/`)
  const deepest = <T extends { pointer: string }>(places: readonly T[]) =>
    places.filter(holds).sort((a, b) => b.pointer.length - a.pointer.length)[0]
  const node = deepest(entry.own.nodes)
  const action = deepest(entry.own.actions)
  const rest = node ? pointer.slice(node.pointer.length) : pointer
  const role = rest.startsWith('/repeat') ? 'each' : rest.startsWith('/rules') ? 'test' : ''
  return world.typesAt(entry, { ...(node && { node }), ...(action && { action }), role })
}
