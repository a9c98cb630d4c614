import type { AnyDoc } from '#language/documents/documents.ts'
import { namedValuesOf } from '#language/documents/named-values.ts'
import type { NodePlace } from '#language/documents/walk.ts'
import type { rootsBy } from '#language/expression/scope.ts'
import type { JsonSchema } from '#language/types/catalog.ts'
import { typeOfLogic, typeOfValue } from '#language/types/paths.ts'
import { anything, record, rowType, type Types } from '#language/types/types.ts'

/** Types of the roots that a repeat sets. */
export type RowTypes = Record<(typeof rootsBy.row)[number], JsonSchema>
/** Known rows of a document by node, so that none is computed twice. */
export type KnownRows = Map<NodePlace, RowTypes | undefined>

/** Types of a row at a node: that of the innermost repeat, and those of the named outer rows. */
export function rowTypesAt(types: Types, place: NodePlace | undefined, known: KnownRows): RowTypes | undefined {
  if (!place) {
    const { item, index, row } = types
    return item && index && row && { item, index, row }
  }
  if (known.has(place)) return known.get(place)
  const outer = rowTypesAt(types, place.parent, known)
  const { repeat } = place.node
  const rowsField = place.parent?.field
  let rows = rowsField?.fields ? { item: rowType(rowsField.fields), index: { type: 'integer' }, row: anything } : outer
  if (repeat) {
    const item = typeOfValue(repeat.each, { ...types, ...outer }).type.items ?? anything
    const around = outer?.row ?? record({})
    const named = repeat.as === undefined || around === anything ? around : record({ ...around.properties, [repeat.as]: item })
    rows = { item, index: { type: 'integer' }, row: named }
  }
  known.set(place, rows)
  return rows
}

/** The types with those of the document's named values. A value may read those before it. */
export function withValueTypes(types: Types, doc: AnyDoc): Types {
  const named: Record<string, JsonSchema> = {}
  for (const [name, logic] of Object.entries(namedValuesOf(doc)))
    named[name] = typeOfLogic(logic, { ...types, ...(Object.keys(named).length > 0 && { values: record(named) }) }).type
  return Object.keys(named).length > 0 ? { ...types, values: record(named) } : types
}
