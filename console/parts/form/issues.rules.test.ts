import { expect, test } from 'vitest'
import * as z from 'zod'
import { fieldOfProblem, withNeeded, wordsOfIssue } from '#console/parts/form/issues.rules.ts'
import { ConsoleError } from '#contract/console/console.answer.ts'
import { consoleCalls } from '#contract/console/console.calls.ts'

const login = consoleCalls['session.login'].input.pick({ name: true, password: true, code: true })
const issues = (schema: z.ZodType<unknown, never>, values: unknown) =>
  withNeeded(schema, ['name', 'code'])
    .safeParse(values)
    .error?.issues.map(({ path, message }) => `${path.join()} ${message}`) ?? []

test.each<[values: object, found: string[]]>([
  [{ name: 'ann', password: '', code: '123456' }, []],
  [{ name: '', password: 'p', code: '  ' }, ['name empty', 'code empty']],
  [{ name: 'a'.repeat(201), password: 'p', code: '123456' }, ['name too_big']],
  [{ name: 'ann', password: 'p'.repeat(1_101), code: '1'.repeat(21) }, ['password too_big', 'code too_big']],
  [{ name: '', password: 'p'.repeat(1_101), code: '1' }, ['name empty', 'password too_big']],
])('what is typed for a login, %j, has the issues %j', (values, found) => {
  expect(issues(login as never, values)).toEqual(found)
})

test('an issue of the form itself keeps its message', () => {
  const schema = z
    .object({ name: z.string(), code: z.string() })
    .refine(({ name, code }) => name === code, { path: ['code'], message: 'different' })
  expect(issues(schema as never, { name: 'a', code: 'b' })).toEqual(['code different'])
})

test.each([
  ['empty', 'shell.form.empty'],
  ['too_big', 'shell.form.long'],
  ['different', 'shell.setup.different'],
  ['invalid_format', 'shell.form.wrong'],
  ['constructor', 'shell.form.wrong'],
  [undefined, 'shell.form.wrong'],
])('an issue %j is said by %s', (message, key) => {
  expect(wordsOfIssue({ message }, { different: 'shell.setup.different' })).toBe(key)
})

const refused = (code: string, data?: unknown) => new ConsoleError(code, 422, '', data)
test.each<[unknown, string | undefined]>([
  [refused('password_weak', { field: 'password' }), 'password'],
  [refused('password_weak', { field: 'token' }), undefined],
  [refused('name_taken'), 'name'],
  [refused('internal'), undefined],
  [refused('constructor'), undefined],
  [new Error('x'), undefined],
])('the refusal %j stands at %s', (problem, field) => {
  expect(fieldOfProblem(problem, { name_taken: 'name' }, ['name', 'password'])).toBe(field)
})
