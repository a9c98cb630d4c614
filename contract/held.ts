import type * as z from 'zod'

/** How a value differs from what the contract declares. */
export interface Difference {
  /** Place in the value, `list.0.rate`; empty for the whole. */
  path: string
  /** The rule that it breaks, in English. */
  expected: string
}

/**
 * The first difference of a value from its schema; undefined where it fits.
 * @param exact members that the schema lacks are a difference too: for what is sent as it is
 */
export function differenceOf(schema: z.ZodType, value: unknown, exact = false): Difference | undefined {
  const read = schema.safeParse(value)
  if (!read.success) {
    const [issue] = read.error.issues
    return { path: issue?.path.join('.') ?? '', expected: issue?.message ?? '' }
  }
  const path = exact ? beyond(read.data, value) : undefined
  return path === undefined ? undefined : { path, expected: 'the contract has no such member' }
}

/** Path of the first member of a value that is missing in what was read of it. */
function beyond(read: unknown, value: unknown): string | undefined {
  if (typeof read !== 'object' || read === null || typeof value !== 'object' || value === null) return undefined
  for (const [name, part] of Object.entries(value)) {
    if (!Object.hasOwn(read, name)) return name
    const inner = beyond((read as Record<string, unknown>)[name], part)
    if (inner !== undefined) return `${name}.${inner}`
  }
  return undefined
}

/** An answer that differs from the row of its call: a mistake of the server. */
export class AnswerDiffers extends Error {
  readonly call: string
  readonly difference: Difference
  constructor(call: string, difference: Difference) {
    super(`${call} answers other than the contract says, at ${difference.path || 'the whole answer'}: ${difference.expected}`)
    this.name = 'AnswerDiffers'
    this.call = call
    this.difference = difference
  }
}
