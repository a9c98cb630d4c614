import type { JsonSchema, UnitKind } from '#language/types/catalog.ts'

/** Units of numbers in arithmetic: amounts, shares, rates, prices, lots and times. Unknown units are not reported. */

/** Unit of a value. Currencies are identified by the path of their code (`data.quote.from_code`) or by the code itself (`USD`). */
export interface Counted {
  unit: UnitKind
  coin?: string | undefined
  per?: string | undefined
}
export interface UnitProblem {
  pointer: string
  message: string
  suggestion?: string
}

const isCode = (coin: string) => /^[A-Z][A-Z0-9]*$/.test(coin)
/** A member name that was not resolved to a path is unknown. */
const known = (coin: string | true | undefined) => (typeof coin === 'string' && (isCode(coin) || coin.includes('.')) ? coin : undefined)
const isLiteral = (type: JsonSchema) => type.const !== undefined
const withoutEmpty = (type: JsonSchema) => type.anyOf?.filter((one) => one.type !== 'null' && !isLiteral(one))

/** Unit of a type; undefined when it is unknown. For a union, all types must have the same unit. */
export function countedOf(type: JsonSchema): Counted | undefined {
  if (type.unit) return { unit: type.unit, coin: known(type.coin), per: known(type.per) }
  const [first, ...others] = withoutEmpty(type) ?? []
  const counted = first && countedOf(first)
  return counted && others.every((one) => isSame(countedOf(one), counted)) ? counted : undefined
}

/** The currency that a text names: a path, `?` for an unknown one or one of several, undefined when the text names no currency. */
export function coinOf(type: JsonSchema): string | undefined {
  if (type.unit) return undefined
  if (type.coin !== undefined) return known(type.coin) ?? '?'
  const coins = new Set((withoutEmpty(type) ?? []).map(coinOf))
  if (coins.size === 0) return undefined
  return coins.size === 1 ? [...coins][0] : '?'
}

const isSame = (a: Counted | undefined, b: Counted) => a?.unit === b.unit && a.coin === b.coin && a.per === b.per

/** The members of a type that declare its unit. */
export function asType({ unit, coin, per }: Counted): JsonSchema {
  return { unit, ...(coin !== undefined && { coin }), ...(per !== undefined && { per }) }
}

/** Whether two currencies are known to differ: two codes, a code and a currency named by a row, or two members of one row. */
export function differ(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined || a === b) return false
  if (isCode(a) || isCode(b)) return true
  const row = (path: string) => path.slice(0, path.lastIndexOf('.'))
  return row(a) === row(b)
}

/** A record on a path, with the path to it. */
export interface Row {
  type: JsonSchema
  path: string
}

const isFree = (coin: string | true | undefined): coin is string => typeof coin === 'string' && known(coin) === undefined
const free = new WeakMap<JsonSchema, ReadonlySet<string>>()
/** Currency names inside a type that are not members of its records. */
function freeIn(type: JsonSchema): ReadonlySet<string> {
  const before = free.get(type)
  if (before) return before
  const names = new Set([type.coin, type.per].filter(isFree))
  for (const part of [type.items, ...(type.anyOf ?? [])]) if (part) for (const name of freeIn(part)) names.add(name)
  for (const part of Object.values(type.properties ?? {}))
    for (const name of freeIn(part)) if (!Object.hasOwn(type.properties ?? {}, name)) names.add(name)
  free.set(type, names)
  return names
}

/** Whether a type refers to currencies that depend on its place. */
export const namesCoin = (type: JsonSchema): boolean =>
  type.coin === true || type.anyOf?.some(({ coin }) => coin === true) === true || freeIn(type).size > 0

