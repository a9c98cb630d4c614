import { createHash } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58, base58xrp, bech32, bech32m } from '@scure/base'

/** Kinds of address formats. */
export type AddressKind = 'bitcoin' | 'evm' | 'tron' | 'xrp' | 'solana' | 'dogecoin'

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

/** Whether a text is a valid address of the chain, as far as its format and checksum tell. */
export const isAddress = (kind: AddressKind, text: string): boolean => text.length <= lengthMax && looks[kind](text)

/** Normalizes an address, so that two spellings become the same text. */
export const foldAddress = (kind: AddressKind, address: string): string =>
  kind === 'evm' || (kind === 'bitcoin' && /^bc1/i.test(address)) ? address.toLowerCase() : address

/** Chains on which many customers share an address and a destination tag tells them apart. */
export const takesTag = (kind: AddressKind): boolean => kind === 'xrp'

const tagMax = 4_294_967_295
/** Parses a destination tag: an integer from 0 to 2^32 − 1 without leading zeros; undefined for anything else. */
export function readTag(text: string): string | undefined {
  const digits = text.trim()
  return /^[0-9]{1,10}$/.test(digits) && Number(digits) <= tagMax ? String(Number(digits)) : undefined
}

/** The address part of a QR code: plain text, or a URI such as bitcoin:bc1q…?amount=1. */
const pathOf = (qrcode: string): string => /^[a-z][a-z0-9+.-]{1,20}:(?:\/\/)?(?:pay-)?(.*)$/is.exec(qrcode.trim())?.[1] ?? qrcode.trim()

/** Whether a QR code contains the address, as plain text or in a URI. */
export function qrNames(kind: AddressKind, qrcode: string, address: string): boolean {
  const named = pathOf(qrcode).split(/[?@&/#;]/)[0] ?? ''
  return foldAddress(kind, named) === foldAddress(kind, address)
}

/** Whether a destination tag ('' for none) is the one in a QR code. A QR code without a tag allows every tag. */
export function qrTags(qrcode: string, tag: string): boolean {
  const [, named] = /[?&](?:dt|tag)=([^&#]*)/i.exec(pathOf(qrcode)) ?? []
  return named === undefined || readTag(named) === tag
}

/** Masks an address: bc1qar…5mdq */
export const maskAddress = (address: string): string => (address.length <= 12 ? address : `${address.slice(0, 6)}…${address.slice(-4)}`)
