import type { Operator } from '#language/expression/operator.ts'

/** What a browser starts with in place of operators-more.ts (package.json, imports). */
export const moreOperators: Readonly<Record<string, Operator>> = {}
