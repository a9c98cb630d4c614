import type { AnyDoc } from '#language/documents/documents.ts'
import { isObject } from '#language/documents/json.ts'
import { segmentsOf } from '#language/text/position.ts'

/** Name of the things in a list or record of a document, and how an item is named; rules have no name and are counted from 1. */
const things: Readonly<Record<string, (value: unknown, name: string) => string | undefined>> = {
  fields: (value) => (isObject(value) && typeof value.name === 'string' ? `field ${value.name}` : undefined),
  groups: (value) => (isObject(value) && typeof value.id === 'string' ? `group ${value.id}` : undefined),
  entries: (value) => (isObject(value) && typeof value.id === 'string' ? `entry ${value.id}` : undefined),
  rules: (value, name) => `rule ${Number(name) + 1}${isObject(value) && typeof value.field === 'string' ? ` of field ${value.field}` : ''}`,
  data: (_, name) => `source ${name}`,
  routes: (_, name) => `route ${name}`,
}
/** Members that hold others by name. */
const members: Readonly<Record<string, string>> = { props: 'prop', on: 'steps of', args: 'argument' }

/**
 * Readable name of the part of a document that contains a pointer: `field amount, rule 2`, `source info, argument id`, `entry home, show`,
 * `node save, steps of press`. Names the innermost node. Empty for the document itself.
 */
export function partName(doc: AnyDoc, pointer: string): string {
  const tokens = segmentsOf(pointer)
  let value: unknown = doc
  let part: string[] = []
  /** Index of the first token inside the part. */
  let inside = 0
  for (const [i, token] of tokens.entries()) {
    const holder = i === 1 ? things[tokens[0] as string] : undefined
    value = isObject(value) || Array.isArray(value) ? (value as Record<string, unknown>)[token] : undefined
    const name = holder?.(value, token) ?? (isObject(value) && typeof value.widget === 'string' ? nodeName(value) : undefined)
    if (name === undefined) continue
    part = [name]
    inside = i + 1
  }
  const [member, name] = tokens.slice(inside)
  if (member === undefined) return part.join(', ')
  if (name !== undefined && member === 'rules') part.push(`rule ${Number(name) + 1}`)
  else if (name !== undefined && Object.hasOwn(members, member)) part.push(`${members[member]} ${name}`)
  else part.push(member)
  return part.join(', ')
}

const nodeName = ({ id }: Record<string, unknown>): string | undefined => (typeof id === 'string' ? `node ${id}` : undefined)