/** The type at a path, with its currencies as whole paths: names refer to the record, or to an outer record. */
export function placed(type: JsonSchema, path: string, rows: readonly Row[]): JsonSchema {
  if (type.coin === true) return { ...type, coin: path }
  if (type.anyOf?.some(({ coin }) => coin === true)) return { ...type, anyOf: type.anyOf.map((one) => placed(one, path, rows)) }
  const names = freeIn(type)
  if (names.size === 0) return type
  const found = [...names].flatMap((name) => {
    const row = rows.findLast((one) => Object.hasOwn(one.type.properties ?? {}, name))
    return row ? [[name, `${row.path}.${name}`] as const] : []
  })
  return found.length === 0 ? type : withCoins(type, new Map(found))
}

function withCoins(type: JsonSchema, paths: ReadonlyMap<string, string>): JsonSchema {
  if (freeIn(type).size === 0) return type
  const made = { ...type }
  if (isFree(type.coin)) made.coin = paths.get(type.coin) ?? type.coin
  if (isFree(type.per)) made.per = paths.get(type.per) ?? type.per
  if (type.items) made.items = withCoins(type.items, paths)
  if (type.anyOf) made.anyOf = type.anyOf.map((one) => withCoins(one, paths))
  if (type.properties) {
    const outer = new Map([...paths].filter(([name]) => !Object.hasOwn(type.properties ?? {}, name)))
    made.properties = Object.fromEntries(Object.entries(type.properties).map(([name, part]) => [name, withCoins(part, outer)]))
  }
  return made
}

/** The type outside an iteration, where currencies of its element cannot be identified. */
export function leaving(type: JsonSchema): JsonSchema {
  const isInside = (coin: string | true | undefined) => typeof coin === 'string' && coin.startsWith('.')
  if (!isInside(type.coin) && !isInside(type.per)) return type
  const { coin, per, ...rest } = type
  return type.unit ? { ...rest, ...(!isInside(coin) && { coin }), ...(!isInside(per) && { per }) } : { ...rest, coin: true }
}

/** The type without its unit. */
export function withoutUnit(type: JsonSchema): JsonSchema {
  if (type.unit === undefined && type.coin === undefined) return type
  const { unit: _, coin: __, per: ___, ...rest } = type
  return rest
}

/** Common part of two types that differ in their unit. */
export function common(a: JsonSchema, b: JsonSchema): JsonSchema {
  if (a.unit === b.unit && a.coin === b.coin && a.per === b.per) return a
  const rest = withoutUnit(a)
  if (a.unit === undefined && b.unit === undefined && a.coin !== undefined && b.coin !== undefined) return { ...rest, coin: true }
  if (a.unit === undefined || a.unit !== b.unit) return rest
  return { ...rest, unit: a.unit, ...(a.coin === b.coin && a.coin !== undefined && { coin: a.coin }) }
}

const names: Record<UnitKind, string> = {
  amount: 'an amount',
  money: 'an amount',
  share: 'a share (0 to 1)',
  percent: 'a percentage (0 to 100)',
  rate: 'a rate',
  price: 'a price',
  lots: 'lots',
  ms: 'milliseconds',
  s: 'seconds',
}
/** Readable name of a unit: `an amount in USD`, `a share (0 to 1)`. */
export function unitInWords({ unit, coin }: Counted): string {
  const isMoney = unit === 'amount' || unit === 'money' || unit === 'price'
  return isMoney && coin !== undefined && isCode(coin) ? `${names[unit]} in ${coin}` : names[unit]
}

const alike: readonly (readonly [UnitKind, UnitKind])[] = [
  ['rate', 'price'],
  ['money', 'amount'],
  ['money', 'price'],
]
export const isAlike = (a: UnitKind, b: UnitKind) =>
  a === b || alike.some(([one, other]) => (a === one && b === other) || (a === other && b === one))

/** Why one unit cannot replace the other or be added to it; undefined when it can. */
export function clash(a: Counted, b: Counted): 'unit' | 'coin' | undefined {
  if (!isAlike(a.unit, b.unit)) return 'unit'
  return a.unit !== 'rate' && b.unit !== 'rate' && differ(a.coin, b.coin) ? 'coin' : undefined
}

