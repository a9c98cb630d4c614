import { isObject } from '#language/documents/json.ts'
import { below, frameLists } from '#language/text/position.ts'
import { widgetOf } from '#language/text/shorthand.ts'
import type { WidgetManifest } from '#language/types/catalog.ts'

/** A property of a node that its row shows as an icon. */
export type RowFlag = 'conditional' | 'never' | 'gated' | 'repeats' | 'critical'

/** A position in a list of nodes or fields. */
export interface Place {
  list: string
  index: number
}

/** One row of the tree with its depth. */
export interface TreeRow {
  pointer: string
  kind: 'document' | 'node' | 'use' | 'slot' | 'field'
  /** Id of the node, name of the fragment, slot or field. */
  name: string
  /** Type of the widget; empty for slots and fragments. */
  type: string
  depth: number
  /** Pointer of the parent row. */
  parent: string | null
  /** Null for a row that cannot be moved: a slot, the document, a node that stands for a state. */
  place: Place | null
  /** The state in which the node replaces its parent: `loading`, `empty`, `error`, `stale` or `fallback`. */
  standIn: string | null
  /** The text that people read first on the node, as its value in the document. */
  words: unknown
  /** The `as` name of a `use`, which distinguishes several uses of one fragment. */
  as: string | null
  flags: RowFlag[]
  /** Number of child rows. */
  children: number
}

export type Widgets = ReadonlyMap<string, WidgetManifest>

export function widgetsOf(list: readonly WidgetManifest[]): Widgets {
  return new Map(list.map((widget) => [widget.type, widget]))
}
export const typeOf = (ref: unknown): string => (typeof ref === 'string' ? (ref.split('@', 1)[0] as string) : '')

/** Slots that the widget declares, then undeclared slots of the document. */
export function slotsOf(node: Record<string, unknown>, widgets: Widgets): string[] {
  const declared = Object.keys(widgets.get(typeOf(node.widget))?.slots ?? {})
  const written = isObject(node.slots) ? Object.keys(node.slots) : []
  return [...declared, ...written.filter((name) => !declared.includes(name))]
}

/** The rows of a screen, form or fragment, or of the app's tab bar, in document order. Never throws, whatever the document holds. */
export function rowsOf(doc: unknown, widgets: Widgets): TreeRow[] {
  if (!isObject(doc)) return []
  const walk = new Walk(widgets)
  const top = walk.row({ pointer: '', kind: 'document', name: String(doc.id ?? ''), type: String(doc.kind ?? '') }, 0, null)
  if (doc.kind === 'screen' && doc.title !== undefined) walk.frame(doc, top)
  else if (Array.isArray(doc.body)) walk.list(doc.body, '/body', 1, top)
  if (doc.kind === 'form' && Array.isArray(doc.fields)) walk.fields(doc.fields, top)
  if (isObject(doc.tabBar)) walk.child(doc.tabBar, '/tabBar', 1, top, null, null)
  return walk.rows
}

class Walk {
  readonly rows: TreeRow[] = []
  private readonly widgets: Widgets
  constructor(widgets: Widgets) {
    this.widgets = widgets
  }

  row(start: Pick<TreeRow, 'pointer' | 'kind' | 'name' | 'type'> & Partial<TreeRow>, depth: number, parent: TreeRow | null): TreeRow {
    const row: TreeRow = {
      place: null,
      standIn: null,
      words: undefined,
      as: null,
      flags: [],
      children: 0,
      ...start,
      depth,
      parent: parent?.pointer ?? null,
    }
    if (parent) parent.children += 1
    this.rows.push(row)
    return row
  }

  /** The lists of a screen that has a title, including empty ones, which can take nodes. */
  frame(doc: Record<string, unknown>, top: TreeRow): void {
    const [toolbar, head, foot] = frameLists
    for (const name of [toolbar, head, 'body', foot]) {
      const heading = this.row({ pointer: `/${name}`, kind: 'slot', name, type: '' }, 1, top)
      const written = doc[name]
      if (Array.isArray(written)) this.list(written, `/${name}`, 2, heading)
    }
  }

  list(children: readonly unknown[], list: string, depth: number, parent: TreeRow): void {
    for (const [index, child] of children.entries()) this.child(child, `${list}/${index}`, depth, parent, { list, index }, null)
  }

