import { limits } from '#language/documents/limits.ts'
import type { JsonSchema } from '#language/types/catalog.ts'
import { anything, withoutNull } from '#language/types/types.ts'

/** A warning below an expression. */
interface Warning {
  pointer: string
  message: string
}

/** Operators that give rows of their list. */
export const sameList = new Set(['filter', 'where', 'whereIn', 'search', 'toggle', 'prepend', 'first', 'last', 'slice', 'sort', 'distinct'])

/** The most rows of a list; undefined where nothing bounds it. A value that is no list has none. */
function mostOf(list: JsonSchema): number | undefined {
  const type = withoutNull(list)
  if (type.anyOf) {
    const each = type.anyOf.map(mostOf)
    return each.every((most) => most !== undefined) ? Math.max(...each) : undefined
  }
  return type.type === 'array' || type.type === undefined ? type.maxItems : 0
}

const sum = (mosts: readonly (number | undefined)[]) =>
  mosts.reduce<number | undefined>((all, most) => (all === undefined || most === undefined ? undefined : all + most), 0)

/** The result of an operator on lists, with the most rows that it can have. */
export function bounded(result: JsonSchema, op: string, args: readonly unknown[], types: readonly JsonSchema[]): JsonSchema {
  if (result.type !== 'array') return result
  const rows = mostOf(types[0] ?? anything)
  const least = (...mosts: readonly (unknown | undefined)[]) => {
    const known = mosts.filter((most) => typeof most === 'number')
    return known.length > 0 ? Math.min(...known) : undefined
  }
  const most =
    op === 'first' || op === 'last'
      ? least(rows, args[1])
      : op === 'slice'
        ? least(rows, args[2])
        : op === 'concat'
          ? sum(types.map(mostOf))
          : op === 'prepend'
            ? least(args[2])
            : op === 'whereIn'
              ? least(rows, mostOf(types[2] ?? anything))
              : op === 'toggle'
                ? rows && rows + 1
                : sameList.has(op) || op === 'map' || op === 'rename'
                  ? rows
                  : result.maxItems
  const { maxItems: _, ...rest } = result
  return most === undefined ? rest : { ...rest, maxItems: most }
}

/** Warns of an iteration over a list that may have more rows than an iteration works through. */
export function unbounded(op: string, list: JsonSchema, pointer: string): Warning[] {
  const most = mostOf(list)
  const max = limits.expressionItemsMax
  const type = withoutNull(list)
  if (most === undefined ? type.type === undefined && !type.anyOf : most <= max) return []
  const rows = most === undefined ? 'nothing says how many rows this list has at most' : `this list may have ${most} rows`
  const message = `${rows}: with more than ${max}, "${op}" shows an error. Name the greatest number in the contract of the call, or take "first(…, ${max})"`
  return [{ pointer, message }]
}

/** Arguments of operators that are conditions; `if` has one in each pair. */
function isCondition(op: string, i: number, count: number): boolean {
  if (op === '!' || op === 'and' || op === 'or') return true
  if (op === 'if') return i % 2 === 0 && i < count - 1
  return i === 1 && (op === 'filter' || op === 'all' || op === 'some' || op === 'none' || op === 'find')
}

/** Whether a value is the text of a number, which is true as a condition whatever the number: amounts, and words such as "0" and "1". */
export function isNumberText(type: JsonSchema): boolean {
  const { anyOf, decimal, type: name, enum: words } = withoutNull(type)
  if (anyOf) return anyOf.some(isNumberText)
  return name === 'string' && (decimal === true || words?.includes('0') === true)
}

export const numberTextWarning =
  'this number is a text, and as a condition even "0" is true: compare it ("… > 0"), or ask with "!!(…)" whether there is one'

/** Warns of texts of numbers that stand as conditions in an operator. */
export function textConditions(op: string, types: readonly JsonSchema[], at: (i: number) => string): Warning[] {
  return types.flatMap((type, i) =>
    isCondition(op, i, types.length) && isNumberText(type) ? [{ pointer: at(i), message: numberTextWarning }] : [],
  )
}
