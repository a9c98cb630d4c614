import { expect, test } from 'vitest'
import { canonicalInviteCode, holdUntil, inviteCodeFrom } from '#api-server/account/account.rules.ts'

test('invite codes have no letters that are taken for each other, and are found however they are typed', () => {
  const code = inviteCodeFrom(new Uint8Array(Array.from({ length: 256 }, (_, i) => i)))
  expect(code).not.toMatch(/[01IO]/)
  expect(new Set(code).size).toBe(32)
  expect(canonicalInviteCode(' p8l6-7vnu\n')).toBe('P8L67VNU')
})

test.each<[until: number | null, now: number, shown: number | null]>([
  [null, 5, null],
  [5, 5, null],
  [6, 5, 6],
])('a hold until %s at %i', (until, now, shown) => {
  expect(holdUntil(until, now)).toBe(shown)
})
