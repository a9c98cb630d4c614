import { expect, test } from 'vitest'
import { createLog } from '#server-kit/ops/log.ts'
import { createAccessLog, refusesAccess } from '#server-kit/security/access-log.ts'

test.each<[problem: string, status: number, subject: string | undefined, refuses: boolean]>([
  ['unauthorized', 401, undefined, true],
  ['login_required', 401, undefined, true],
  ['verification_required', 403, 'user 1', true],
  ['forbidden', 403, 'operator 2', true],
  ['not_allowed', 403, 'operator 2', true],
  ['second_factor_required', 403, 'user 1', true],
  ['order_unknown', 404, 'user 1', true],
  ['not_found', 404, 'user 1', true],
  ['not_found', 404, undefined, false],
  ['login_failed', 403, undefined, false],
  ['symbol_unknown', 404, 'user 1', false],
  ['parameter_error', 400, 'user 1', false],
  ['internal', 500, 'user 1', false],
])('%s (%s) for %s refuses access: %s', (problem, status, subject, refuses) => {
  expect(refusesAccess(problem, status, subject)).toBe(refuses)
})

function stage() {
  const lines: Record<string, unknown>[] = []
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) })
  let at = 0
  const tell = createAccessLog(log, () => at)
  return { lines, tell, later: (ms: number) => void (at += ms) }
}

test('a line names route, problem, caller and address, and a flood has one a minute', () => {
  const { lines, tell, later } = stage()
  for (let i = 0; i < 5_000; i++) tell({ route: 'user.info', problem: 'unauthorized', ip: `203.0.113.${i % 250}` })
  expect(lines).toEqual([
    expect.objectContaining({
      level: 40,
      event: 'access_refused',
      route: 'user.info',
      problem: 'unauthorized',
      ip: '203.0.113.0',
      network: '203.0.113/24',
      left_out: 0,
      msg: 'access was refused',
    }),
  ])
  later(60_000)
  tell({ route: 'user.info', problem: 'unauthorized', ip: '203.0.113.9' })
  expect(lines.map((line) => line.left_out)).toEqual([0, 4_999])
})

test('other callers have lines of their own, 60 a minute at most', () => {
  const { lines, tell, later } = stage()
  tell({ route: 'lever.order', problem: 'order_unknown', subject: 'user 1', ip: '203.0.113.9' })
  tell({ route: 'lever.order', problem: 'order_unknown', subject: 'user 2', ip: '203.0.113.9' })
  expect(lines.map((line) => line.subject)).toEqual(['user 1', 'user 2'])
  for (let i = 0; i < 500; i++) tell({ route: 'user.info', problem: 'unauthorized', ip: `10.${i % 250}.${i}.1` })
  expect(lines).toHaveLength(60)
  later(60_000)
  tell({ route: 'user.info', problem: 'unauthorized', ip: '203.0.113.9' })
  expect(lines.at(-1)).toMatchObject({ left_out: 442 })
})
