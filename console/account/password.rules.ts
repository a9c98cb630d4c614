import type * as z from 'zod'
import { operatorPasswordMin } from '#contract/console/console.rows.ts'

/** Issues of the fields of a new password, as text keys. */
export const passwordWords = { short: 'shell.problem.password_weak', different: 'shell.setup.different' } as const

/** The rules of two fields, a new password and the same once more, beside those of the call. @param name of the password's field */
export const chosenTwice = <V extends { again: string }>(schema: z.ZodType<V, V>, name: keyof V & string): z.ZodType<V, V> =>
  schema.superRefine((values, { addIssue }) => {
    const typed = String(values[name])
    if ([...typed].length < operatorPasswordMin) addIssue({ code: 'custom', path: [name], message: 'short' })
    else if (typed !== values.again) addIssue({ code: 'custom', path: ['again'], message: 'different' })
  })
