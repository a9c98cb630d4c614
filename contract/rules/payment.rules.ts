import type { ProblemCode } from '#contract/problem.ts'
import { type AddressKind, networks, tokens } from '#contract/rules/chains.ts'

/** How an address of a kind looks. The server checks its checksum too. */
const shapes: Record<AddressKind, RegExp> = {
  bitcoin: /^(?:bc1[a-z0-9]{8,87}|BC1[A-Z0-9]{8,87}|[13][1-9A-HJ-NP-Za-km-z]{24,34})$/,
  evm: /^0x[0-9a-fA-F]{40}$/,
  tron: /^T[1-9A-HJ-NP-Za-km-z]{33}$/,
  xrp: /^r[1-9A-HJ-NP-Za-km-z]{24,34}$/,
  solana: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
  dogecoin: /^[9AD][1-9A-HJ-NP-Za-km-z]{33}$/,
}
const plainShape = /^[A-Za-z0-9]{20,120}$/

/** Normalizes an address, so that two spellings become the same text. */
export const foldAddress = (kind: AddressKind, address: string): string =>
  kind === 'evm' || (kind === 'bitcoin' && /^bc1/i.test(address)) ? address.toLowerCase() : address

/** Chains on which many customers share an address and are distinguished by a destination tag. */
export const takesTag = (kind: AddressKind): boolean => kind === 'xrp'

const tagMax = 4_294_967_295
/** Parses a destination tag: an integer from 0 to 2^32 − 1 without leading zeros; undefined for anything else. */
export function readTag(text: string): string | undefined {
  const digits = text.trim()
  return /^[0-9]{1,10}$/.test(digits) && Number(digits) <= tagMax ? String(Number(digits)) : undefined
}

/** The payment that a code asks for. */
export interface Payment {
  /** The chain that the code names; undefined for a plain address. */
  kind: AddressKind | undefined
  /** The receiver, never the contract of a token. */
  address: string
  /** Destination tag; '' for none. */
  tag: string
  /** Chain id of EIP-155; '' when the code names none. */
  network: string
  /** Contract or mint of the token that is to be paid; '' for the coin of the chain, or when the code does not say. */
  token: string
}

const schemes: Readonly<Record<string, AddressKind>> = {
  bitcoin: 'bitcoin',
  ethereum: 'evm',
  eth: 'evm',
  tron: 'tron',
  xrpl: 'xrp',
  xrp: 'xrp',
  ripple: 'xrp',
  solana: 'solana',
  dogecoin: 'dogecoin',
}
/** Parameters that name whom a shared address is for, without - and _. */
const tagNames = new Set(['dt', 'tag', 'desttag', 'destinationtag', 'memo', 'memoid', 'paymentid'])
const kept = ['amount', 'label', 'message']
/** Parameters that change neither receiver, network nor token. BIP-21 lets a reader pass over others, unless they begin with `req-`. */
const harmless: Record<AddressKind, readonly string[]> = {
  bitcoin: [...kept, 'lightning'],
  dogecoin: kept,
  evm: [...kept, 'value', 'gas', 'gaslimit', 'gasprice'],
  tron: kept,
  xrp: [...kept, 'name'],
  solana: [...kept, 'reference'],
}
const mayPassOver = (kind: AddressKind, name: string, value: string) =>
  harmless[kind].includes(name) || ((kind === 'bitcoin' || kind === 'dogecoin') && !name.startsWith('req') && !plainShape.test(value))

/** The parameters of a code: names in lower case without - and _, values decoded. @returns undefined for text that is not such a list */
function parametersOf(query: string): [name: string, value: string][] | undefined {
  const pairs: [string, string][] = []
  for (const part of query === '' ? [] : query.split('&')) {
    const at = part.indexOf('=')
    if (at < 1) return undefined
    try {
      pairs.push([decodeURIComponent(part.slice(0, at)).toLowerCase().replace(/[-_]/g, ''), decodeURIComponent(part.slice(at + 1))])
    } catch {
      return undefined
    }
  }
  return pairs
}

/** The only value of a parameter; undefined when it is there twice, '' when it is not there. */
function only(pairs: readonly [string, string][], name: string): string | undefined {
  const values = pairs.filter(([one]) => one === name).map(([, value]) => value)
  return values.length > 1 ? undefined : (values[0] ?? '')
}

/** EIP-681: `pay-0x…@1/transfer?address=0x…&uint256=1`. The target of a transfer is the token; its receiver is a parameter. */
function readEthereum(path: string, pairs: readonly [string, string][]): Payment | undefined {
  const [, target = '', network = '', call] = /^(?:pay-)?(0x[0-9a-fA-F]{40})(?:@(\d{1,20}))?(?:\/(\w+))?$/.exec(path) ?? []
  if (!target) return undefined
  if (call === undefined) {
    return pairs.every(([name]) => harmless.evm.includes(name)) ? { kind: 'evm', address: target, tag: '', network, token: '' } : undefined
  }
  const rest = pairs.filter(([name]) => name !== 'address' && name !== 'uint256')
  const address = only(pairs, 'address')
  const isUnderstood =
    call === 'transfer' && only(pairs, 'uint256') !== undefined && rest.every(([name]) => /^gas(?:limit|price)?$/.test(name))
  return isUnderstood && address && shapes.evm.test(address) ? { kind: 'evm', address, tag: '', network, token: target } : undefined
}

