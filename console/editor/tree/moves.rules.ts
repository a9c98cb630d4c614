import { around, isWithin, nameIn, pointerOf, valueAt } from '#console/editor/document/pointer.ts'
import { type Place, slotsOf, type TreeRow, typeOf, type Widgets } from '#console/editor/tree/rows.rules.ts'
import { isObject } from '#language/documents/json.ts'
import { below, frameLists, segmentsOf } from '#language/text/position.ts'
import { widgetOf } from '#language/text/shorthand.ts'

/** Which nodes a position in the tree accepts, and what a move changes. All functions return data and change no text. */

/** Why a node may not be placed somewhere. */
type Refusal = 'inside_itself' | 'wrong_widget' | 'slot_full' | 'not_a_list' | 'only_fields' | 'last_one'

/** A list of nodes with the limits of its slot. */
export interface Taking {
  list: string
  /** Pointer of the node that owns the slot; null for the document's own body or fields. */
  owner: string | null
  slot: string
  allow: readonly string[] | null
  max: number
  count: number
}

export function takingOf(doc: unknown, list: string, widgets: Widgets): Taking | null {
  const written = valueAt(doc, list)
  const count = Array.isArray(written) ? written.length : 0
  if (list === '/body' || list === '/fields')
    return Array.isArray(written) ? { list, owner: null, slot: list.slice(1), allow: null, max: Number.POSITIVE_INFINITY, count } : null
  if (isFrameList(doc, list)) return { list, owner: null, slot: list.slice(1), allow: null, max: Number.POSITIVE_INFINITY, count }
  const owner = around(around(list))
  const node = valueAt(doc, owner)
  const slot = nameIn(list)
  if (nameIn(around(list)) !== 'slots' || !isObject(node) || !slotsOf(node, widgets).includes(slot)) return null
  const rule = widgets.get(typeOf(node.widget))?.slots[slot]
  return { list, owner, slot, allow: rule?.allow ?? null, max: rule?.max ?? Number.POSITIVE_INFINITY, count }
}

const isFrameList = (doc: unknown, list: string): boolean =>
  isObject(doc) && doc.kind === 'screen' && doc.title !== undefined && frameLists.some((name) => list === `/${name}`)

/** Whether a widget may be placed in a list. `from`: its current list, when it is moved. */
export function mayStand(doc: unknown, widgets: Widgets, list: string, type: string, from?: string): Refusal | null {
  if (from !== undefined && isWithin(list, from)) return 'inside_itself'
  const isField = from !== undefined && around(from) === '/fields'
  if (isField !== (list === '/fields') && from !== undefined) return 'only_fields'
  const taking = takingOf(doc, list, widgets)
  if (!taking) return 'not_a_list'
  if (taking.allow && type !== '' && !taking.allow.includes(type)) return 'wrong_widget'
  const stays = from !== undefined && around(from) === list
  return !stays && taking.count >= taking.max ? 'slot_full' : null
}

/** The place after the node at `from` has been removed. */
export function afterRemoval(from: string, place: Place): Place {
  const list = around(from)
  const gone = Number(nameIn(from))
  if (place.list === list) return { list, index: place.index > gone ? place.index - 1 : place.index }
  if (!place.list.startsWith(`${list}/`)) return place
  const depth = segmentsOf(list).length
  const segments = segmentsOf(place.list)
  const at = Number(segments[depth])
  if (!(at > gone)) return place
  return { list: pointerOf([...segments.slice(0, depth), at - 1, ...segments.slice(depth + 1)]), index: place.index }
}

/** The place one step up, down, out of the parent or into the previous sibling; null where there is none. */
export function stepTo(
  doc: unknown,
  rows: readonly TreeRow[],
  widgets: Widgets,
  row: TreeRow,
  way: 'up' | 'down' | 'out' | 'in',
): Place | null {
  if (!row.place) return null
  const { list, index } = row.place
  const siblings = valueAt(doc, list)
  const count = Array.isArray(siblings) ? siblings.length : 0
  const takes = (place: Place) => (mayStand(doc, widgets, place.list, row.type, row.pointer) === null ? place : null)
  if (way === 'up' && index > 0) return { list, index: index - 1 }
  if (way === 'down' && index + 1 < count) return { list, index: index + 2 }
  if (way === 'up' || way === 'down') return neighbourSlot(doc, rows, widgets, row, way)
  if (way === 'out') {
    const holder = rows.find(({ pointer }) => pointer === takingOf(doc, list, widgets)?.owner)
    return holder?.place ? takes({ list: holder.place.list, index: holder.place.index + 1 }) : null
  }
  const before = index > 0 && Array.isArray(siblings) ? siblings[index - 1] : undefined
  if (!isObject(before)) return null
  for (const slot of slotsOf(before, widgets)) {
    const into = `${list}/${index - 1}${below('/slots', slot)}`
    const inside = valueAt(doc, into)
    const place = takes({ list: into, index: Array.isArray(inside) ? inside.length : 0 })
    if (place) return place
  }
  return null
}

