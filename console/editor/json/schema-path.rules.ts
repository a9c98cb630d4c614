import { isObject } from '#console/editor/document/pointer.ts'
import { resolved } from '#console/editor/values/fields.rules.ts'
import type { JsonSchema } from '#language/types/catalog.ts'

/** Shapes that a meta schema allows at a path of a document. Where it offers a choice, those that fit what is written. */
export function branchesAt(root: JsonSchema, doc: unknown, path: readonly (string | number)[]): JsonSchema[] {
  let shapes = open(root, root, doc)
  let value = doc
  for (const name of path) {
    value = typeof value === 'object' && value !== null ? (value as Record<string | number, unknown>)[name] : undefined
    shapes = shapes.flatMap((shape) => inside(shape, name)).flatMap((shape) => open(shape, root, value))
  }
  return shapes
}

/** Shapes of objects at a path that have room for one more of their members; `taken` are the names that are written. */
export function keysOf(root: JsonSchema, doc: unknown, path: readonly (string | number)[], taken: ReadonlySet<string>): JsonSchema[] {
  const shapes = branchesAt(root, doc, path).filter(({ properties }) => properties)
  const fitting = shapes.filter(({ properties }) => [...taken].every((name) => properties && Object.hasOwn(properties, name)))
  return fitting.length > 0 ? fitting : shapes
}

function inside(shape: JsonSchema, name: string | number): JsonSchema[] {
  if (typeof name === 'number') return shape.items ? [shape.items] : []
  if (shape.properties && Object.hasOwn(shape.properties, name)) return [shape.properties[name] as JsonSchema]
  return isObject(shape.additionalProperties) ? [shape.additionalProperties as JsonSchema] : []
}

/** A schema's choices, opened. One whose required first member is not written is left out when another's is. */
function open(schema: JsonSchema, root: JsonSchema, value: unknown, depth = 0): JsonSchema[] {
  const shape = resolved(schema, root)
  if (!shape.anyOf || depth > 4) return [shape]
  const choices = shape.anyOf.flatMap((one) => open(one, root, value, depth + 1))
  if (!isObject(value)) return choices
  const names = Object.keys(value)
  const meant = choices.filter(({ properties, required = [] }) => properties && required.some((name) => names.includes(name)))
  return meant.length > 0 ? meant : choices
}