/** Readable reason why a value does not have the wanted unit. */
export function misfit(given: Counted, wanted: Counted): string | undefined {
  const why = clash(given, wanted)
  if (why === 'unit') return `${unitInWords(given)} where ${unitInWords(wanted)} is expected`
  return why && `an amount of the coin ${quoted(given.coin)} where one of ${quoted(wanted.coin)} is expected`
}
export const quoted = (coin: string | undefined) => (coin !== undefined && isCode(coin) ? coin : `"${coin}"`)

const sums: Record<string, string> = {
  '+': 'added',
  '-': 'subtracted',
  '%': 'divided',
  min: 'compared',
  max: 'compared',
  floorTo: 'compared',
}
const comparisons = new Set(['<', '<=', '>', '>=', '===', '!=='])

/** Unit of an operation, and the problems of its operands. */
export interface Computed {
  counted?: Counted | undefined
  problems: readonly UnitProblem[]
}
const nothing: Computed = { problems: [] }

/** Units that each format of `format` writes. Other formats take anything. */
const written: Record<string, readonly UnitKind[]> = {
  amount: ['amount', 'money', 'lots', 'percent'],
  signed: ['amount', 'money', 'lots', 'percent'],
  compact: ['amount', 'money', 'price', 'lots'],
  price: ['price', 'rate', 'money'],
  rate: ['rate', 'price'],
  percent: ['share'],
  fiat: ['amount', 'money', 'price'],
  date: ['ms'],
  dateTime: ['ms'],
  ago: ['ms'],
}
const formatFor: Record<UnitKind, string | undefined> = {
  amount: 'amount',
  money: 'amount',
  share: 'percent',
  percent: undefined,
  rate: 'rate',
  price: 'price',
  lots: 'amount',
  ms: 'dateTime',
  s: undefined,
}

const mayCount = ({ unit, coin, anyOf, items }: JsonSchema) => (unit ?? coin ?? anyOf ?? items) !== undefined

/**
 * The unit of an operation, from the units of its operands.
 * @param at returns the pointer of an operand
 */
export function computed(op: string, args: readonly unknown[], types: readonly JsonSchema[], at: (i: number) => string): Computed {
  if (op !== 'now' && op !== 'days' && !types.some(mayCount)) return nothing
  if (op === 'days') return { counted: { unit: 'ms' }, problems: [] }
  if (op === 'money') return moneyUnit(args, types, at)
  if (op === 'now') return { counted: { unit: 'ms' }, problems: [] }
  if (op === 'round') return { counted: types[0] && countedOf(types[0]), problems: [] }
  if (op === 'reduce') return { counted: types[1] && countedOf(leaving(types[1])), problems: [] }
  if (op === 'cat') return { problems: joined(args, types, at) }
  const isSum = Object.hasOwn(sums, op)
  if (!isSum && !['*', '/', 'format', 'before'].includes(op) && !comparisons.has(op)) return nothing
  const counted = types.map((type) => countedOf(isSum && types.length === 1 && type.items ? type.items : type))
  if (isSum) return { counted: counted.find((one) => one !== undefined), problems: unequal(counted, sums[op] as string, at) }
  if (comparisons.has(op)) return { problems: unequal(counted, 'compared', at) }
  if (op === 'before') return { problems: counted.flatMap((one, i) => wrong(one, { unit: 'ms' }, at(i))) }
  if (op === 'format') return formatted(args[0], counted[1], at)
  return op === '*' ? multiplied(counted, types, at) : divided(counted, types, at)
}

function wrong(given: Counted | undefined, wanted: Counted, pointer: string): UnitProblem[] {
  const message = given && misfit(given, wanted)
  return message === undefined ? [] : [{ pointer, message }]
}

/** Operands of an addition or comparison must have the same unit and currency. */
function unequal(counted: readonly (Counted | undefined)[], done: string, at: (i: number) => string): UnitProblem[] {
  const first = counted.findIndex((one) => one !== undefined)
  const left = counted[first]
  if (!left) return []
  return counted.flatMap((right, i) => {
    const why = i > first && right ? clash(left, right) : undefined
    if (!right || !why) return []
    const message =
      why === 'unit'
        ? `${unitInWords(left)} and ${unitInWords(right)} cannot be ${done}`
        : `amounts of two coins, ${quoted(left.coin)} and ${quoted(right.coin)}, cannot be ${done}`
    return [{ pointer: at(i), message }]
  })
}

