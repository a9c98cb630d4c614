import { describe, expect, test } from 'vitest'
import { type AddressKind, addressKinds } from '#contract/rules/chains.ts'
import {
  codeNames,
  codeProblem,
  codeTags,
  destinationProblem,
  foldAddress,
  readPayment,
  readTag,
  takesTag,
} from '#contract/rules/payment.rules.ts'
import { cases } from '#tests/support/one-rule.ts'

const kinds: Record<string, AddressKind> = {
  BTC: 'bitcoin',
  ERC20: 'evm',
  BEP20: 'evm',
  TRC20: 'tron',
  XRP: 'xrp',
  SOL: 'solana',
  DOGE: 'dogecoin',
}

describe('a payment code', () => {
  test.each(cases.codes)('$code', ({ code, coin, chain, address, tag, problem }) => {
    const payment = readPayment(code)
    expect([payment?.address ?? '', payment?.tag ?? '']).toEqual([address, tag])
    const to = { kind: kinds[chain]!, coin, chain, address: address || 'x', tag }
    expect(codeProblem(code, to)).toBe(address ? problem : 'qrcode_unread')
    expect(codeNames(code, address || 'x')).toBe(address !== '')
    if (!address) return
    expect(codeNames(code, `${address.slice(0, -1)}x`)).toBe(false)
    expect([codeTags(code, tag), codeTags(code, '77')]).toEqual([true, tag === ''])
    if (!problem && tag) expect(codeProblem(code, { ...to, tag: '' })).toBe('wallet_tag_wrong')
  })

  test.each([...'?&=#%/@:'])('an odd sign more makes it another code or none: %s', (sign) => {
    for (const { code, address } of cases.codes.filter((one) => one.address)) {
      const receiver = readPayment(code + sign)?.address ?? ''
      expect(['', address]).toContain(receiver)
    }
  })

  test.each([
    ['ethereum:0x52908400098527886E0F7030069857D2E4169EE7@56', 'BNB', 'BEP20', undefined],
    ['ethereum:0x52908400098527886E0F7030069857D2E4169EE7@1', 'BNB', 'BEP20', 'qrcode_differs'],
    ['ethereum:0x52908400098527886E0F7030069857D2E4169EE7@1', 'USDT', 'A chain of tomorrow', 'qrcode_differs'],
    ['bitcoin:1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'BNB', 'BEP20', 'qrcode_differs'],
  ])('%s for %s on %s: %s', (code, coin, chain, problem) => {
    expect(codeProblem(code, { kind: 'evm', coin, chain, address: '0x52908400098527886e0f7030069857d2e4169ee7', tag: '' })).toBe(problem)
  })
})

test.each(cases.destinations)('$address is a destination, or says why not: $why', ({ address, why }) => {
  expect(destinationProblem(address)).toBe(why ? `wallet_address_${why}` : undefined)
})

test.each<[text: string, tag: string | undefined]>([
  ['0', '0'],
  ['4294967295', '4294967295'],
  [' 00042 ', '42'],
  ['4294967296', undefined],
  ['99999999999', undefined],
  ['-1', undefined],
  ['1.0', undefined],
  ['1e3', undefined],
  ['٣', undefined],
  ['', undefined],
  ['memo', undefined],
])('destination tag %j: %s', (text, tag) => expect(readTag(text)).toBe(tag))
test('only XRP uses destination tags', () => expect(addressKinds.filter(takesTag)).toEqual(['xrp']))

test('spellings of one address are equal when normalized', () => {
  expect(foldAddress('evm', '0xdAC17F958D2ee523a2206206994597C13D831ec7')).toBe('0xdac17f958d2ee523a2206206994597c13d831ec7')
  expect(foldAddress('bitcoin', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4')).toBe('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4')
  expect(foldAddress('bitcoin', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa')).toBe('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa')
})