/** BIP-21, Solana Pay, and the like of Tron and XRP: an address with parameters. */
function readSimple(kind: AddressKind, address: string, pairs: readonly [string, string][]): Payment | undefined {
  if (!shapes[kind].test(address)) return undefined
  const tags = pairs.filter(([name]) => tagNames.has(name))
  const [tag = ''] = tags.map(([, value]) => readTag(value))
  // A tag that this chain has no place for, two tags, and a tag that is no number would be left out of the payment.
  if (tags.length > (takesTag(kind) ? 1 : 0) || (tags.length > 0 && tag === '')) return undefined
  const tokenName = kind === 'solana' ? 'spltoken' : kind === 'tron' ? 'token' : undefined
  const token = tokenName === undefined ? '' : only(pairs, tokenName)
  const rest = pairs.filter(([name]) => !tagNames.has(name) && name !== tokenName)
  if (token === undefined || (token !== '' && !shapes[kind].test(token))) return undefined
  return rest.every(([name, value]) => mayPassOver(kind, name, value)) ? { kind, address, tag, network: '', token } : undefined
}

/**
 * Reads the text of a QR code: a plain address, or a payment code of BIP-21, EIP-681, Solana Pay, Tron or XRP. A code with anything that
 * would change the payment and that this reader does not know is refused as a whole; nothing is ever cut off.
 * @returns undefined for a code that cannot be read whole, such as a link, another function than `transfer`, or a parameter `req-…`
 */
export function readPayment(text: string): Payment | undefined {
  const [, scheme, rest = ''] = /^(?:([a-z][a-z0-9+.-]{1,20}):(?:\/\/)?)?(.*)$/is.exec(text.trim()) ?? []
  const [path = '', query = '', ...more] = rest.split('?')
  const pairs = more.length > 0 || rest.includes('#') ? undefined : parametersOf(query)
  if (!pairs) return undefined
  const bare = path.replace(/\/$/, '')
  if (scheme === undefined) {
    if (pairs.length > 0) return readSimple('xrp', bare, pairs)
    return plainShape.test(path) ? { kind: undefined, address: path, tag: '', network: '', token: '' } : undefined
  }
  const kind = Object.hasOwn(schemes, scheme.toLowerCase()) ? schemes[scheme.toLowerCase()] : undefined
  if (kind === 'evm') {
    const payment = readEthereum(bare, pairs)
    // EIP-3770: eth: is the main network.
    return payment && scheme.toLowerCase() === 'eth' ? (payment.network ? undefined : { ...payment, network: '1' }) : payment
  }
  return kind && readSimple(kind, bare, pairs)
}

/** Whether a code has this receiver, in any spelling of one address; the chain need not be known. */
export function codeNames(qrcode: string, address: string): boolean {
  const payment = readPayment(qrcode)
  const fold = (text: string) => (/^(?:0x|bc1)/i.test(text) ? text.toLowerCase() : text)
  return payment !== undefined && fold(payment.address) === fold(address.trim())
}

/** Whether a typed tag fits a code: the same, or the code has none. */
export function codeTags(qrcode: string, tag: string): boolean {
  const asked = readPayment(qrcode)?.tag ?? ''
  return asked === '' || asked === readTag(tag)
}

/** A destination of the customer's own words, on a chain of a currency. */
interface Destination {
  kind: AddressKind
  /** Code of the currency, and name of the chain. */
  coin: string
  chain: string
  address: string
  /** As readTag gives it; '' for none. */
  tag: string
}

/** The first problem of a QR code that was given with an address. */
export function codeProblem(
  qrcode: string,
  to: Destination,
): Extract<ProblemCode, 'qrcode_unread' | 'qrcode_differs' | 'wallet_tag_wrong'> | undefined {
  const payment = readPayment(qrcode)
  if (!payment) return 'qrcode_unread'
  const { kind = to.kind, address, tag, network, token } = payment
  const ours = tokens.find(
    (one) => one.code === to.coin && one.kind === to.kind && one.network === (to.kind === 'evm' ? networks[to.chain] : ''),
  )
  const isSame = kind === to.kind && foldAddress(kind, address) === foldAddress(kind, to.address)
  const isThere = network === '' || network === networks[to.chain]
  const isCoin = token === '' || (ours !== undefined && foldAddress(to.kind, token) === foldAddress(to.kind, ours.contract))
  if (!isSame || !isThere || !isCoin) return 'qrcode_differs'
  return tag === '' || tag === to.tag ? undefined : 'wallet_tag_wrong'
}

/** Begin of the addresses that an installation without custody gives out. They are invalid on every chain. */
export const demoAddress = 'DEMO-'

/** Why an address can be nobody's destination: a deposit address of ours, or the contract of a listed token. Undefined for any other address. */
export function destinationProblem(address: string): Extract<ProblemCode, 'wallet_address_own' | 'wallet_address_token'> | undefined {
  const typed = address.trim()
  if (typed.startsWith(demoAddress)) return 'wallet_address_own'
  const isToken = tokens.some(({ kind, contract }) => foldAddress(kind, contract) === foldAddress(kind, typed))
  return isToken ? 'wallet_address_token' : undefined
}
