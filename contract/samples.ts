/**
 * Sample answers, generated from the schema of a call's output: deterministic, with plausible values chosen by member names. The preview,
 * flows and state tests use them where a real call must not be made.
 */

/** The used part of a JSON Schema in contract/manifest.json. */
export interface SampleSchema {
  type?: string | string[]
  properties?: Record<string, SampleSchema>
  items?: SampleSchema
  anyOf?: SampleSchema[]
  enum?: unknown[]
  const?: unknown
  /** Example values given by the contract. */
  examples?: unknown[]
  key?: string
  decimal?: boolean
  [more: string]: unknown
}

export interface SampleOptions {
  /** Number of rows of every list. */
  rows?: number
  /** Lists are empty, nullable values null, and flags false. */
  empty?: boolean
  /** Reference time of generated times, ms since 1970 UTC. */
  atMs?: number
}

interface Place {
  name: string
  /** Index in the nearest list. */
  row: number
  rows: number
  /** Names of the sibling members. */
  beside: readonly string[]
  empty: boolean
  atMs: number
}

const limits = { rowsDefault: 3, depthMax: 12 } as const
/** 2026-01-15 09:30 UTC. */
const moment = Date.UTC(2026, 0, 15, 9, 30)
const minuteMs = 60_000
const dayMs = 86_400_000

const symbols = ['BTCUSDT', 'ETHUSDT', 'XAUUSD', 'AAPL', 'SOLUSDT', 'TSLA', 'XRPUSDT', 'NAS100']
const prices = ['64250.5', '3120.25', '2385.1', '189.75', '142.3', '245.6', '0.5215', '18320.4']
const changes = ['0.0125', '-0.008', '0.0005', '0', '0.032', '-0.0241', '0.0107', '-0.0016']
const people = ['Ann', 'Ben', 'Chen', 'Dana', 'Emil', 'Fay']
const pick = <T>(list: readonly T[], { row }: Place): T => list[row % list.length] as T
const price = (at: Place, factor = 1) => String(Number((Number(pick(prices, at)) * factor).toPrecision(8)))

/** The first entry whose pattern matches the name decides; numbers have a table after the types. */
const texts: readonly (readonly [RegExp, (at: Place) => string])[] = [
  [/^symbol$/, (at) => pick(symbols, at)],
  [/^(base|currency_code|currency|coin)$/, (at) => pick(['BTC', 'ETH', 'XAU', 'AAPL', 'SOL'], at)],
  [/^quote$/, () => 'USDT'],
  [/nick|user_?name|^from_name$/, (at) => pick(people, at)],
  [/mail/, (at) => `${pick(people, at).toLowerCase()}@tessera.example`],
  [/mobile|phone/, () => '+86 138****8000'],
  [/^(target|code_to)$/, () => 'a***@tessera.example'],
  [/^chains?$/, (at) => pick(['ERC20', 'TRC20', 'BEP20'], at)],
  [/^source$/, () => 'embedded'],
  [/^month$/, (at) => pick(['2025-11', '2025-12', '2026-01'], at)],
  [/^date$/, (at) => pick(['2026-01-14', '2026-01-13', '2026-01-12'], at)],
  [/^card$|^bank_account$/, () => 'Sample Bank **** 1234'],
  [/portrait|avatar|image|^cover$|picture|icon|logo/, () => ''],
  [/^(token|secret_token)$/, () => 'sample-token-of-nobody'],
  [/^secret$/, () => 'JBSWY3DPEHPK3PXP'],
  [/^recovery_codes$/, ({ row }) => `sample-${1_000 + row}`],
  [/^uri$/, () => 'otpauth://totp/Tessera:Ann?secret=JBSWY3DPEHPK3PXP&issuer=Tessera'],
  [/url|link|href/, ({ row }) => `https://tessera.example/sample/${row + 1}`],
  [/^to$/, () => 'pages/common/faq'],
  [/^ip$/, ({ row }) => `203.0.113.${7 + row}`],
  [/agent/, (at) => pick(['Chrome on Windows', 'Safari on iPhone', 'Firefox on Linux'], at)],
  [/invite/, () => 'TESS2026'],
  [/^(iso)$/, (at) => pick(['CN', 'HK', 'TH', 'JP', 'KR', 'FR'], at)],
  [/^(area|area_code|default)$/, () => '86'],
  [/hash|txid|tx_id/, ({ row }) => `sample${'0'.repeat(25)}${row + 1}`],
  [/address/, ({ row }) => `Sample address ${row + 1}`],
  [/^(content|html|body)$/, ({ row }) => `<p>Sample text of part ${row + 1}, long enough to fill more than one line of a phone.</p>`],
  [/question/, ({ row }) => `Sample question ${row + 1}?`],
  [/answer|summary|slogan|description|remark|note|text|msg/, ({ row }) => `Sample text ${row + 1}`],
  [/signature/, () => 'Sample signature'],
  [/version/, () => '1.0.0'],
  [/hours/, () => '09:00–18:00'],
  [/^(id|key|code)$/, ({ row }) => `sample-${row + 1}`],
  [/title|name|label|keyword/, ({ row }) => `Sample ${row + 1}`],
]