/** Below the last node of a slot comes the next slot of the same parent. */
function neighbourSlot(doc: unknown, rows: readonly TreeRow[], widgets: Widgets, row: TreeRow, way: 'up' | 'down'): Place | null {
  if (!row.place) return null
  const { list } = row.place
  const slots = rows.filter(({ kind, pointer }) => kind === 'slot' && around(pointer) === around(list))
  const at = slots.findIndex(({ pointer }) => pointer === list)
  const ordered = way === 'up' ? slots.slice(0, Math.max(0, at)).reverse() : slots.slice(at + 1)
  const next = at < 0 ? undefined : ordered.find(({ pointer }) => mayStand(doc, widgets, pointer, row.type, row.pointer) === null)
  if (!next) return null
  const inside = valueAt(doc, next.pointer)
  return { list: next.pointer, index: way === 'up' && Array.isArray(inside) ? inside.length : 0 }
}

/** The place of a node that is dropped on a row: the start of a slot, else before or after the row. */
export function dropAt(doc: unknown, widgets: Widgets, moved: TreeRow, over: TreeRow, after: boolean): Place | Refusal {
  const place =
    over.kind === 'slot'
      ? { list: over.pointer, index: 0 }
      : over.place && { list: over.place.list, index: over.place.index + (after ? 1 : 0) }
  if (!place) return 'not_a_list'
  return mayStand(doc, widgets, place.list, moved.type, moved.pointer) ?? place
}

/** Lists inside or around a row that could take a new node, the nearest first. */
export function placesFor(doc: unknown, widgets: Widgets, row: TreeRow | undefined): Place[] {
  const lengthOf = (list: string) => {
    const written = valueAt(doc, list)
    return Array.isArray(written) ? written.length : 0
  }
  const end = (list: string): Place => ({ list, index: lengthOf(list) })
  if (!row || row.kind === 'document') return ['/body', '/fields'].filter((list) => Array.isArray(valueAt(doc, list))).map(end)
  if (row.kind === 'slot') return [end(row.pointer)]
  const node = valueAt(doc, row.pointer)
  const after = row.place ? [{ list: row.place.list, index: row.place.index + 1 }] : []
  const inside =
    row.kind === 'node' && isObject(node) ? slotsOf(node, widgets).map((slot) => end(`${row.pointer}${below('/slots', slot)}`)) : []
  const open = inside.filter(({ list }) => {
    const taking = takingOf(doc, list, widgets)
    return taking !== null && taking.count < taking.max
  })
  return [...open.filter(({ list }) => lengthOf(list) === 0), ...after, ...open.filter(({ list }) => lengthOf(list) > 0)]
}

function eachNode(value: unknown, visit: (node: Record<string, unknown>) => void): void {
  if (Array.isArray(value)) for (const part of value) eachNode(part, visit)
  else if (isObject(value)) {
    if (widgetOf(value) !== '') visit(value)
    for (const part of Object.values(value)) eachNode(part, visit)
  }
}

/** Ids of nodes and names of fields that the document has. */
export function namesTaken(doc: unknown): Set<string> {
  const taken = new Set<string>()
  eachNode(doc, (node) => {
    for (const name of [node.id, node.name]) if (typeof name === 'string') taken.add(name)
  })
  return taken
}

/**
 * The first free name of `row`, `row-2`, `row-3`. Counting continues from a number at the end. The joint of a name that formulas read is `_`.
 */
export function freshName(wanted: string, taken: ReadonlySet<string>, joint: '-' | '_' = '-'): string {
  if (!taken.has(wanted)) return wanted
  const [, stem = wanted, digits] = /^(.*?)[-_](\d+)$/.exec(wanted) ?? []
  for (let n = digits === undefined ? 2 : Number(digits) + 1; ; n += 1) {
    const name = `${stem}${joint}${n}`
    if (!taken.has(name)) return name
  }
}

/** A copy with a new id for each node. */
export function withFreshNames<T>(value: T, doc: unknown): T {
  const copy = structuredClone(value)
  const taken = namesTaken(doc)
  eachNode(copy, (node) => {
    for (const key of ['id', 'name'] as const) {
      if (typeof node[key] !== 'string' || (key === 'name' && 'id' in node)) continue
      node[key] = freshName(node[key], taken, key === 'name' ? '_' : '-')
      taken.add(node[key] as string)
    }
  })
  return copy
}