function formatted(kind: unknown, given: Counted | undefined, at: (i: number) => string): Computed {
  const wanted = typeof kind === 'string' && Object.hasOwn(written, kind) ? written[kind] : undefined
  if (!given || !wanted) return nothing
  const suggestion = formatFor[given.unit]
  if (!wanted.includes(given.unit)) {
    const message = `format('${String(kind)}', …) writes ${unitInWords({ unit: wanted[0] as UnitKind })}, not ${unitInWords(given)}`
    return { problems: [{ pointer: at(1), message, ...(suggestion !== undefined && { suggestion: `format('${suggestion}', …)` }) }] }
  }
  if (kind === 'fiat')
    return differ(given.coin, 'USD')
      ? { problems: [{ pointer: at(1), message: `format('fiat', …) writes an amount in USD, not one of the coin ${quoted(given.coin)}` }] }
      : nothing
  // Percentages and times show their unit themselves.
  return kind === 'percent' || given.unit === 'ms' ? nothing : { counted: given, problems: [] }
}

/** Problems of `money`: a value that its kind does not write, and the coin of another amount. */
function moneyUnit(args: readonly unknown[], types: readonly JsonSchema[], at: (i: number) => string): Computed {
  const [value = {}, coin = {}] = types
  const shown = formatted(args[2] ?? 'amount', countedOf(value), () => at(0))
  return { problems: [...shown.problems, ...joined(['', args[1]], [value, coin], at)] }
}

const isRate = (one: Counted | undefined): one is Counted => one?.unit === 'rate' || one?.unit === 'price'
const isMoney = (one: Counted | undefined): one is Counted => one?.unit === 'amount'

function multiplied(counted: readonly (Counted | undefined)[], types: readonly JsonSchema[], at: (i: number) => string): Computed {
  const problems: UnitProblem[] = []
  let product: Counted | 'number' | undefined = 'number'
  for (const [i, one] of counted.entries()) {
    const literal = types[i]?.const
    if (literal !== undefined) {
      if (product !== 'number') problems.push(...noTime(product, '*', literal, at(i)))
      product = product === 'number' ? 'number' : scaled(product, '*', literal)
    } else if (one === undefined) product = undefined
    else if (product === 'number') product = i === 0 ? one : scaled(one, '*', types[0]?.const)
    else if (product?.unit === 'share') product = one
    else if (one.unit !== 'share') {
      const [amount, rate] = isRate(one) ? [product, one] : [one, product]
      product = undefined
      if (!isMoney(amount) || !isRate(rate)) continue
      if (differ(amount.coin, rate.per)) problems.push({ pointer: at(i), message: wrongWay(amount, rate, 'divided by it, not multiplied') })
      else product = { unit: 'amount', coin: rate.coin }
    }
  }
  return { counted: product === 'number' ? undefined : product, problems }
}

function divided([left, right]: readonly (Counted | undefined)[], types: readonly JsonSchema[], at: (i: number) => string): Computed {
  const by = types[1]?.const
  if (by !== undefined) return { counted: scaled(left, '/', by), problems: noTime(left, '/', by, at(1)) }
  if (types[0]?.const !== undefined)
    return { counted: isRate(right) ? { unit: right.unit, coin: right.per, per: right.coin } : undefined, problems: [] }
  if (right?.unit === 'share') return { counted: left, problems: [] }
  if (!isMoney(left) || !isRate(right)) return nothing
  if (differ(left.coin, right.coin))
    return { problems: [{ pointer: at(1), message: wrongWay(left, right, 'multiplied by it, not divided') }] }
  return { counted: { unit: 'amount', coin: right.per }, problems: [] }
}

