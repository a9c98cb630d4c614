import type { FieldDoc, ValidationDoc } from '#language/documents/documents.ts'
import type { NodePlace } from '#language/documents/walk.ts'
import { order } from '#language/expression/arithmetic.ts'
import { type Decimal, decimalOf, digits } from '#language/expression/decimal.ts'
import { conjuncts, expressionsOf, isSame, negated, operationsIn, pathOf } from '#language/lint/trees.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import type { LintProblem } from '#language/types/catalog.ts'

const comparisons = new Set(['===', '!==', '<', '<=', '>', '>='])
/** Levels of identity verification. */
const kycLevels = [0, 1, 2]

/** Reports conditions that contradict themselves or an outer condition, or compare with impossible values. */
export const impossible: Check = function* (world) {
  const guarded = screensWithLogin(world)
  for (const entry of world.entries) {
    for (const { logic, pointer } of expressionsOf(entry.own)) {
      for (const { op, args, pointer: inside } of operationsIn(logic)) {
        const [left, right] = args
        if (comparisons.has(op) && args.some((arg, i) => i > 0 && typeof arg === 'object' && arg !== null && isSame(arg, args[i - 1])))
          yield world.report('impossible', entry, pointer + inside, 'a value is compared with itself')
        const kyc = comparisons.has(op) ? kycOf(op, left, right) : undefined
        if (kyc !== undefined)
          yield world.report('impossible', entry, pointer + inside, `"session.kyc" is 0, 1 or 2, so this is always ${kyc}`)
        if (op === 'and') yield* contradicting(world, entry, args.flatMap(conjuncts), pointer + inside)
      }
      if (guarded.has(entry.doc.id) && conjuncts(logic).some(isVisitors))
        yield world.report('impossible', entry, pointer, 'every route to this screen requires a login, so there are no visitors here')
    }
    for (const place of entry.own.nodes) yield* around(world, entry, place)
    for (const { field, pointer } of entry.own.nodes) if (field) yield* withItself(world, entry, field, pointer)
  }
}

/**
 * Reports a rule of a field that compares its value with itself: `form.<field>` is the same as `value` there, also when passed to a
 * validation.
 */
function* withItself(world: World, entry: Entry, { name, rules = [] }: FieldDoc, at: string): Generator<LintProblem> {
  const own = `form.${name}`
  for (const [i, rule] of rules.entries()) {
    if (typeof rule === 'string') continue
    const validation = 'use' in rule ? (world.find('validation', rule.use)?.doc as ValidationDoc | undefined) : undefined
    const given = 'use' in rule ? Object.entries(rule.with ?? {}) : []
    const same = new Set(['value', own, ...given.flatMap(([param, value]) => (isRead(value, own) ? [`params.${param}`] : []))])
    const read = 'use' in rule ? `${at}/rules/${i}/with` : `${at}/rules/${i}/test`
    for (const { op, args, pointer } of operationsIn('use' in rule ? validation?.test : rule.test)) {
      const paths = args.map(pathOf)
      if (comparisons.has(op) && new Set(paths).size === paths.length && paths.every((path) => path !== undefined && same.has(path)))
        yield world.report('impossible', entry, 'use' in rule ? read : read + pointer, `"${own}" is compared with itself`)
    }
  }
}

const isRead = (value: unknown, path: string) =>
  typeof value === 'object' && value !== null && '$' in value && (value.$ === path || pathOf(value.$) === path)

const isVisitors = (part: unknown) =>
  isSame(negated(part), 'session.logged_in') || isSame(part, { '===': [{ var: 'session.state' }, 'visitor'] })

/** Ids of screens whose routes all require a login. */
function screensWithLogin(world: World): ReadonlySet<string> {
  const routes = Object.values(world.routes?.routes ?? {})
  const open = new Set(routes.flatMap(({ screen, auth }) => (auth ? [] : [screen])))
  return new Set(routes.flatMap(({ screen }) => (open.has(screen) ? [] : [screen])))
}

/** The constant result of a comparison with the level; undefined when it varies. */
function kycOf(op: string, left: unknown, right: unknown): boolean | undefined {
  if (pathOf(left) !== 'session.kyc' || typeof left === 'string' || typeof right !== 'number') return undefined
  const holds = kycLevels.map((level) => compare(op, level, right))
  return holds.every((one) => one === holds[0]) ? holds[0] : undefined
}
function compare(op: string, a: number, b: number): boolean {
  if (op === '===') return a === b
  if (op === '!==') return a !== b
  if (op === '<') return a < b
  if (op === '<=') return a <= b
  return op === '>' ? a > b : a >= b
}

