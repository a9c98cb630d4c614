import { operators } from '#language/operators.ts'

/** Operators of language/operators-more.ts: no first screen computes with them, so their code comes after it, or with who does. */
const late = new Set(
  '< <= > >= + - * / % min max round cat substr in map filter all none some reduce len valid dirty match now before whereIn search toggle prepend'.split(
    ' ',
  ),
)

const isHere = () => Object.hasOwn(operators, '+')

/** Fetches them. @throws when they cannot be had; the next call tries again */
export async function readyToCompute(): Promise<void> {
  if (!isHere()) await import('#language/late-operators.ts')
}

/** Whether every operator that the documents compute with is here. */
export const canCompute = (documents: readonly unknown[]): boolean => isHere() || !documents.some(isLate)

function isLate(part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return false
  const [name = '', more] = Object.keys(part)
  return (more === undefined && late.has(name)) || Object.values(part).some(isLate)
}
