import { learn } from '#language/expression/expression.ts'
import { isFunctionName } from '#language/expression/operator.ts'
import { operators } from '#language/expression/operators.ts'
import { lazy } from '#renderer/core/lazy.ts'
import type { Engine } from '#renderer/engine/types.ts'

/** Names of language/expression/computing-operators.ts: no first screen computes with them, so their code comes after it, or with who does. */
const computing = new Set(
  '< <= > >= + - * / % min max round cat substr in map filter all none some reduce find floorTo object split len valid dirty match now before whereIn search toggle prepend sort slice last concat range distinct join sum case t days money'.split(
    ' ',
  ),
)

const allOperators = lazy(() => import('#language/expression/all-operators.ts'))

const isMissing = (op: string) => !Object.hasOwn(operators, op)

/**
 * Fetches the operators that are not here yet, and the functions of the domain where one of the documents calls one.
 * @throws when they cannot be had; the next call tries again
 */
export async function loadOperators(documents: readonly unknown[] = [], functions?: Engine['functions']): Promise<void> {
  const isCalling = documents.some((document) => neededBy(document).some((op) => isFunctionName(op) && isMissing(op)))
  const [known] = await Promise.all([isCalling ? functions?.() : undefined, isMissing('+') ? allOperators.load() : undefined])
  if (known) learn(known)
}

/** Whether every operator and function that the documents compute with is here. */
export const hasOperators = (documents: readonly unknown[]): boolean => !documents.some((document) => neededBy(document).some(isMissing))

const known = new WeakMap<object, readonly string[]>()

/** Computing operators and functions that a document uses. Documents never change, so each is read once. */
function neededBy(document: unknown): readonly string[] {
  if (typeof document !== 'object' || document === null) return []
  let needed = known.get(document)
  if (!needed) {
    const found = new Set<string>()
    collect(document, found)
    known.set(document, (needed = [...found]))
  }
  return needed
}

function collect(part: unknown, found: Set<string>): void {
  if (typeof part !== 'object' || part === null) return
  const [name = '', more] = Object.keys(part)
  if (more === undefined && (computing.has(name) || isFunctionName(name))) found.add(name)
  for (const inside of Object.values(part)) collect(inside, found)
}
