import { createHash } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58, base58xrp, bech32, bech32m } from '@scure/base'
import type { AddressKind } from '#contract/rules/chains.ts'

/** Maximum number of saved addresses of one customer. */
export const addressesMax = 50
const lengthMax = 90

/** Result of a decoder; undefined when it throws. */
function decoded<T>(decode: (text: string) => T, text: string): T | undefined {
  try {
    return decode(text)
  } catch {
    return undefined
  }
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()

/** Base58Check: a version byte, twenty bytes of a hash, four bytes of checksum. */
function isChecked(text: string, versions: readonly number[], alphabet = base58): boolean {
  const bytes = decoded(alphabet.decode, text)
  if (bytes?.length !== 25 || !versions.includes(bytes[0]!)) return false
  return sha256(sha256(bytes.subarray(0, 21)))
    .subarray(0, 4)
    .equals(bytes.subarray(21))
}

/** BIP 173 and 350: bc1q… and bc1p…, in a single case. */
function isSegwit(text: string): boolean {
  const found = (/^bc1q/i.test(text) ? bech32 : bech32m).decodeUnsafe(text)
  const [version, ...words] = found?.words ?? []
  const size = found?.prefix === 'bc' ? bech32.fromWordsUnsafe(words)?.length : undefined
  if (version === undefined || size === undefined || version > 16) return false
  return version === 0 ? size === 20 || size === 32 : version === 1 ? size === 32 : size >= 2 && size <= 40
}

/** EIP-55: the case of the letters is a checksum. An address in a single case has no checksum and is accepted. */
function isEvm(text: string): boolean {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text) || /^0x0{40}$/.test(text)) return false
  const digits = text.slice(2)
  const lower = digits.toLowerCase()
  if (digits === lower || digits === digits.toUpperCase()) return true
  const hash = Buffer.from(keccak_256(Buffer.from(lower))).toString('hex')
  return [...lower].every((digit, i) => digits[i] === (hash[i]! >= '8' ? digit.toUpperCase() : digit))
}

const looks: Record<AddressKind, (text: string) => boolean> = {
  bitcoin: (text) => (/^bc1/i.test(text) ? isSegwit(text) : isChecked(text, [0x00, 0x05])),
  evm: isEvm,
  tron: (text) => text.startsWith('T') && isChecked(text, [0x41]),
  xrp: (text) => text.startsWith('r') && isChecked(text, [0x00], base58xrp),
  solana: (text) => /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text) && decoded(base58.decode, text)?.length === 32,
  dogecoin: (text) => isChecked(text, [0x1e, 0x16]),
}

/** Whether a text is a valid address of the chain, as far as its format and checksum show. */
export const isAddress = (kind: AddressKind, text: string): boolean => text.length <= lengthMax && looks[kind](text)

/** Masks an address: bc1qar…5mdq */
export const maskAddress = (address: string): string => (address.length <= 12 ? address : `${address.slice(0, 6)}…${address.slice(-4)}`)
