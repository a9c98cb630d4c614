import { expect, test } from 'vitest'
import { sessionLimits } from '#api-server/account/sessions/session.rules.ts'
import { operatorLimits } from '#config-server/operators/operator.rules.ts'
import { sentTokenHash } from '#server-kit/security/secrets.ts'
import { isOver, isSeenAgain, newSession } from '#server-kit/security/sessions.ts'

const now = 1_800_000_000_000

for (const [whose, limits] of [
  ['customer', sessionLimits],
  ['operator', operatorLimits],
] as const) {
  const { idleMs, absoluteMs, seenEveryMs } = limits
  test.for<[name: string, seen_at: number, expires_at: number, over: boolean]>([
    ['just used', now, now + absoluteMs, false],
    ['idle for almost too long', now - idleMs + 1, now + 1, false],
    ['idle for too long', now - idleMs, now + 1, true],
    ['used to the last, and old', now, now, true],
  ])(`session of one ${whose}: %s`, ([, seen_at, expires_at, over]) => {
    expect(isOver({ seen_at, expires_at }, limits, now)).toBe(over)
  })

  test(`the last use by one ${whose} is written from time to time`, () => {
    expect(isSeenAgain({ seen_at: now - seenEveryMs + 1 }, limits, now)).toBe(false)
    expect(isSeenAgain({ seen_at: now - seenEveryMs }, limits, now)).toBe(true)
  })

  test(`a new session of one ${whose} is found by its token and lives as long as it may`, () => {
    const { token, session } = newSession(limits, now)
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(session).toMatchObject({ created_at: now, seen_at: now, expires_at: now + absoluteMs })
    expect(sentTokenHash(token)).toEqual(session.token_hash)
    expect(JSON.stringify(session)).not.toContain(token)
  })
}

test('what is too long for a token is not looked up', () => {
  expect(sentTokenHash('x'.repeat(200))).toBeInstanceOf(Buffer)
  expect(sentTokenHash('x'.repeat(201))).toBeUndefined()
})
