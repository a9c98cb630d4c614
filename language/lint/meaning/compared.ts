import { nearest } from '#language/documents/nearest.ts'
import { operators } from '#language/expression/operators.ts'
import { expressionsIn, operationsIn } from '#language/lint/trees.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import { below } from '#language/text/position.ts'
import type { LintProblem } from '#language/types/catalog.ts'
import { typeOfLogic } from '#language/types/paths.ts'
import { type Types, withoutNull } from '#language/types/types.ts'

/** A word that an expression compares with a value, and the type of that value. */
interface Comparison {
  value: unknown
  word: unknown
  pointer: string
}

/**
 * Checks words that stand in lists (`in`), in `case`, beside a member (`where`) and inside iterations: each can occur. Plain comparisons are
 * judged by the check of operands.
 */
export const comparedWords: Check = function* (world) {
  for (const entry of world.entries) {
    for (const place of entry.own.logics) yield* inLogic(world, entry, place.logic, world.typesAt(entry, place), place.pointer)
    for (const place of entry.own.values)
      for (const { logic, pointer } of expressionsIn(place.value, place.pointer))
        yield* inLogic(world, entry, logic, world.typesAt(entry, place), pointer)
  }
}

function* inLogic(world: World, entry: Entry, logic: unknown, types: Types, pointer: string): Generator<LintProblem> {
  for (const { op, args, pointer: at } of operationsIn(logic)) {
    for (const one of listed(op, args, pointer + at)) yield* strange(world, entry, one, types)
    const member = typeof args[1] === 'string' ? args[1] : undefined
    const isLookup = op === 'where' || op === 'whereIn'
    if (!isLookup && !operators[op]?.body) continue
    const element = withoutNull(typeOfLogic(args[0], types).type).items
    if (!element) continue
    const inside: Types = { item: element }
    if (!isLookup) {
      for (const one of compared(args[1], below(pointer + at, 1))) yield* strange(world, entry, one, inside)
    } else if (member !== undefined)
      for (const word of [args[2]].flat())
        yield* strange(world, entry, { value: `item.${member}`, word, pointer: below(pointer + at, 2) }, inside)
  }
}

/** Comparisons of one operation with several words. */
function listed(op: string, args: readonly unknown[], pointer: string): Comparison[] {
  const [value, ...rest] = args
  if (op === 'in' && Array.isArray(rest[0])) return rest[0].map((word, i) => ({ value, word, pointer: below(below(pointer, 1), i) }))
  if (op !== 'case') return []
  return rest.flatMap((word, i) => (i % 2 === 0 && i + 1 < rest.length ? [{ value, word, pointer: below(pointer, i + 1) }] : []))
}

/** Comparisons inside the body of an iteration, whose paths start at the element. */
function* compared(body: unknown, pointer: string): Generator<Comparison> {
  for (const { op, args, pointer: at } of operationsIn(body)) {
    const all =
      op === '===' || op === '!==' ? [{ value: args[0], word: args[1], pointer: below(pointer + at, 1) }] : listed(op, args, pointer + at)
    for (const one of all) {
      const path = typeof one.value === 'object' && one.value !== null ? (one.value as { var?: unknown }).var : undefined
      if (typeof path === 'string') yield { ...one, value: `item.${path}` }
    }
  }
}

function* strange(world: World, entry: Entry, { value, word, pointer }: Comparison, types: Types): Generator<LintProblem> {
  if (typeof word !== 'string') return
  const { enum: words } = withoutNull(typeOfLogic(value, types).type)
  if (!words || words.includes(word)) return
  const suggestion = nearest(word, words.map(String))
  yield world.report('operands', entry, pointer, `"${word}" is none of ${words.join(', ')}`, { suggestion })
}
