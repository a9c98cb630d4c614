import * as z from 'zod'
import { ConsoleError } from '#contract/console/console.answer.ts'

/** Messages of a form's own issues → text keys. */
export type IssueWords = Readonly<Record<string, string>>

const empty = 'empty'
const own: IssueWords = { [empty]: 'shell.form.empty' }

/** The schema, and beside it: none of the needed fields is empty, blanks alone included. */
export function withNeeded<V>(schema: z.ZodType<unknown, V>, needed: readonly string[]): z.ZodType<unknown, V> {
  return z.unknown().superRefine((values, { addIssue }) => {
    const typed = values as Record<string, unknown>
    const lacking = needed.filter((name) => String(typed[name] ?? '').trim() === '')
    for (const name of lacking) addIssue({ code: 'custom', path: [name], message: empty })
    const read = schema.safeParse(values)
    for (const issue of read.error?.issues ?? [])
      if (!lacking.includes(String(issue.path[0])))
        addIssue({ code: 'custom', path: [...issue.path], message: issue.code === 'custom' ? issue.message : issue.code })
  }) as unknown as z.ZodType<unknown, V>
}

/** Text key of an issue; a message that no table knows says only that the value does not fit. */
export function wordsOfIssue({ message }: { message?: unknown }, words: IssueWords): string {
  const all: IssueWords = { ...own, too_big: 'shell.form.long', ...words }
  return typeof message === 'string' && Object.hasOwn(all, message) ? all[message]! : 'shell.form.wrong'
}

/**
 * The field at which a refusal stands.
 * @param fields fields of problems that name none, by their codes
 * @param names fields of the form
 */
export function fieldOfProblem(problem: unknown, fields: Readonly<Record<string, string>>, names: readonly string[]): string | undefined {
  if (!(problem instanceof ConsoleError)) return undefined
  const named = (problem.data as { field?: unknown } | undefined)?.field
  if (typeof named === 'string' && names.includes(named)) return named
  return Object.hasOwn(fields, problem.code) ? fields[problem.code] : undefined
}
