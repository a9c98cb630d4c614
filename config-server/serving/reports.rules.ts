import { ticketLimits } from '#config-server/guard/tickets.ts'
import { isObject } from '#language/documents/json.ts'
import { type ClientReport, type ReportBatch, reportKinds } from '#language/publish/release.ts'

/** Bounds of clients' reports, and of the counts that are kept of them. */
export const reportLimits = { bytesMax: 16_384, itemsMax: 50, countMax: 1_000, msMax: 600_000, releasesMax: 8, rowsMax: 2_000 } as const

const textPatterns = {
  document: /^[a-z-]{1,40}\/[\w.-]{1,80}$|^release$/i,
  revision: /^[0-9a-f]{0,12}$/,
  node: /^[\w.:@-]{0,80}$/,
  code: /^[\w.@-]{0,60}$/,
} as const
const hashPattern = /^[0-9a-z]{1,64}$/i

const isCount = (value: unknown, min: number, max: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max

function readItem(item: unknown): ClientReport | undefined {
  if (!isObject(item)) return undefined
  const { kind, document, revision, node, code, count, ms } = item
  if (!reportKinds.includes(kind as ClientReport['kind'])) return undefined
  for (const [name, pattern] of Object.entries(textPatterns))
    if (typeof item[name] !== 'string' || !pattern.test(item[name])) return undefined
  if (!isCount(count, 1, reportLimits.countMax) || !(ms === undefined || isCount(ms, 0, reportLimits.msMax))) return undefined
  const texts = { document, revision, node, code } as Pick<ClientReport, 'document' | 'revision' | 'node' | 'code'>
  return { kind: kind as ClientReport['kind'], ...texts, count, ...(ms !== undefined && { ms }) }
}

const isTickets = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.length <= ticketLimits.perReportMax &&
  value.every((one) => typeof one === 'string' && one.length <= ticketLimits.lengthMax)

/** A batch as a client sends it, with nothing in it but what is known. @returns undefined when any of it is not as agreed */
export function readBatch(body: unknown): ReportBatch | undefined {
  if (!isObject(body)) return undefined
  const { release, hash, caps, items, tickets = [] } = body
  if (!isCount(release, 0, 1e9) || !Array.isArray(items) || items.length === 0 || items.length > reportLimits.itemsMax) return undefined
  if (typeof hash !== 'string' || !hashPattern.test(hash) || typeof caps !== 'string' || !(caps === '' || hashPattern.test(caps)))
    return undefined
  if (!isTickets(tickets)) return undefined
  const read = items.map(readItem)
  return read.includes(undefined) ? undefined : { release, hash, caps, tickets, items: read as ClientReport[] }
}

/** Counts of one thing on one release. */
interface ReportRow extends ClientReport {
  release: number
  /** Of how many messages; one client sends several. */
  batches: number
}

/** The reports of clients about the last few releases. */
export interface ReportBook {
  add(batch: ReportBatch): void
  /** The newest release first, then what happened most. */
  rows(): ReportRow[]
  /** Whole numbers for metrics; `forgotten` counts what had no more room. */
  counts(): Record<string, number>
}

export function createReportBook(): ReportBook {
  const releases = new Map<number, Map<string, ReportRow>>()
  const counts: Record<string, number> = Object.fromEntries([...reportKinds, 'batches', 'forgotten'].map((name) => [name, 0]))
  const count = (name: string, by: number) => {
    counts[name] = (counts[name] ?? 0) + by
  }
  /** The table of a release; the oldest gives way. A release older than all that are remembered has none. */
  function tableOf(release: number): Map<string, ReportRow> | undefined {
    const known = releases.get(release)
    if (known) return known
    if (releases.size >= reportLimits.releasesMax) {
      const oldest = Math.min(...releases.keys())
      if (release < oldest) return undefined
      releases.delete(oldest)
    }
    const table = new Map<string, ReportRow>()
    releases.set(release, table)
    return table
  }
  return {
    add({ release, items }) {
      count('batches', 1)
      const table = tableOf(release)
      for (const item of items) {
        const key = [item.kind, item.document, item.revision, item.node, item.code].join(' ')
        const row = table?.get(key)
        if (row) {
          row.count += item.count
          row.batches += 1
          if (item.ms !== undefined) row.ms = (row.ms ?? 0) + item.ms
        } else if (table && table.size < reportLimits.rowsMax) table.set(key, { release, ...item, batches: 1 })
        else {
          count('forgotten', item.count)
          continue
        }
        count(item.kind, item.count)
      }
    },
    rows: () =>
      [...releases.entries()]
        .sort(([left], [right]) => right - left)
        .flatMap(([, table]) => [...table.values()].sort((left, right) => right.count - left.count)),
    counts: () => ({ ...counts }),
  }
}
