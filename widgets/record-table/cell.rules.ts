import type { RecordTableProps } from '#widgets/record-table/record-table.props.ts'

/** Format of one member of a row. */
export type CellPart = NonNullable<RecordTableProps['columns'][number]['note']>
/** Formatters of the language; times in ms since 1970. */
export interface CellFormats {
  amount(text: string): string
  fiat(usd: string): string
  dateTime(time: number): string
  ago(time: number): string
  /** Text of a key and its context. */
  say(key: string, context: string): string
}
export interface Cell {
  text: string
  /** Undefined where the row asks for none. */
  tone: string | undefined
  badge: boolean
}
type Row = Readonly<Record<string, unknown>>

const own = <T>(table: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  table && Object.hasOwn(table, name) ? table[name] : undefined
const plain = (value: unknown): string => (value === null || value === undefined || typeof value === 'object' ? '' : String(value))
const read = (row: Row, name: string): string => plain(own(row, name))

/** Text of a cell. Missing members, null and a time of 0 give ''; of a list each value is written. */
export function cellOf(row: Row, part: CellPart, formats: CellFormats): Cell {
  const { kind = 'text' } = part
  const all = own(row, part.member)
  if (kind === 'changes') return { text: changesIn(all, part, formats), tone: undefined, badge: false }
  if (Array.isArray(all)) {
    const texts = all.map(plain).filter(Boolean)
    return { text: texts.map((one) => written(one, row, part, formats)).join(', '), tone: undefined, badge: false }
  }
  const value = plain(all)
  return { text: value === '' ? '' : written(value, row, part, formats), tone: own(part.tones, value), badge: kind === 'badge' }
}

/** A number of four digits and more that stands alone: no part of a date, a time, a version or a name. */
const longNumber = /(?<![\p{L}\d_.,:-])\d{4,}(?:\.\d+)?(?![\p{L}\d_:-]|[.,]\d)/gu
/** The numbers of a text as the language groups them: `106000 USDT` is `106,000 USDT`. */
const grouped = (text: string, { amount }: Pick<CellFormats, 'amount'>): string => text.replace(longNumber, (number) => amount(number))

/** Values before and after, each with its label: `Fee rate 0.1 % → 0.2 %; Spread 1 → 2`. */
function changesIn(rows: unknown, { texts }: CellPart, formats: CellFormats): string {
  const { say } = formats
  const lines = (Array.isArray(rows) ? rows : []).map((row: Row) => {
    const name = read(row, 'name')
    return `${texts === undefined ? name : say(texts, name)} ${grouped(read(row, 'before'), formats) || '–'} → ${grouped(read(row, 'after'), formats) || '–'}`
  })
  return lines.join('; ')
}

function written(value: string, row: Row, { kind = 'text', unit, words, texts, of }: CellPart, formats: CellFormats): string {
  const part = of === undefined ? '' : read(row, of)
  if (texts !== undefined && (of === undefined || part !== ''))
    return formats.say(texts, [part, value].filter(Boolean).join('_').replaceAll(/\W/g, '_'))
  switch (kind) {
    case 'amount':
      return `${formats.amount(value)}${unit === undefined ? '' : ` ${read(row, unit)}`}`.trimEnd()
    case 'usd':
      return formats.fiat(value)
    case 'time':
    case 'ago': {
      const time = Number(value)
      if (!Number.isFinite(time) || time <= 0) return ''
      return kind === 'time' ? formats.dateTime(time) : formats.ago(time)
    }
    case 'words':
      return own(words, value) ?? ''
    case 'grouped':
      return grouped(value, formats)
    default:
      return own(words, value) ?? value
  }
}

/** Row after a key; undefined for a key that does not move. */
export function rowAfter(key: string, at: number, count: number): number | undefined {
  if (count === 0) return undefined
  const to = own({ ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: count - 1 }, key)
  return to === undefined ? undefined : Math.min(count - 1, Math.max(0, to))
}
