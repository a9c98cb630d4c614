import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { createLog, type Log } from '#server-kit/ops/log.ts'

const typed = 'Ann Lee K1234567'

/** Returns the lines that a log writes while `work` uses it. */
function written(work: (log: Log) => void): string[] {
  const lines: string[] = []
  const sink = new Writable({
    write(part: Buffer, _encoding, done) {
      lines.push(part.toString())
      done()
    },
  })
  work(createLog('trace', sink))
  return lines
}
/** An error as the drivers of the databases make it. */
const broken = (message: string, more: object, options?: ErrorOptions) => Object.assign(new Error(message, options), more)

test.each<[what: string, error: Error, said: RegExp]>([
  ['a check', broken('violates check', { code: '23514', detail: `Failing row contains (1, ${typed}).`, constraint: 'level' }), /"level"/],
  ['a second row', broken('duplicate key', { code: '23505', detail: `Key (email)=(${typed}) already exists.` }), /duplicate key/],
  ['a missing row', broken('violates foreign key', { code: '23503', detail: `Key (uid)=(${typed}) is not present.` }), /foreign key/],
  ['a statement', broken('syntax error', { code: '42601', query: `select '${typed}'`, params: [typed], hint: typed }), /"42601"/],
  ['a value', broken(`invalid input syntax for type integer: "${typed}"`, { code: '22P02', where: typed }), /type integer/],
  ['a number', broken(`value "${typed}" is out of range`, { code: '22003' }), /"message":"value /],
  [
    'a cause',
    broken('not done', { code: 'internal' }, { cause: broken(`invalid date: "${typed}"`, { code: '22007' }) }),
    /not done: invalid date/,
  ],
  ['a row that was not there', broken('no result', { node: { kind: 'ValueNode', value: typed } }), /no result/],
  ['a server within', broken('gone', { internalQuery: typed, code: '57P01' }), /"57P01"/],
])('an error of the database about %s says what happened, and nothing of the row', (_what, error, said) => {
  const [line = '', ...more] = written((log) => log.error({ err: error, path: '/api/x' }, 'request failed'))
  expect(more).toEqual([])
  expect(line).toMatch(said)
  expect(line).toContain('log.test.ts')
  for (const one of [typed, 'Ann', 'K1234567']) expect(line).not.toContain(one)
})

test('every other error is told whole, with its cause; what is no error is told as it is', () => {
  const cause = broken('the disk is "full"', { code: 'ENOSPC' })
  const lines = written((log) => {
    log.warn({ err: broken('no checkpoint', { code: 'X22' }, { cause }) }, 'x')
    log.warn({ err: 'plain' }, 'x')
    log.warn({ err: undefined }, 'x')
  })
  expect(lines[0]).toContain('no checkpoint: the disk is \\"full\\"')
  expect(JSON.parse(lines[1]!)).toMatchObject({ err: 'plain' })
  expect(lines).toHaveLength(3)
})

test('an error that is its own cause ends', () => {
  const error = broken('round', { code: '22P02' })
  error.cause = error
  expect(written((log) => log.error({ err: error }, 'x'))).toHaveLength(1)
})

test('secrets that are named are hidden', () => {
  const secret = 'quite-secret-31'
  const [line] = written((log) =>
    log.info(
      { token: secret, password: secret, code: secret, sent: { token: secret, password: secret }, req: { headers: { cookie: secret } } },
      'x',
    ),
  )
  expect(line).not.toContain(secret)
  expect(line).toContain('[hidden]')
})