function wrongWay(amount: Counted, rate: Counted, instead: string): string {
  const way = `${quoted(rate.coin)} for one ${quoted(rate.per)}`
  return `the ${rate.unit} is ${way}, so an amount of ${quoted(amount.coin)} is ${instead}`
}

/** Units that another number than their own factor makes unknown. */
const unscaled = new Set<UnitKind>(['share', 'percent', 'ms', 's'])

/** Milliseconds times 1,000, or seconds divided by it: no time is counted like that. */
function noTime(counted: Counted | undefined, op: '*' | '/', literal: unknown, pointer: string): UnitProblem[] {
  const wrong = Number(literal) === 1000 && counted?.unit === (op === '*' ? 'ms' : 's')
  return wrong ? [{ pointer, message: `${unitInWords(counted)} ${op === '*' ? 'multiplied' : 'divided'} by 1000 are no time` }] : []
}

/**
 * A unit multiplied or divided by a literal number. Milliseconds divided by 1000 are seconds; other results for times and shares are
 * unknown.
 */
function scaled(counted: Counted | undefined, op: '*' | '/', literal: unknown): Counted | undefined {
  if (counted?.unit === 'ms' && op === '/' && Number(literal) === 1000) return { unit: 's' }
  if (counted?.unit === 's' && op === '*' && Number(literal) === 1000) return { unit: 'ms' }
  if (counted?.unit === 'share' && op === '*' && Number(literal) === 100) return { unit: 'percent' }
  if (counted?.unit === 'percent' && op === '/' && Number(literal) === 100) return { unit: 'share' }
  return counted && unscaled.has(counted.unit) ? undefined : counted
}

/** Codes that are a literal part of a text, such as " USD". */
const codeIn = (arg: unknown) => (typeof arg === 'string' ? /^\s*([A-Z][A-Z0-9]{1,9})\s*$/.exec(arg)?.[1] : undefined)

/** A currency after an amount in a text must be that of the amount; none follows a share or a time. */
function joined(args: readonly unknown[], types: readonly JsonSchema[], at: (i: number) => string): UnitProblem[] {
  const coins = types.map((type, i) => codeIn(args[i]) ?? coinOf(type))
  return types.flatMap((type, i) => {
    const counted = countedOf(type)
    const next = coins.findIndex((coin, j) => j > i && coin !== undefined)
    const coin = coins[next]
    if (!counted || coin === undefined || coin === '?') return []
    if (!args.slice(i + 1, next).every((arg) => typeof arg === 'string' && arg.trim() === '')) return []
    if (['share', 'percent', 'ms', 's'].includes(counted.unit))
      return [{ pointer: at(i), message: `${unitInWords(counted)} stands before the coin ${quoted(coin)}` }]
    return differ(counted.coin, coin) ? [strange(counted, coin, at(next))] : []
  })
}

function strange({ coin: own }: Counted, beside: string, pointer: string): UnitProblem {
  const message = `the coin ${quoted(beside)} stands beside an amount of ${quoted(own)}`
  return { pointer, message, ...(own !== undefined && { suggestion: own }) }
}

/**
 * Members of one record, or parts of one text: a currency beside an amount must be that of the amount. Amounts in USD or BTC need no
 * currency beside them.
 */
export function besides(members: readonly { pointer: string; type: JsonSchema }[]): UnitProblem[] {
  if (!members.some(({ type }) => mayCount(type))) return []
  const coins = members.flatMap(({ pointer, type }) => {
    const coin = coinOf(type)
    return coin === undefined ? [] : [{ pointer, coin }]
  })
  if (coins.length === 0 || coins.some(({ coin }) => coin === '?')) return []
  return members.flatMap(({ pointer, type }) => {
    const counted = countedOf(type)
    if (!counted?.coin || (counted.unit !== 'amount' && counted.unit !== 'money') || isCode(counted.coin)) return []
    if (!coins.every(({ coin }) => differ(coin, counted.coin))) return []
    const [only, ...others] = coins
    return only && others.length === 0 ? [strange(counted, only.coin, only.pointer)] : [strange(counted, coins[0]?.coin ?? '', pointer)]
  })
}
