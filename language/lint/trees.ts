import type { Facts } from '#language/documents/walk.ts'
import { operators } from '#language/expression/operators.ts'
import { canonical } from '#language/publish/canonical.ts'
import { below } from '#language/text/position.ts'

/** Reads JSON-Logic trees, for checks of what expressions mean. */

/** One operation of a tree. */
export interface Operation {
  op: string
  args: readonly unknown[]
  /** Pointer below the expression. */
  pointer: string
}

/**
 * All operations of a tree, outermost first. Bodies of iterations give only the paths that they read outside the element.
 * @param withBodies all operations of bodies, too: for what does not depend on the element
 */
export function* operationsIn(logic: unknown, pointer = '', withBodies = false): Generator<Operation> {
  if (typeof logic !== 'object' || logic === null) return
  if (Array.isArray(logic)) {
    for (const [i, part] of logic.entries()) yield* operationsIn(part, below(pointer, i), withBodies)
    return
  }
  const [op] = Object.keys(logic)
  if (op === undefined) return
  const written = (logic as Record<string, unknown>)[op]
  const args: readonly unknown[] = Array.isArray(written) ? written : [written]
  const at = below(pointer, op)
  yield { op, args, pointer: at }
  const isIteration = operators[op]?.body === true
  for (const [i, arg] of args.entries()) {
    const inside = Array.isArray(written) ? below(at, i) : at
    yield* isIteration && i === 1 && !withBodies ? outerIn(arg, inside) : operationsIn(arg, inside, withBodies)
  }
}

function* outerIn(body: unknown, pointer: string): Generator<Operation> {
  if (typeof body !== 'object' || body === null) return
  for (const [name, part] of Object.entries(body)) {
    const at = below(pointer, name)
    if (name === 'outer' && !Array.isArray(body)) yield { op: 'var', args: Array.isArray(part) ? part : [part], pointer: at }
    yield* outerIn(part, at)
  }
}

/** Conditions that must all be true for a condition to be true. A plain path is a text. */
export function conjuncts(logic: unknown): readonly unknown[] {
  const parts = typeof logic === 'object' && logic !== null && 'and' in logic ? (logic as { and: unknown }).and : undefined
  return Array.isArray(parts) ? parts.flatMap(conjuncts) : [logic]
}

/** The path of an expression that is only a path. */
export function pathOf(logic: unknown): string | undefined {
  if (typeof logic === 'string') return logic
  const path = typeof logic === 'object' && logic !== null ? (logic as { var?: unknown }).var : undefined
  return typeof path === 'string' ? path : undefined
}

/** The operand of a `not`; undefined for any other expression. */
export function negated(logic: unknown): unknown {
  if (typeof logic !== 'object' || logic === null || !('!' in logic)) return undefined
  const inside = (logic as { '!': unknown })['!']
  return Array.isArray(inside) ? inside[0] : inside
}

/** Whether two conditions are written alike; a path is the same with and without `var`. */
export function isSame(a: unknown, b: unknown): boolean {
  const plain = (logic: unknown) => (typeof logic === 'string' ? { var: logic } : logic)
  return canonical(plain(a)) === canonical(plain(b))
}

/** All texts that an expression can return when they are literals: a literal text, or an `if` over texts. */
export function answersOf(value: unknown): readonly unknown[] | undefined {
  if (typeof value !== 'object' || value === null) return [value]
  const logic = '$' in value ? (value as { $: unknown }).$ : undefined
  return logic === undefined || typeof logic === 'string' ? undefined : branches(logic)
}

function branches(logic: unknown): readonly unknown[] | undefined {
  if (typeof logic !== 'object' || logic === null) return [logic]
  const args = (logic as { if?: unknown }).if
  if (!Array.isArray(args)) return undefined
  const ends = args.filter((_, i) => i % 2 === 1 || i === args.length - 1).map(branches)
  return ends.some((end) => end === undefined) ? undefined : ends.flatMap((end) => end as readonly unknown[])
}

/** All expressions of a document, with their pointers. */
export function* expressionsOf({ logics, values }: Facts): Generator<{ logic: unknown; pointer: string }> {
  for (const { logic, pointer } of logics) yield { logic, pointer }
  for (const { value, pointer } of values) yield* expressionsIn(value, pointer)
}

/** All expressions of a value, with their pointers. */
export function expressionsIn(value: unknown, pointer = ''): { logic: unknown; pointer: string }[] {
  if (typeof value !== 'object' || value === null) return []
  if ('$' in value && !Array.isArray(value)) return [{ logic: (value as { $: unknown }).$, pointer: below(pointer, '$') }]
  return Object.entries(value).flatMap(([name, part]) => expressionsIn(part, below(pointer, name)))
}

/** All paths that the expressions of a value read, without bodies of iterations. */
export function pathsIn(value: unknown): Set<string> {
  const found = new Set<string>()
  for (const { logic } of expressionsIn(value)) {
    if (typeof logic === 'string') found.add(logic)
    for (const { op, args } of operationsIn(logic)) if ((op === 'var' || op === 'has') && typeof args[0] === 'string') found.add(args[0])
  }
  return found
}
