import { expect, test } from 'vitest'
import { isAddress, maskAddress } from '#api-server/wallet/withdraw/address.rules.ts'
import { type AddressKind, addressKinds as kinds, tokens } from '#contract/rules/chains.ts'
import { badTexts, nameOf } from '#tests/support/bad-inputs.ts'
import { cases } from '#tests/support/one-rule.ts'

/** Published addresses: the genesis block, BIP 173 and 350, foundations and burn addresses. */
const right: [AddressKind, string][] = [
  ['bitcoin', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ['bitcoin', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'],
  ['bitcoin', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  ['bitcoin', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4'],
  ['bitcoin', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'],
  ['evm', '0xdAC17F958D2ee523a2206206994597C13D831ec7'],
  ['evm', `0x${'a'.repeat(40)}`],
  ['tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
  ['xrp', 'rrrrrrrrrrrrrrrrrrrrrhoLvTp'],
  ['xrp', 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'],
  ['solana', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
  ['solana', '11111111111111111111111111111111'],
  ['dogecoin', 'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L'],
]
test.each(right)('%s: %s', (kind, address) => {
  expect(isAddress(kind, address)).toBe(true)
  expect(kinds.filter((one) => isAddress(one, address))).toEqual([kind])
  const last = address.at(-1) === 'a' ? 'b' : 'a'
  if (kind !== 'evm' && kind !== 'solana') expect(isAddress(kind, address.slice(0, -1) + last)).toBe(false)
  expect(isAddress(kind, `${address} `)).toBe(false)
  expect(isAddress(kind, address.slice(0, -1))).toBe(kind === 'solana' && address.length > 43 && isAddress(kind, address.slice(0, -1)))
})

test.each(badTexts('wallet-address', 'text-control', 'sql', 'xss', 'path', 'url').map((line) => [nameOf(line), line.value] as const))(
  'not an address of any chain: %s',
  (_name, value) => {
    expect(kinds.filter((kind) => isAddress(kind, value))).toEqual([])
  },
)

/** EIP-55: examples of the standard. Changing the case of one letter, or one digit, gives another text. */
test.each([
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
])('%s carries its checksum in the case of its letters', (address) => {
  const digits = address.slice(2)
  for (const right of [address, address.toLowerCase(), `0x${digits.toUpperCase()}`]) expect(isAddress('evm', right), right).toBe(true)
  expect(isAddress('evm', `0X${digits}`)).toBe(false)
  for (const [i, letter] of [...digits].entries()) {
    if (!/[a-f]/i.test(letter)) continue
    const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
    const turned = `0x${digits.slice(0, i)}${other}${digits.slice(i + 1)}`
    const mixed = turned.slice(2) !== turned.slice(2).toLowerCase() && turned.slice(2) !== turned.slice(2).toUpperCase()
    expect(isAddress('evm', turned), turned).toBe(!mixed)
  }
})

/** Replaces each character by another one of the same alphabet. */
test.each(right.filter(([kind, address]) => ['bitcoin', 'tron', 'xrp', 'dogecoin'].includes(kind) && !address.startsWith('rrr')))(
  '%s %s with any one character changed is not an address',
  (kind, address) => {
    const signs = /^bc1/i.test(address) ? 'qpzry9x8gf2tvdw0s3jn54khce6mua7l' : 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz'
    const upper = address === address.toUpperCase()
    for (let i = 0; i < address.length; i++) {
      const at = signs.indexOf(upper ? address[i]!.toLowerCase() : address[i]!)
      const next = signs[(at + 7) % signs.length]!
      const wrong = address.slice(0, i) + (upper ? next.toUpperCase() : next) + address.slice(i + 1)
      expect(isAddress(kind, wrong), wrong).toBe(false)
    }
  },
)
/** BIP 173 and 350: invalid test vectors. */
test.each([
  'tc1qw508d6qejxtdg4y5r3zarvary0c5xw7kg3g4ty',
  'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5',
  'BC13W508D6QEJXTDG4Y5R3ZARVARY0C5XW7KN40WF2',
  'bc1rw5uspcuh',
  'bc10w508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kw5rljs90',
  'BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P',
  'bc1zw508d6qejxtdg4y5r3zarvaryvqyzf3du',
  'bc1gmk9yu',
  'bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4',
  'BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R',
  'bc1pw5dgrnzv',
  'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav',
  'tb1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq24jc47',
])('not a Bitcoin address: %s', (text) => expect(isAddress('bitcoin', text)).toBe(false))

test('mixed case, the old checksum with a new version, and an address of the embedded custody are not addresses', () => {
  for (const text of [
    'bc1QW508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd',
    `DEMO-BTC-${'a'.repeat(32)}`,
  ])
    expect(
      kinds.filter((kind) => isAddress(kind, text)),
      text,
    ).toEqual([])
})

test('a masked address reveals little', () => {
  expect(maskAddress('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa')).toBe('1A1zP1…vfNa')
  expect(maskAddress('short')).toBe('short')
})
test.each(tokens)('the contract of $code on $kind $network has the form of an address', ({ kind, contract }) => {
  expect(isAddress(kind, contract)).toBe(true)
})
test.each(cases.codes.filter(({ address }) => address))('a code names an address whose checksum fits: $address', ({ address }) => {
  expect(kinds.filter((kind) => isAddress(kind, address))).toHaveLength(1)
})
