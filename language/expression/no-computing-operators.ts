import type { Operator } from '#language/expression/operator.ts'

/** Replaces computing-operators.ts at the start of a browser (package.json, imports). */
export const computingOperators: Readonly<Record<string, Operator>> = {}