const decimals: readonly (readonly [RegExp, (at: Place) => string])[] = [
  [/^high/, (at) => price(at, 1.02)],
  [/^low/, (at) => price(at, 0.98)],
  [/^open/, (at) => price(at, 0.995)],
  [/^(last|close|price|bid|ask)|_price$/, (at) => price(at)],
  [/change|percent|yield|roi/, (at) => pick(changes, at)],
  [/^tick$/, () => '0.01'],
  [/^step$/, () => '0.0001'],
  [/^(fee_rate|spread)$/, () => '0.001'],
  [/^share$/, (at) => pick(['0.5', '0.3', '0.2'], at)],
  [/^spread$/, () => '0.002'],
  [/rate/, (at) => pick(['1', '7.1', '0.79', '7.8', '148.2', '0.92'], at)],
  [/^limit_btc$/, () => '200'],
  [/^used_btc$/, () => '50'],
  [/^left_btc$/, () => '150'],
  [/fee/, () => '0.5'],
  [/^min|_min$|minimum/, () => '10'],
  [/^max|_max$|maximum/, () => '50000'],
  [/volume/, ({ row }) => String(1_250.5 + row * 310)],
  [/frozen|held|locked/, () => '120.5'],
  [/./, ({ row }) => String(1_250.5 + row * 75)],
]

const flags: readonly (readonly [RegExp, (at: Place) => boolean])[] = [
  [/^(demo|totp|frozen|locked|disabled|ended)$/, () => false],
  [/^(current|hot|default|checked)$/, ({ row }) => row === 0],
  [/./, () => true],
]

const numbers: readonly (readonly [RegExp, (at: Place) => number])[] = [
  [/^(total|count)$/, ({ empty, rows }) => (empty ? 0 : rows)],
  [/^level$/, () => 1],
  [/^(created|updated|seen|savetime|changed|submitted|reviewed|joined)$/i, ({ atMs, row }) => atMs - row * dayMs],
  [/^usable_from$/, ({ atMs, row }) => atMs + (row === 0 ? 1 : -row) * dayMs],
  [/^expires$|until$|^end_|deadline/, ({ atMs }) => atMs + 7 * dayMs],
  [/^(time|ts|at)$|_time$|_at$/, (at) => timeOf(at)],
  [/^(uid|user_id)$/, () => 100_001],
  [/^(id|.*_id|nid|seq)$/, ({ row }) => row + 1],
  [/resend/, () => 60],
  [/expires_in/, () => 600],
  [/digits/, () => 6],
  [/score/, () => 100],
  [/scale/, () => 2],
  [/^(width|height)$/, () => 256],
  [/size/, () => 1_024],
  [/version/, () => 100],
  [/./, ({ row }) => row + 1],
]

/** Times of chart rows increase minute by minute; other lists are newest first. */
function timeOf({ atMs, row, rows, beside }: Place): number {
  return beside.includes('open') && beside.includes('close') ? atMs - (rows - row) * minuteMs : atMs - row * 90 * minuteMs
}

function said<T>(table: readonly (readonly [RegExp, (at: Place) => T])[], at: Place): T | undefined {
  return table.find(([name]) => name.test(at.name))?.[1](at)
}

