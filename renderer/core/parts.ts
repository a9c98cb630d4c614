import type { Widget } from '#renderer/core/registry.ts'

/** The part of a prop's schema that the engine reads: which parts are lists and objects, and which may be absent. zod and its replacement both have it. */
export interface Schema {
  def: { type: string; shape?: Readonly<Record<string, Schema>>; element?: Schema; innerType?: Schema; options?: readonly Schema[] }
}

type Holds = (value: unknown) => boolean

/** How the engine judges the value of one prop before a view sees it. */
export interface PropPart {
  /** Whether nothing that is required is absent from the value, except texts and numbers in rows of lists; undefined where any value holds. */
  holds: Holds | undefined
  /** Null counts as absent. */
  absentNull: boolean
  /** The view is not drawn without it. */
  needed: boolean
}

const isObject: Holds = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const wrappers = new Set(['optional', 'nullable', 'default'])
const openTypes = new Set(['unknown', 'any'])

const isThere: Holds = (value) => value !== undefined && value !== null

/**
 * @param row it stands in a list. One absent text shall not take the whole list away, so the view draws nothing in its place; an object
 * that stands alone is drawn as a whole or not at all
 */
function holdsOf({ def }: Schema, row: boolean): Holds | undefined {
  const { type, shape = {}, element, innerType, options = [] } = def
  if (innerType && wrappers.has(type)) {
    const inner = holdsOf(innerType, row)
    return inner && ((value) => !isThere(value) || inner(value))
  }
  if (type === 'union') {
    const any = options.map((option) => holdsOf(option, row))
    return any.every((holds) => holds !== undefined) ? (value) => any.some((holds) => holds?.(value)) : undefined
  }
  if (type === 'array') {
    const each = element && holdsOf(element, true)
    return each ? (value) => Array.isArray(value) && value.every(each) : Array.isArray
  }
  if (type === 'record') return isObject
  if (type !== 'object') return undefined
  const members = Object.entries(shape).flatMap(([name, schema]): [string, Holds][] => {
    const holds = holdsOf(schema, row) ?? (row || isOptional(schema) ? undefined : isThere)
    return holds ? [[name, holds]] : []
  })
  return (value) => isObject(value) && members.every(([name, holds]) => holds((value as Record<string, unknown>)[name]))
}

const isOptional = ({ def }: Schema): boolean => wrappers.has(def.type) || openTypes.has(def.type)
const isNullable = ({ def }: Schema): boolean => def.type === 'nullable' || (def.innerType !== undefined && isNullable(def.innerType))
const known = new WeakMap<Widget, ReadonlyMap<string, PropPart>>()

/** How the props of a widget are judged, by name. Made once for each widget. */
export function partsOf(widget: Widget): ReadonlyMap<string, PropPart> {
  let parts = known.get(widget)
  if (!parts) {
    const { empty, without = [] } = widget.states
    const drawn = new Set([...without, ...(empty?.by === 'self' ? [empty.prop] : [])])
    const shape = (widget.props as Partial<Schema> | undefined)?.def?.shape ?? {}
    const list = Object.entries(shape).map(([name, schema]): [string, PropPart] => {
      const holds = holdsOf(schema, false)
      const needed = holds !== undefined && !wrappers.has(schema.def.type) && !drawn.has(name)
      return [name, { holds, absentNull: !isNullable(schema), needed }]
    })
    known.set(widget, (parts = new Map(list)))
  }
  return parts
}

/** The value as a view gets it: undefined when it is null without being allowed to, or when a required list or object in it is absent. */
export function given(value: unknown, part: PropPart | undefined): unknown {
  if (!part || value === undefined) return value
  if (value === null) return part.absentNull ? undefined : value
  return part.holds && !part.holds(value) ? undefined : value
}
