import type { JsonSchema } from '#language/types/catalog.ts'
import { type Computed, countedOf, differ, isAlike, quoted, type UnitProblem, unitInWords } from '#language/types/units.ts'

/**
 * The unit of a function's result, and the problems of its arguments. Currencies of parameters are variables: equal names mean equal
 * currencies.
 */
export function called(
  params: readonly { name: string; type: JsonSchema }[],
  result: JsonSchema,
  types: readonly JsonSchema[],
  at: (i: number) => string,
): Computed {
  const bound = new Map<string, { coin: string; name: string }>()
  const bind = (variable: unknown, coin: string | undefined, name: string) => {
    if (typeof variable === 'string' && coin !== undefined && !bound.has(variable)) bound.set(variable, { coin, name })
  }
  const problems = params.flatMap(({ name, type }, i): UnitProblem[] => {
    const given = types[i] && countedOf(types[i])
    if (!given || !type.unit) return []
    if (!isAlike(given.unit, type.unit))
      return [{ pointer: at(i), message: `"${name}" takes ${unitInWords({ unit: type.unit })}, not ${unitInWords(given)}` }]
    const sides = [
      [type.coin, given.coin],
      [type.per, given.per],
    ] as const
    for (const [variable, coin] of sides) {
      const before = typeof variable === 'string' ? bound.get(variable) : undefined
      if (before && differ(before.coin, coin))
        return [{ pointer: at(i), message: `"${before.name}" is of the coin ${quoted(before.coin)} and "${name}" of ${quoted(coin)}` }]
      bind(variable, coin, name)
    }
    return []
  })
  if (!result.unit) return { problems }
  const coin = (variable: unknown) => (typeof variable === 'string' ? bound.get(variable)?.coin : undefined)
  return { counted: { unit: result.unit, coin: coin(result.coin), per: coin(result.per) }, problems }
}