function textOf(schema: SampleSchema, at: Place): string {
  if (schema.decimal) return said(decimals, at) ?? '0'
  const text = said(texts, at) ?? `Sample ${at.row + 1}`
  const {
    minLength = 0,
    maxLength = Number.POSITIVE_INFINITY,
    pattern,
  } = schema as { minLength?: number; maxLength?: number; pattern?: string }
  const sized = text.padEnd(minLength, 'x').slice(0, maxLength)
  if (pattern === undefined || new RegExp(pattern, 'u').test(sized)) return sized
  const tries = ['1', 'AB', 'ab', '123456', 'AB12', `SAMPLE${at.row + 1}`]
  return tries.find((one) => new RegExp(pattern, 'u').test(one)) ?? sized
}

function numberOf(schema: SampleSchema, at: Place): number {
  const { minimum, maximum, exclusiveMinimum } = schema as { minimum?: number; maximum?: number; exclusiveMinimum?: number }
  const least = Math.max(
    minimum ?? Number.NEGATIVE_INFINITY,
    exclusiveMinimum === undefined ? Number.NEGATIVE_INFINITY : exclusiveMinimum + 1,
  )
  return Math.min(maximum ?? Number.POSITIVE_INFINITY, Math.max(least, said(numbers, at) ?? 1))
}

const mayBeNull = (schema: SampleSchema) => schema.type === 'null'
/** Members that are usually null or empty. */
const seldom = /until$|^nid$|deleted|rejected|reason/

function make(schema: SampleSchema, at: Place, depth: number): unknown {
  if (depth > limits.depthMax) return null
  if (schema.const !== undefined) return schema.const
  if (schema.examples?.length) return pick(schema.examples, at)
  if (schema.enum) return pick(schema.enum, at)
  if (schema.anyOf) {
    const nullable = schema.anyOf.some(mayBeNull)
    if (nullable && (at.empty || seldom.test(at.name))) return null
    return make(schema.anyOf.find((one) => !mayBeNull(one)) ?? {}, at, depth + 1)
  }
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== 'null') : schema.type
  if (type === 'object' || schema.properties) {
    const beside = Object.keys(schema.properties ?? {})
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, part]) => [name, make(part, { ...at, name, beside }, depth + 1)]),
    )
  }
  if (type === 'array') {
    const least = Number(schema.minItems ?? 0)
    const count = Math.max(at.empty ? 0 : at.rows, least)
    return Array.from({ length: Math.min(count, Number(schema.maxItems ?? count)) }, (_, row) =>
      make(schema.items ?? {}, { ...at, row, rows: count }, depth + 1),
    )
  }
  if (type === 'boolean') return !at.empty && (said(flags, at) ?? true)
  if (type === 'integer' || type === 'number') return numberOf(schema, at)
  if (type === 'string') return textOf(schema, at)
  return null
}

/** A value that fits the schema. @param name member name, for plausible values */
export function sampleOf(schema: SampleSchema, name = '', options: SampleOptions = {}): unknown {
  const { rows = limits.rowsDefault, empty = false, atMs = moment } = options
  return make(schema, { name, row: 0, rows, beside: [], empty, atMs }, 0)
}

/**
 * Sample answer of a call. An argument that names a record appears in the answer: the answer to `symbol=AAPL` is about AAPL.
 * @param args arguments as values or text
 */
export function sampleAnswer(
  call: { name: string; output: SampleSchema },
  args: Readonly<Record<string, unknown>> = {},
  options: SampleOptions = {},
): unknown {
  const answer = sampleOf(call.output, call.name.slice(call.name.indexOf('.') + 1), options)
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return answer
  const echoed = answer as Record<string, unknown>
  for (const [name, part] of Object.entries(call.output.properties ?? {})) {
    const asked = args[name]
    if (typeof asked !== 'string' || asked === '' || part.enum || part.const !== undefined) continue
    if (part.type === 'string' && part.pattern === undefined) echoed[name] = asked
    if (part.type === 'string' && typeof part.pattern === 'string' && new RegExp(part.pattern, 'u').test(asked)) echoed[name] = asked
    if (part.type === 'integer' && /^\d{1,15}$/.test(asked) && Number(asked) >= Number(part.minimum ?? 1)) echoed[name] = Number(asked)
  }
  return echoed
}
