import { expect, test } from 'vitest'
import { askAgain, codeLimits, codeOf, countsOf, verdict } from '#api-server/account/codes/code.rules.ts'
import { badTexts } from '#tests/support/bad-inputs.ts'

const now = 1_800_000_000_000
const minute = 60_000
const day = codeLimits.dayMs
/** Ten codes, the oldest of them so many ms ago. */
const ten = (oldestAgo: number) => Array.from({ length: 10 }, (_, i) => now - oldestAgo + i * 2 * minute)

test.each<[name: string, sent: number[], asked: ReturnType<typeof askAgain>]>([
  ['the first', [], { outcome: 'send', sent: [now] }],
  ['59 s later', [now - 59_000], { outcome: 'code_too_soon', waitMs: 1_000 }],
  ['60 s later', [now - minute], { outcome: 'send', sent: [now - minute, now] }],
  ['the eleventh of a day', ten(day - 1), { outcome: 'code_daily_limit', waitMs: 1 }],
  ['the eleventh a day after the first', ten(day), { outcome: 'send', sent: [...ten(day).slice(1), now] }],
  ['too soon comes before the limit of the day', [...ten(day - 1).slice(0, 9), now - 1], { outcome: 'code_too_soon', waitMs: minute - 1 }],
])('%s', (_name, sent, asked) => {
  expect(askAgain(sent, now, codeLimits)).toEqual(asked)
})

test('a count of several askers has no minute between two codes', () => {
  expect(askAgain([now - 1], now, { perDay: 2, resendMs: 0 })).toEqual({ outcome: 'send', sent: [now - 1, now] })
  expect(askAgain([now - 2, now - 1], now, { perDay: 2, resendMs: 0 })).toEqual({ outcome: 'code_daily_limit', waitMs: day - 2 })
})

test('askers and scenes have counts of their own; who has not proved to own the address shares one more with all others', () => {
  const subjects = (scene: 'register' | 'reset_password' | 'bind_email', asker: string, owns: boolean, network = asker) =>
    countsOf({ scene, target: 'a@mail.example', asker, network, owns }).map(({ subject }) => subject)
  const [ann, all] = subjects('register', 'range:1', false)
  const [bob, again] = subjects('register', 'range:2', false)
  expect(new Set([ann, all, bob])).toHaveLength(3)
  expect(again).toBe(all)
  const [reset, shared] = subjects('reset_password', 'range:1', false)
  expect([reset === ann, shared]).toEqual([false, all])
  const [account, network, bound] = subjects('bind_email', 'account:1', false, 'range:1')
  const [other, sameNetwork] = subjects('bind_email', 'account:2', false, 'range:1')
  expect([account === other, network === sameNetwork, bound]).toEqual([false, true, all])
  expect(subjects('register', 'range:1', true)).toEqual([ann])
})

const fresh = { expires_at: now + 1, wrong: 0, used_at: null }
test.each<[name: string, state: Parameters<typeof verdict>[0], matches: boolean, said: ReturnType<typeof verdict>]>([
  ['right', fresh, true, 'right'],
  ['wrong', fresh, false, 'code_wrong'],
  ['none was sent', undefined, true, 'code_wrong'],
  ['ten minutes old', { ...fresh, expires_at: now }, true, 'code_wrong'],
  ['used', { ...fresh, used_at: now - 1 }, true, 'code_wrong'],
  ['right after four wrong', { ...fresh, wrong: 4 }, true, 'right'],
  ['right after five wrong', { ...fresh, wrong: 5 }, true, 'code_void'],
  ['used, after five wrong', { ...fresh, wrong: 5, used_at: now }, true, 'code_wrong'],
])('a code that is %s', (_name, state, matches, said) => {
  expect(verdict(state, matches, now)).toBe(said)
})

test('a code is six ASCII digits', () => {
  for (const text of ['000000', '000 000', '000-000\n', '００００００', '๐๐๐๐๐๐', '٠٠٠٠٠٠']) expect(codeOf(text), text).toBe('000000')
  for (const text of ['', '12345', '1234567', '１２３４５', '12345²', '12345a']) expect(codeOf(text), text).toBe('')
  for (const { value, note } of badTexts('otp')) if (/five|seven/.test(note)) expect(codeOf(value)).toBe('')
})
