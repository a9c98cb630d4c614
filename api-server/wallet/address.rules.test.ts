import { expect, test } from 'vitest'
import { type AddressKind, foldAddress, isAddress, maskAddress, qrNames } from '#api-server/wallet/address.rules.ts'
import { badTexts, nameOf } from '#tests/support/bad-inputs.ts'

const kinds: AddressKind[] = ['bitcoin', 'evm', 'tron', 'xrp', 'solana', 'dogecoin']
/** Published examples: genesis block, BIP 173 and 350, foundations and black holes. */
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
  'no address of any chain: %s',
  (_name, value) => {
    expect(kinds.filter((kind) => isAddress(kind, value))).toEqual([])
  },
)
test('mixed case, the old checksum on a new version, and a stand-in of ours are no addresses', () => {
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

const evm = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
const segwit = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const legacy = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
test.each<[AddressKind, qrcode: string, address: string, names: boolean]>([
  ['evm', evm, evm, true],
  ['evm', `ethereum:${evm}@1?value=1`, evm, true],
  ['evm', `ethereum:pay-${evm}`, evm.toLowerCase(), true],
  ['evm', `ethereum:${evm}0`, evm, false],
  ['evm', `https://evil.example/${evm}`, evm, false],
  ['evm', '', evm, false],
  ['bitcoin', `BITCOIN:${segwit.toUpperCase()}?AMOUNT=1`, segwit, true],
  ['bitcoin', `bitcoin:${legacy}?label=x`, legacy, true],
  ['bitcoin', legacy.toLowerCase(), legacy, false],
  ['bitcoin', `bitcoin:${segwit}?address=${legacy}`, legacy, false],
])('%s QR code %j names %s: %s', (kind, qrcode, address, names) => {
  expect(qrNames(kind, qrcode, address)).toBe(names)
})

test('spellings of one address are the same one, and a masked one tells little', () => {
  expect(foldAddress('evm', evm)).toBe(evm.toLowerCase())
  expect(foldAddress('bitcoin', segwit.toUpperCase())).toBe(segwit)
  expect(foldAddress('bitcoin', legacy)).toBe(legacy)
  expect(maskAddress(legacy)).toBe('1A1zP1…vfNa')
  expect(maskAddress('short')).toBe('short')
})
