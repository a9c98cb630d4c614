import { describe, expect, test } from 'vitest'
import { inspection, isShortcut } from '#renderer/inspector/allowed.ts'
import { dots, mask, oneLine } from '#renderer/inspector/mask.ts'

describe('what is masked', () => {
  const key = 'a1B2c3D4e5F6a1B2c3D4e5F6a1B2c3D4'
  test.each([
    ['a password', { password: 'hunter2' }, { password: dots }],
    ['a token', { token: 'x' }, { token: dots }],
    ['a code from a letter', { code: '123456', email_code: '654321' }, { code: dots, email_code: dots }],
    ['a code that is a number of a problem', { code: 4004 }, { code: 4004 }],
    ['a code of a currency', { currency_code: 'USD' }, { currency_code: 'USD' }],
    ['a list of recovery codes', { recovery_codes: ['aaaa', 'bbbb'] }, { recovery_codes: [dots, dots] }],
    ['a secret that is a number', { pin: 1234 }, { pin: dots }],
    ['a secret that is an object', { secret: { a: 1 } }, { secret: dots }],
    ['a key without a telling name', { x: key }, { x: `a1B2${dots}` }],
    ['a signed token without a telling name', { x: 'abcdefghij.abcdefghij.abcdefghij' }, { x: `abcd${dots}` }],
    ['deep inside', { a: [{ b: { secret_key: 's' } }] }, { a: [{ b: { secret_key: dots } }] }],
    ['nothing in an empty field', { password: '' }, { password: '' }],
    ['no price', { last: '64230.50', symbol: 'BTCUSDT' }, { last: '64230.50', symbol: 'BTCUSDT' }],
    [
      'no sentence',
      { text: 'The password must have eight characters or more' },
      { text: 'The password must have eight characters or more' },
    ],
  ])('%s', (_, value, shown) => {
    expect(mask(value)).toEqual(shown)
  })

  test('a value that holds itself ends', () => {
    const round: Record<string, unknown> = {}
    round.self = round
    expect(oneLine(mask(round), 1_000)).toContain('…')
  })
  test.each([
    [undefined, '–'],
    ['a', '"a"'],
    [{ a: 1 }, '{"a":1}'],
    ['x'.repeat(100), `"${'x'.repeat(78)}…`],
  ])('%j on one line', (value, line) => {
    expect(oneLine(value)).toBe(line)
  })
})

describe('who may inspect', () => {
  const customer = { dev: false, constants: {}, flag: null, search: '' }
  test.each([
    ['a customer', {}, false, false],
    ['a customer with a link that somebody sent', { search: '?inspect' }, false, false],
    ['a flag of another value', { flag: 'true' }, false, false],
    ['a constant of another value', { constants: { inspector: 'true' } }, false, false],
    ['a developer with the flag', { flag: '1' }, true, true],
    ['a tester where the app allows it', { constants: { inspector: true } }, true, false],
    ['the same with the address', { constants: { inspector: true }, search: '?inspect' }, true, true],
    ['development', { dev: true }, true, false],
    ['development with the address', { dev: true, search: '?a=1&inspect' }, true, true],
  ])('%s', (_, change, load, open) => {
    expect(inspection({ ...customer, ...change })).toEqual({ load, open })
  })
  test.each([
    [{ ctrlKey: true, altKey: true, code: 'KeyI' }, true],
    [{ ctrlKey: true, altKey: false, code: 'KeyI' }, false],
    [{ ctrlKey: true, altKey: true, code: 'KeyO' }, false],
  ])('%j', (keys, is) => {
    expect(isShortcut(keys)).toBe(is)
  })
})