/** Parts that cannot both be true: one and its negation, or a lower bound above an upper bound. */
function* contradicting(world: World, entry: Entry, parts: readonly unknown[], pointer: string): Generator<LintProblem> {
  for (const part of parts) {
    const opposite = negated(part)
    if (opposite !== undefined && parts.some((other) => isSame(other, opposite)))
      yield world.report('impossible', entry, pointer, 'this is never true: it requires a condition and its opposite')
  }
  const bounds = new Map<string, { over?: Bound; under?: Bound }>()
  for (const part of parts) {
    for (const { name, side, ...bound } of boundsIn(part)) {
      const known = bounds.get(name) ?? {}
      const before = known[side]
      const by = before === undefined ? 1 : order(bound.at, before.at) * (side === 'over' ? 1 : -1)
      const isTighter = by > 0 || (by === 0 && bound.strict)
      bounds.set(name, isTighter ? { ...known, [side]: bound } : known)
    }
  }
  for (const [name, { over, under }] of bounds)
    if (over !== undefined && under !== undefined && excludes(over, under, isWhole(name)))
      yield world.report('impossible', entry, pointer, `this is never true: no ${name} satisfies both bounds`)
}

/** A bound, itself excluded when it is strict. */
interface Bound {
  at: Decimal
  strict: boolean
}

/** Whether no value lies between two bounds. */
function excludes(over: Bound, under: Bound, whole: boolean): boolean {
  if (!whole) return order(over.at, under.at) > (over.strict || under.strict ? -1 : 0)
  const [low, high] = [over, under].map(({ at }) => Number(digits(at))) as [number, number]
  const first = over.strict ? Math.floor(low) + 1 : Math.ceil(low)
  const last = under.strict ? Math.ceil(high) - 1 : Math.floor(high)
  return first > last
}

/** Operands that are whole numbers: a level, the place of a row, a count. */
const isWhole = (name: string) => /^"?(?:\{"var":)?"?(?:session\.kyc|index)"?\}?$/.test(name) || name.startsWith('{"len":')

/** Bounds in a comparison: `a > 5` is a lower bound of a. A computed operand is identified by its text. */
function* boundsIn(part: unknown): Generator<Bound & { name: string; side: 'over' | 'under' }> {
  if (typeof part !== 'object' || part === null) return
  const [op = ''] = Object.keys(part)
  const args = (part as Record<string, unknown>)[op]
  if (!['<', '<=', '>', '>='].includes(op) || !Array.isArray(args) || args.length !== 2) return
  const [left, right] = args as [unknown, unknown]
  const number = (value: unknown) => (typeof value === 'number' || typeof value === 'string' ? decimalOf(String(value)) : undefined)
  const [a, b] = [number(left), number(right)]
  const strict = op.length === 1
  if (b !== undefined && a === undefined) yield { name: JSON.stringify(left), at: b, strict, side: op.startsWith('>') ? 'over' : 'under' }
  if (a !== undefined && b === undefined) yield { name: JSON.stringify(right), at: a, strict, side: op.startsWith('>') ? 'under' : 'over' }
}

/** Finds a node whose condition negates a condition of an outer node. */
function* around(world: World, entry: Entry, place: NodePlace): Generator<LintProblem> {
  if (place.node.show === undefined || place.fragment !== undefined) return
  const own = conjuncts(place.node.show)
  for (let outer = place.parent; outer; outer = outer.parent) {
    if (outer.node.show === undefined) continue
    const others = conjuncts(outer.node.show)
    const clash = own.some((part) =>
      others.some((other) => isSame(negated(part), other) || isSame(negated(other), part) || differ(part, other)),
    )
    if (clash) {
      yield world.report(
        'impossible',
        entry,
        `${place.pointer}/show`,
        `this is never shown: "${outer.node.id}" around it is only shown otherwise`,
      )
      return
    }
  }
}

/** Whether two comparisons compare one path with different literals. */
export function differ(a: unknown, b: unknown): boolean {
  const sides = (part: unknown) => {
    const args = typeof part === 'object' && part !== null ? (part as { '==='?: unknown })['==='] : undefined
    return Array.isArray(args) && args.length === 2 && typeof args[1] !== 'object' ? args : undefined
  }
  const [left, right] = [sides(a), sides(b)]
  return left !== undefined && right !== undefined && isSame(left[0], right[0]) && String(left[1]) !== String(right[1])
}
