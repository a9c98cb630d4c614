import Big from 'big.js'
import { plain } from '#contract/money.ts'
import type { Unit } from '#contract/units.ts'

/** Domain functions: documents and servers compute a figure with the same function. */

/** `decimal` is exact text such as "12.50", `integer` a safe integer. */
interface ValueOf {
  decimal: string
  integer: number
  text: string
  boolean: boolean
}
export type ValueKind = keyof ValueOf

/**
 * Type of a parameter or result: a kind, or a decimal with its unit. Currencies in units are variables: all amounts with one variable must
 * be amounts of the same currency.
 */
export type ValueType = ValueKind | { readonly decimal: Unit }
type KindOf<Type extends ValueType> = Type extends ValueKind ? Type : 'decimal'
/** An amount of the currency that a variable stands for. */
export const amountOf = (coin: string): { decimal: Unit } => ({ decimal: { unit: 'amount', coin } })
/** A price in the currency that a variable stands for. */
export const priceIn = (coin: string): { decimal: Unit } => ({ decimal: { unit: 'price', coin } })
export const share: { decimal: Unit } = { decimal: { unit: 'share' } }
export const lots: { decimal: Unit } = { decimal: { unit: 'lots' } }
export const kindOf = (type: ValueType): ValueKind => (typeof type === 'string' ? type : 'decimal')

type Arguments<Params extends Readonly<Record<string, ValueType>>> = { readonly [Name in keyof Params]: ValueOf[KindOf<Params[Name]>] }

/** A function that documents call by name: `wallet.withdrawFee(form.amount, data.info.fee, data.info.fee_rate, data.info.scale)`. */
interface DomainFunction<Params extends Readonly<Record<string, ValueType>>, Result extends ValueType> {
  /** Area and name: `wallet.withdrawFee`. */
  name: `${string}.${string}`
  /** One sentence: what the function computes and how it rounds. */
  about: string
  /** Parameters in the order of the call. */
  params: Params
  result: Result
  /** Examples, at least one. The gallery shows them and a test verifies them. */
  examples: readonly { args: Arguments<Params>; gives: ValueOf[KindOf<Result>] }[]
  /** Pure and exact. A document treats a thrown error as "cannot be computed". */
  run(args: Arguments<Params>): ValueOf[KindOf<Result>]
}
export type AnyFunction = DomainFunction<Readonly<Record<string, ValueType>>, ValueType>

/** Keeps the types of a function together. */
export function defineFunction<const Params extends Readonly<Record<string, ValueType>>, const Result extends ValueType>(
  definition: DomainFunction<Params, Result>,
): DomainFunction<Params, Result> {
  return definition
}

const decimal = /^-?(0|[1-9]\d{0,59})(\.\d{1,60})?$/

/** Converts an argument to its kind; undefined when that is impossible. */
function read(kind: ValueKind, value: unknown): ValueOf[ValueKind] | undefined {
  if (kind === 'text') return typeof value === 'string' ? value : undefined
  if (kind === 'boolean') return typeof value === 'boolean' ? value : undefined
  const isNumber = typeof value === 'number' && Number.isFinite(value)
  const text = isNumber ? plain(new Big(value)) : typeof value === 'string' && decimal.test(value) ? value : undefined
  if (kind === 'decimal' || text === undefined) return text
  const whole = Number(text)
  return Number.isSafeInteger(whole) ? whole : undefined
}

/** The functions as operators of the expression language, by name. */
export const operatorsOf = (functions: readonly AnyFunction[]) =>
  Object.fromEntries(
    functions.map((one) => {
      const count = Object.keys(one.params).length
      return [one.name, { min: count, max: count, run: keepingLast(one) }]
    }),
  )

/** Documents compute a figure in many places at once: a margin, and again in what follows from it. So each function keeps its last answer. */
function keepingLast(one: AnyFunction): (...args: unknown[]) => ValueOf[ValueKind] | null {
  let last: { args: readonly unknown[]; answer: ValueOf[ValueKind] | null } | undefined
  return (...args) => {
    const known = last?.args
    if (!last || !args.every((value, i) => Object.is(value, known?.[i]))) last = { args, answer: callWith(one, args) }
    return last.answer
  }
}

/**
 * Calls a function as documents do, with arguments in order. Returns null, which means "cannot be computed", when an argument is missing or
 * of another kind, or when the function throws.
 */
export function callWith({ params, run }: AnyFunction, given: readonly unknown[]): ValueOf[ValueKind] | null {
  const args: Record<string, ValueOf[ValueKind]> = {}
  for (const [i, [name, type]] of Object.entries(params).entries()) {
    const value = read(kindOf(type), given[i])
    if (value === undefined) return null
    args[name] = value
  }
  try {
    return run(args)
  } catch {
    return null
  }
}
