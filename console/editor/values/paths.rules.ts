import type { Say } from '#console/io/words.ts'
import { operators } from '#language/expression/operators.ts'
import { reference } from '#language/expression/reference.ts'
import type { JsonSchema } from '#language/types/catalog.ts'
import { typeOfPath } from '#language/types/paths.ts'
import { type Types, withoutNull } from '#language/types/types.ts'
import { type Counted, coinOf, countedOf } from '#language/types/units.ts'

/** A readable path, with its type in words. */
export interface PathHint {
  path: string
  type: string
}
const hintsMax = 200

/**
 * Paths that complete the typed text by one or two names, and functions whose name starts with it: `data.info.av` offers the members of `data.info`,
 * `wallet.w` offers `wallet.withdrawFee(` with the names of its parameters.
 */
export function pathsFrom({ functions = [], ...types }: Types, typed: string, say: Say): PathHint[] {
  const called = functions
    .filter(({ name }) => typed !== '' && name.startsWith(typed))
    .map(({ name, params }): PathHint => ({ path: `${name}(`, type: params.map((param) => param.name).join(', ') }))
  const dot = typed.lastIndexOf('.')
  if (dot < 0)
    return [...Object.entries(types).flatMap(([root, type]) => [hint(root, type, say), ...membersOf(root, type, say)]), ...called].slice(
      0,
      hintsMax,
    )
  if (called.length > 0) return called
  const base = typed.slice(0, dot)
  const { type, problems } = typeOfPath(base, types)
  if (problems.length > 0) return []
  return membersOf(base, type, say)
    .flatMap((one) => [one, ...membersOf(one.path, typeOfPath(one.path, types).type, say)])
    .slice(0, hintsMax)
}

function membersOf(base: string, written: JsonSchema, say: Say): PathHint[] {
  const type = withoutNull(written)
  const shapes = type.anyOf ?? [type]
  return shapes.flatMap((shape) => Object.entries(shape.properties ?? {}).map(([name, part]) => hint(`${base}.${name}`, part, say)))
}

const hint = (path: string, type: JsonSchema, say: Say): PathHint => ({ path, type: nameOfType(type, say) })

/** A type in words: "an amount in USD", "a text", "a list". */
export function nameOfType(written: JsonSchema, say: Say): string {
  const type = withoutNull(written)
  const counted = countedOf(type)
  if (counted) return unitName(type, counted, say)
  if (type.decimal) return say('editor.type_decimal')
  if (coinOf(type) !== undefined) return say('editor.type_coin')
  if (type.enum) return type.enum.slice(0, 4).join(' | ')
  if (type.anyOf) return [...new Set(type.anyOf.map((one) => nameOfType(one, say)))].join(' | ')
  if (type.type === 'array' || type.type === 'object' || type.type === 'boolean' || type.type === 'string')
    return say(`said.shape_${type.type}`)
  return type.type === 'integer' || type.type === 'number' ? say('said.shape_number') : ''
}

/** The unit with the coin of an amount: its code, or the member of the row that names it. */
function unitName(type: JsonSchema, { unit, coin }: Counted, say: Say): string {
  if (unit !== 'amount' && unit !== 'money') return say(`editor.unit_${unit}`)
  const named = coin ?? (typeof type.coin === 'string' ? type.coin : undefined)
  if (named === undefined) return say('editor.unit_amount')
  return say('editor.unit_amount_of', { coin: named.slice(named.lastIndexOf('.') + 1) })
}

const written = ['var', 'and', 'or', 'present', 'outer']
const calls = Object.keys(operators).filter((op) => /^[a-z]{2,}$/i.test(op) && !written.includes(op))

/** The word at the end of an expression that is being typed; empty where a new one starts. */
export const wordBefore = (text: string): string => /[\w.[\]-]*$/.exec(text)?.[0] ?? ''

/** Completions of a word of an expression: paths and functions of the domain, then operators. */
export function hintsFor(word: string, paths: readonly PathHint[]): PathHint[] {
  return [
    ...paths.filter(({ path }) => path.startsWith(word) && path !== word),
    ...calls.filter((op) => op.startsWith(word) && op !== word).map((op) => ({ path: `${op}(`, type: reference[op]?.takes ?? '' })),
  ]
}
