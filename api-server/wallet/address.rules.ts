import { createHash } from 'node:crypto'

/** How the addresses of a chain are written. */
export type AddressKind = 'bitcoin' | 'evm' | 'tron' | 'xrp' | 'solana' | 'dogecoin'

/** Saved addresses of one customer. */
export const addressesMax = 50
const lengthMax = 90

const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const ripple = 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz'
const bech32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'

/** The bytes that a text of base 58 stands for, or undefined for another text. */
function bytesOf(text: string, alphabet: string): Buffer | undefined {
  let value = 0n
  for (const letter of text) {
    const digit = alphabet.indexOf(letter)
    if (digit < 0) return undefined
    value = value * 58n + BigInt(digit)
  }
  const hex = value === 0n ? '' : value.toString(16)
  const zeros = [...text].findIndex((letter) => letter !== alphabet[0])
  return Buffer.concat([Buffer.alloc(zeros < 0 ? text.length : zeros), Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex')])
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest()

/** One byte that says what it is, twenty of a hash, four that check them. */
function isChecked(text: string, versions: readonly number[], alphabet = base58): boolean {
  const bytes = bytesOf(text, alphabet)
  if (bytes?.length !== 25 || !versions.includes(bytes[0]!)) return false
  return sha256(sha256(bytes.subarray(0, 21)))
    .subarray(0, 4)
    .equals(bytes.subarray(21))
}

const generator = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]
function polymod(values: readonly number[]): number {
  let check = 1
  for (const value of values) {
    const top = check >>> 25
    check = ((check & 0x1ffffff) << 5) ^ value
    for (let i = 0; i < 5; i++) if ((top >>> i) & 1) check ^= generator[i]!
  }
  return check
}

/** BIP 173 and 350: bc1q… and bc1p…, in one case throughout. */
function isSegwit(text: string): boolean {
  const lower = text.toLowerCase()
  if ((text !== lower && text !== text.toUpperCase()) || !/^bc1[a-z0-9]{11,71}$/.test(lower)) return false
  const data = [...lower.slice(3)].map((letter) => bech32.indexOf(letter))
  const version = data[0]!
  if (data.includes(-1) || version > 16) return false
  const spread = [...'bc'].map((letter) => letter.charCodeAt(0) & 31)
  if (polymod([3, 3, 0, ...spread, ...data]) !== (version === 0 ? 1 : 0x2bc830a3)) return false
  const bytes = Math.floor(((data.length - 7) * 5) / 8)
  return version === 0 ? bytes === 20 || bytes === 32 : version === 1 ? bytes === 32 : bytes >= 2 && bytes <= 40
}

const looks: Record<AddressKind, (text: string) => boolean> = {
  bitcoin: (text) => (/^bc1/i.test(text) ? isSegwit(text) : isChecked(text, [0x00, 0x05])),
  evm: (text) => /^0x[0-9a-fA-F]{40}$/.test(text) && !/^0x0{40}$/.test(text),
  tron: (text) => text.startsWith('T') && isChecked(text, [0x41]),
  xrp: (text) => text.startsWith('r') && isChecked(text, [0x00], ripple),
  solana: (text) => /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text) && bytesOf(text, base58)?.length === 32,
  dogecoin: (text) => isChecked(text, [0x1e, 0x16]),
}

/** Whether a text is an address of the chain, as far as it can be told without asking the chain. */
export const isAddress = (kind: AddressKind, text: string): boolean => text.length <= lengthMax && looks[kind](text)

/** Two spellings of one address become the same text. */
export const foldAddress = (kind: AddressKind, address: string): string =>
  kind === 'evm' || (kind === 'bitcoin' && /^bc1/i.test(address)) ? address.toLowerCase() : address

/** Whether the text of a QR code names the address: alone, or in a URI such as bitcoin:bc1q…?amount=1. */
export function qrNames(kind: AddressKind, qrcode: string, address: string): boolean {
  const wanted = foldAddress(kind, address)
  const [, path = qrcode] = /^[a-z][a-z0-9+.-]{1,20}:(?:\/\/)?(?:pay-)?(.*)$/is.exec(qrcode.trim()) ?? []
  const named = path.split(/[?@&/#;]/)[0] ?? ''
  return foldAddress(kind, named) === wanted
}

/** bc1qar…5mdq */
export const maskAddress = (address: string): string => (address.length <= 12 ? address : `${address.slice(0, 6)}…${address.slice(-4)}`)