  child(child: unknown, pointer: string, depth: number, parent: TreeRow, place: Place | null, standIn: string | null): void {
    if (!isObject(child)) return
    if (typeof child.use === 'string') {
      const as = typeof child.as === 'string' ? child.as : null
      const words = wordsOn(child.with, undefined)
      const row = this.row({ pointer, kind: 'use', name: child.use, type: '', place, standIn, words, as }, depth, parent)
      for (const [slot, given] of Object.entries(isObject(child.slots) ? child.slots : {})) {
        const list = `${pointer}${below('/slots', slot)}`
        const heading = this.row({ pointer: list, kind: 'slot', name: slot, type: '' }, depth + 1, row)
        this.list(Array.isArray(given) ? given : [], list, depth + 2, heading)
      }
      return
    }
    if (typeof child.slot === 'string') {
      const heading = this.row({ pointer: `${pointer}/default`, kind: 'slot', name: child.slot, type: '' }, depth, parent)
      this.list(Array.isArray(child.default) ? child.default : [], `${pointer}/default`, depth + 1, heading)
      return
    }
    const type = typeOf(child.widget)
    const words = wordsOn(child.props, this.widgets.get(type))
    const row = this.row(
      { pointer, kind: 'node', name: String(child.id ?? ''), type, place, standIn, words, flags: flagsOf(child) },
      depth,
      parent,
    )
    const slots = slotsOf(child, this.widgets)
    const written = isObject(child.slots) ? child.slots : {}
    for (const slot of slots) {
      const list = `${pointer}${below('/slots', slot)}`
      const inside = Array.isArray(written[slot]) ? (written[slot] as unknown[]) : []
      if (slots.length === 1) this.list(inside, list, depth + 1, row)
      else {
        const heading = this.row({ pointer: list, kind: 'slot', name: slot, type: '' }, depth + 1, row)
        this.list(inside, list, depth + 2, heading)
      }
    }
    if (isObject(child.states))
      for (const [state, one] of Object.entries(child.states))
        this.child(one, `${pointer}${below('/states', state)}`, depth + 1, row, null, state)
    if (isObject(child.fallback)) this.child(child.fallback, `${pointer}/fallback`, depth + 1, row, null, 'fallback')
  }

  fields(fields: readonly unknown[], parent: TreeRow): void {
    for (const [index, field] of fields.entries()) {
      if (!isObject(field)) continue
      const place = { list: '/fields', index }
      const row = {
        pointer: `/fields/${index}`,
        kind: 'field' as const,
        name: String(field.name ?? ''),
        type: typeOf(widgetOf(field)),
      }
      this.row({ ...row, place, words: field.label, flags: flagsOf(field) }, 1, parent)
    }
  }
}

function flagsOf(node: Record<string, unknown>): RowFlag[] {
  const flags: RowFlag[] = []
  if (node.show === false) flags.push('never')
  else if (node.show !== undefined && node.show !== true) flags.push('conditional')
  if (node.enable !== undefined) flags.push('gated')
  if (node.repeat !== undefined) flags.push('repeats')
  if (node.critical === true) flags.push('critical')
  return flags
}

const telling = ['title', 'label', 'text', 'name', 'caption']

/** The prop that people read first: the label of the control, else a usual text prop, else any text. */
function wordsOn(props: unknown, widget: WidgetManifest | undefined): unknown {
  if (!isObject(props)) return undefined
  const named = widget?.label
  if (named && props[named] !== undefined) return props[named]
  const usual = telling.find((name) => props[name] !== undefined)
  if (usual !== undefined) return props[usual]
  return Object.values(props).find((value) => isObject(value) && '$t' in value)
}

/** Rows that are visible while the rows in `folded` are collapsed. */
export function visibleRows(rows: readonly TreeRow[], folded: ReadonlySet<string>): TreeRow[] {
  const shown: TreeRow[] = []
  let closedBelow = Number.POSITIVE_INFINITY
  for (const row of rows) {
    if (row.depth > closedBelow) continue
    closedBelow = folded.has(row.pointer) && row.children > 0 ? row.depth : Number.POSITIVE_INFINITY
    shown.push(row)
  }
  return shown
}

/** The row at the pointer, or the innermost row that contains it, for problems of its members. */
export function rowAt(rows: readonly TreeRow[], pointer: string): TreeRow | undefined {
  let found: TreeRow | undefined
  for (const row of rows)
    if ((pointer === row.pointer || pointer.startsWith(`${row.pointer}/`)) && row.pointer.length >= (found?.pointer.length ?? 0))
      found = row
  return found
}
