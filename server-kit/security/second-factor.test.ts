import { generate } from 'otplib'
import { expect, test } from 'vitest'
import { type Factor, hyphened, judgeFactor, newRecoveryCodes, readRecoveryCode } from '#server-kit/security/second-factor.ts'
import { newTotpSecret } from '#server-kit/security/totp.ts'

test.for([
  ['abcd-efgh-jkmn', 12, 'abcdefghjkmn'],
  ['ABCD efgh JKMN', 12, 'abcdefghjkmn'],
  ['abcdefghjkmn', 12, 'abcdefghjkmn'],
  ['ａｂｃｄ－ｅｆｇｈ－ｊｋｍｎ', 12, 'abcdefghjkmn'],
  ['ABCDE FGH23', 10, 'abcdefgh23'],
  ['abcd-efgh-jkm', 12, undefined],
  ['abcd-efgh-jkmnp', 12, undefined],
  ['abcd-efgh-jkm0', 12, undefined],
  ['123456', 12, undefined],
  ['', 10, undefined],
  ["' OR 1=1", 10, undefined],
] as const)('%j of %i characters is read as %j', ([typed, characters, code]) => {
  expect(readRecoveryCode(typed, characters)).toBe(code)
})

test.for([
  [10, 5, /^[a-z2-9]{5}-[a-z2-9]{5}$/],
  [12, 4, /^[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}$/],
] as const)('codes of %i characters that were made are read back', ([characters, every, form]) => {
  const codes = newRecoveryCodes({ count: 10, characters })
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) {
    const shown = hyphened(code, every)
    expect(shown).toMatch(form)
    expect(readRecoveryCode(shown, characters)).toBe(code)
  }
})

const now = 1_800_000_000_000
const step = Math.floor(now / 30_000)
const secret = newTotpSecret()
const totp = () => generate({ secret, epoch: now / 1_000 })
const factor: Factor = { secret: () => secret, lastStep: 0, recoveryCharacters: 10 }

test('a right code is taken for its step, a later or equal step that was taken closes it', async () => {
  const code = await totp()
  expect(await judgeFactor(code, factor, now)).toEqual({ kind: 'totp', step })
  const wide = [...code].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join('')
  const thai = [...code].map((digit) => String.fromCodePoint(0xe50 + Number(digit))).join('')
  for (const typed of [`${code.slice(0, 3)} ${code.slice(3)}`, wide, thai, `${thai}\u00a0`])
    expect(await judgeFactor(typed, factor, now), typed).toEqual({ kind: 'totp', step })
  for (const lastStep of [step, step + 1, step + 1_000]) expect(await judgeFactor(code, { ...factor, lastStep }, now)).toBeUndefined()
  expect(await judgeFactor(code, factor, now + 3_600_000)).toBeUndefined()
})

test.for(['', '12345', '1234567', '１２３４５', 'abcde-fgh2', 'abcde-fgh20'])('%j is wrong without a look at the secret', async (typed) => {
  const closed = { ...factor, secret: () => expect.unreachable() }
  expect(await judgeFactor(typed, closed, now)).toBeUndefined()
})

test('what may be a recovery code is told without a look at the secret', async () => {
  const closed = { ...factor, secret: () => expect.unreachable() }
  expect(await judgeFactor('ABCDE-fgh23', closed, now)).toEqual({ kind: 'recovery', code: 'abcdefgh23' })
})
