import type { AppDoc, FormDoc, FragmentDoc } from '#language/documents/documents.ts'
import { inline } from '#language/documents/inline.ts'
import { factsOf } from '#language/documents/walk.ts'
import type { Catalog, SourceDocument } from '#language/types/catalog.ts'
import { type KnownRows, rowTypesAt, withValueTypes } from '#language/types/places.ts'
import { statusPlaces, statusSetOf } from '#language/types/statuses.ts'
import { typesOf } from '#language/types/types.ts'

/** Whether a word may be the text of a status: `otc.state_done`, with or without `text/`. Other words need no types. */
export const mayBeStatusText = (word: string): boolean => /^(?:text\/)?[\w-]+\.\w+_\w+$/.test(word)

/**
 * The texts of the statuses that a document shows, by the props that take them. Publishing writes these texts out, so they stand in no
 * document. A status in a fragment is known where the fragment is used, and has the place of the use.
 */
export function statusTextsIn(
  { doc }: SourceDocument,
  documents: readonly SourceDocument[],
  catalog: Catalog,
): { need: string; pointer: string }[] {
  if (doc.kind !== 'screen' && doc.kind !== 'form' && doc.kind !== 'app') return []
  const fragments = new Map(documents.flatMap(({ doc: one }) => (one.kind === 'fragment' ? [[one.id, one as FragmentDoc] as const] : [])))
  const forms = new Map(documents.flatMap(({ doc: one }) => (one.kind === 'form' ? [[one.id, one as FormDoc] as const] : [])))
  const app = documents.find(({ doc: one }) => one.kind === 'app')?.doc as AppDoc | undefined
  const { doc: whole, origins } = inline(doc, { fragments, forms, how: 'table' })
  const types = withValueTypes(typesOf(whole, catalog, app), whole)
  const rows: KnownRows = new Map()
  return factsOf(whole, origins).nodes.flatMap((place) => {
    const widget = catalog.widgets.find(({ type }) => type === place.node.widget.split('@', 1)[0])
    const places = [...statusPlaces(place.node.props ?? {}, widget?.props ?? {})]
    return places.flatMap((one) => {
      const set = statusSetOf(one.type({ ...types, ...rowTypesAt(types, place, rows) }))
      const pointer = place.fragment === undefined ? `${place.pointer}/props${one.pointer}` : place.pointer
      return Object.keys(set?.tones ?? {}).map((status) => ({ need: `text/${set?.text}_${status}`, pointer }))
    })
  })
}
