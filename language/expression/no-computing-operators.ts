import type { Operator } from '#language/expression/operator.ts'

/** What a browser starts with in place of computing-operators.ts (package.json, imports). */
export const computingOperators: Readonly<Record<string, Operator>> = {}
