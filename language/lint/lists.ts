import type { ListDoc } from '#language/documents/documents.ts'
import { isObject } from '#language/documents/json.ts'
import { nearest } from '#language/documents/nearest.ts'
import type { NodePlace, StepPlace } from '#language/documents/walk.ts'
import { setPath } from '#language/expression/set-path.ts'
import { mismatch } from '#language/lint/judge.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import { below } from '#language/text/position.ts'
import type { JsonSchema, LintProblem } from '#language/types/catalog.ts'
import { typeOfPath, typeOfValue } from '#language/types/paths.ts'
import { withoutNull } from '#language/types/types.ts'

/** Checks that lists of records declare their key member and start with matching records. */
export const lists: Check = function* (world) {
  for (const entry of world.entries) {
    if (entry.doc.kind === 'screen')
      for (const [name, list] of Object.entries(entry.doc.lists ?? {})) {
        const at = `/lists/${name}`
        if (Object.hasOwn(entry.doc.state ?? {}, name))
          yield world.report('lists', entry, at, `"state.${name}" is declared twice: in "state" and in "lists"`)
        yield* declared(world, entry, at, list, list.default ?? [])
      }
    if (entry.doc.kind !== 'app') continue
    for (const [name, { type, key, of, default: start }] of Object.entries(entry.doc.device)) {
      const at = `/device/${name}`
      if (key !== undefined && of && type === 'list') yield* declared(world, entry, at, { key, of }, Array.isArray(start) ? start : [])
      else if (key !== undefined || of)
        yield world.report(
          'lists',
          entry,
          at,
          type === 'list' ? '"key" and "of" belong together' : `"key" and "of" belong to a list, not to a ${type}`,
        )
    }
  }
}

function* declared(
  world: World,
  entry: Entry,
  at: string,
  { key, of }: Pick<ListDoc, 'key' | 'of'>,
  start: readonly unknown[],
): Generator<LintProblem> {
  const names = Object.keys(of)
  const type = Object.hasOwn(of, key) ? of[key]?.type : undefined
  if (type === undefined)
    yield world.report('lists', entry, `${at}/key`, `records have no "${key}"`, { suggestion: nearest(key, names) ?? names[0] })
  else if (type === 'boolean') yield world.report('lists', entry, `${at}/key`, `"${key}" is boolean and cannot identify records`)
  for (const [i, row] of start.entries())
    for (const name of typeof row === 'object' && row !== null ? Object.keys(row) : [])
      if (!names.includes(name))
        yield world.report('lists', entry, below(`${at}/default/${i}`, name), `records have no "${name}"`, {
          suggestion: nearest(name, names),
        })
}

/** Checks that a step writes records that match their declaration. */
export function* recordsSet(world: World, entry: Entry, place: StepPlace): Generator<LintProblem> {
  if (!('set' in place.step)) return
  const types = world.typesAt(entry, place)
  for (const [text, value] of Object.entries(place.step.set)) {
    const at = below(`${place.pointer}/set`, text)
    const { root, path, by, member } = setPath(text)
    const list = typeOfPath(`${root}.${path}`, types).type
    if (by === undefined) {
      const why = list.key === undefined ? undefined : mismatch(typeOfValue(value, types).type, list)
      if (why) yield world.report('steps', entry, at, `"${root}.${path}" holds records: ${why}`)
      continue
    }
    if (/^(?:values|params)\./.test(by) && (by.startsWith('values.') || entry.doc.kind === 'fragment'))
      yield world.report('steps', entry, at, `"${by}" is not allowed in the brackets of "set": write its path instead`)
    if (list.type !== undefined && list.key === undefined)
      yield world.report('steps', entry, at, `"${root}.${path}" is no list of records: "${root === 'state' ? 'lists' : 'of'}" declares one`)
    else if (list.items) yield* fits(world, entry, at, list.items, value, member, place)
  }
}

function* fits(
  world: World,
  entry: Entry,
  at: string,
  record: JsonSchema,
  value: unknown,
  member: string | undefined,
  place: StepPlace,
): Generator<LintProblem> {
  const types = world.typesAt(entry, place)
  const members = record.properties ?? {}
  const isRecord = isObject(value) && !Object.hasOwn(value, '$')
  if (member === undefined && !isRecord) {
    const why = mismatch(typeOfValue(value, types).type, { ...record, required: [] })
    if (why) yield world.report('steps', entry, at, `the value must be a record or null: ${why}`)
    return
  }
  const given = member === undefined ? Object.entries(value as object) : [[member, value] as const]
  for (const [name, part] of given) {
    const wanted = Object.hasOwn(members, name) ? members[name] : undefined
    const pointer = member === undefined ? below(at, name) : at
    if (!wanted) {
      // The paths check reports problems of the path.
      if (member === undefined)
        yield world.report('steps', entry, pointer, `records have no "${name}"`, { suggestion: nearest(name, Object.keys(members)) })
      continue
    }
    const why = mismatch(typeOfValue(part, types).type, wanted)
    if (why) yield world.report('steps', entry, pointer, `"${name}": ${why}`)
  }
}

/**
 * Checks that a repeat iterates over a list, that its key is a member of the rows, and that its name differs from those of outer repeats.
 */
export const repeats: Check = function* (world) {
  for (const entry of world.entries) {
    for (const place of entry.own.nodes) {
      const { repeat } = place.node
      if (!repeat) continue
      if (repeat.as !== undefined && namedAround(place, repeat.as))
        yield world.report('repeats', entry, `${place.pointer}/repeat/as`, `an outer repeat already has the name "${repeat.as}"`)
      const type = withoutNull(typeOfValue(repeat.each, world.typesAt(entry, { node: place, role: 'each' })).type)
      if (type.type !== undefined && type.type !== 'array') {
        yield world.report('repeats', entry, `${place.pointer}/repeat/each`, 'the value of a repeat must be a list')
        continue
      }
      const { properties, additionalProperties } = withoutNull(type.items ?? {})
      if (properties && !additionalProperties && !Object.hasOwn(properties, repeat.key)) {
        const suggestion = nearest(repeat.key, Object.keys(properties))
        yield world.report('repeats', entry, `${place.pointer}/repeat/key`, `rows have no "${repeat.key}"`, { suggestion })
      } else if (type.key !== undefined && type.key !== repeat.key)
        yield world.report(
          'repeats',
          entry,
          `${place.pointer}/repeat/key`,
          `rows are identified by "${type.key}", not by "${repeat.key}"`,
          {
            suggestion: type.key,
          },
        )
    }
  }
}

function namedAround({ parent }: NodePlace, name: string): boolean {
  return parent !== undefined && (parent.node.repeat?.as === name || namedAround(parent, name))
}
