import { createHash } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58, base58xrp, bech32, bech32m } from '@scure/base'

/** How the addresses of a chain are written. */
export type AddressKind = 'bitcoin' | 'evm' | 'tron' | 'xrp' | 'solana' | 'dogecoin'

/** Saved addresses of one customer. */
export const addressesMax = 50
const lengthMax = 90

/** What a decoder makes of a text; undefined where it refuses it. */
function decoded<T>(decode: (text: string) => T, text: string): T | undefined {
  try {
    return decode(text)
  } catch {
    return undefined
  }
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()

/** Base58Check: one byte that says what it is, twenty of a hash, four that check them. */
function isChecked(text: string, versions: readonly number[], alphabet = base58): boolean {
  const bytes = decoded(alphabet.decode, text)
  if (bytes?.length !== 25 || !versions.includes(bytes[0]!)) return false
  return sha256(sha256(bytes.subarray(0, 21)))
    .subarray(0, 4)
    .equals(bytes.subarray(21))
}

/** BIP 173 and 350: bc1q… and bc1p…, in one case throughout. */
function isSegwit(text: string): boolean {
  const found = (/^bc1q/i.test(text) ? bech32 : bech32m).decodeUnsafe(text)
  const [version, ...words] = found?.words ?? []
  const size = found?.prefix === 'bc' ? bech32.fromWordsUnsafe(words)?.length : undefined
  if (version === undefined || size === undefined || version > 16) return false
  return version === 0 ? size === 20 || size === 32 : version === 1 ? size === 32 : size >= 2 && size <= 40
}

/** EIP-55: the case of the letters is a checksum; an address without any, in one case throughout, is right as it stands. */
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

/** Whether a text is an address of the chain, as far as it can be told without asking the chain. */
export const isAddress = (kind: AddressKind, text: string): boolean => text.length <= lengthMax && looks[kind](text)

/** Two spellings of one address become the same text. */
export const foldAddress = (kind: AddressKind, address: string): string =>
  kind === 'evm' || (kind === 'bitcoin' && /^bc1/i.test(address)) ? address.toLowerCase() : address

/** Chains whose addresses are shared by many, told apart by a number beside the address. */
export const takesTag = (kind: AddressKind): boolean => kind === 'xrp'

const tagMax = 4_294_967_295
/** A destination tag as it is kept: a whole number from 0 to 2^32 − 1 without zeros in front; undefined for anything else. */
export function readTag(text: string): string | undefined {
  const digits = text.trim()
  return /^[0-9]{1,10}$/.test(digits) && Number(digits) <= tagMax ? String(Number(digits)) : undefined
}

/** What a QR code is about: bare text, or a URI such as bitcoin:bc1q…?amount=1. */
const pathOf = (qrcode: string): string => /^[a-z][a-z0-9+.-]{1,20}:(?:\/\/)?(?:pay-)?(.*)$/is.exec(qrcode.trim())?.[1] ?? qrcode.trim()

/** Whether the text of a QR code names the address: alone, or in a URI. */
export function qrNames(kind: AddressKind, qrcode: string, address: string): boolean {
  const named = pathOf(qrcode).split(/[?@&/#;]/)[0] ?? ''
  return foldAddress(kind, named) === foldAddress(kind, address)
}

/** Whether a destination tag, '' for none, is the one that a QR code names; one that names none leaves it open. */
export function qrTags(qrcode: string, tag: string): boolean {
  const [, named] = /[?&](?:dt|tag)=([^&#]*)/i.exec(pathOf(qrcode)) ?? []
  return named === undefined || readTag(named) === tag
}

/** bc1qar…5mdq */
export const maskAddress = (address: string): string => (address.length <= 12 ? address : `${address.slice(0, 6)}…${address.slice(-4)}`)
