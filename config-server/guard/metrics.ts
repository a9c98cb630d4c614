import type { BrokenScreen } from '#language/publish/publishing.ts'
import type { DocumentKey, ReportBatch } from '#language/publish/release.ts'

/** The reports of clients about one release within one minute. */
export interface MetricRow {
  release: number
  /** Minutes since 1970. */
  minute: number
  /**
   * Sums by name: those of `Sums`, one for each document that broke as `screen:<document>`, and one for each witness as `<kind>:<mark>`. A mark is
   * a keyed hash of a network: nobody can find the network again without the key of the server.
   */
  sums: Record<string, number>
}

/** Where the rows outlive the process and meet those of other nodes. */
export interface MetricStore {
  /** Writes this node's rows in place of those that it wrote before for the same minutes. */
  keep(rows: readonly MetricRow[]): Promise<void>
  /** Sums of all nodes together. @param fromMinute inclusive */
  load(releases: readonly number[], fromMinute: number): Promise<MetricRow[]>
  /** Forgets what is older. */
  removeOld(beforeMinute: number): Promise<void>
}

/**
 * The reports of witnesses about one release, over some minutes: clients whose ticket proves that they were given the release, and in which
 * network.
 */
export interface Sums {
  batches: number
  /** Messages without a valid ticket. Anybody can send those, so nothing else of them is counted. */
  unproved: number
  /** Networks that were given the release; one that asked several nodes, or came back after half an hour, counts again. */
  served: number
  /** Screens that were drawn; reported by one page in ten. */
  shown: number
  /** From tap to picture, the sum over `shown`. */
  latencyMs: number
  /** Screens that broke, each counted once a message; reported by every page. */
  broken: number
  /** Times that a client could not take the release over. */
  refused: number
  /** Calls of actions that failed. */
  failed: number
  /** The number of networks that reported something broken or refused; failed calls; times. Exact up to `metricLimits.marksMax`. */
  brokenBy: number
  failedBy: number
  shownBy: number
  /** Documents that broke, with how often; the most frequent first. */
  screens: BrokenScreen[]
}

export interface Metrics {
  /** A network was given a release. @param network of `addressRange`; it is remembered for half an hour, and never written */
  served(release: number, network: string): void
  /**
   * Counts a message. The effect of one message is bounded, and so is the number of witnesses that are counted separately.
   * @param witness of `Tickets.witness`, for the release that the message is about or that it refuses
   */
  take(batch: ReportBatch, witness: (release: number) => string | undefined): void
  /** Writes what was counted. Counts that cannot be written are kept for the next time. @throws what the store throws */
  flush(): Promise<void>
  /** Returns the counts of all nodes that were written, by release; every release of the list is there. */
  sums(releases: readonly number[], fromMs: number): Promise<Map<number, Sums>>
  /** Forgets the earlier reports. */
  removeOld(beforeMs: number): Promise<void>
}

/**
 * Of one message, which reports five seconds of one page; `marksMax`, `servedMax`, `screensMax` and `rowsMax` limit the counts that are
 * kept.
 */
export const metricLimits = {
  shownMax: 20,
  brokenMax: 10,
  failedMax: 10,
  refusedMax: 3,
  /** Broken and refused reports of one witness about one release in a minute. */
  errorsPerWitnessMax: 30,
  marksMax: 400,
  servedMax: 50_000,
  screensMax: 10,
  rowsMax: 200,
} as const
const minuteMs = 60_000
const marksMs = 30 * minuteMs
const minuteOf = (ms: number) => Math.floor(ms / minuteMs)

const countNames = ['batches', 'unproved', 'served', 'shown', 'latencyMs', 'broken', 'refused', 'failed'] as const
const markNames = ['brokenBy', 'failedBy', 'shownBy'] as const
type Mark = (typeof markNames)[number]
type Counts = Omit<Sums, 'screens'>

export const noSums = (): Sums => ({
  batches: 0,
  unproved: 0,
  served: 0,
  shown: 0,
  latencyMs: 0,
  broken: 0,
  refused: 0,
  failed: 0,
  brokenBy: 0,
  failedBy: 0,
  shownBy: 0,
  screens: [],
})

const screenPrefix = 'screen:'

/** Returns the counts of one message about the release that was shown. */
function readShown({ items }: ReportBatch): Pick<Sums, 'shown' | 'latencyMs' | 'broken' | 'failed'> {
  const times = items.filter(({ kind }) => kind === 'latency')
  const counted = times.reduce((sum, { count }) => sum + count, 0)
  const shown = Math.min(counted, metricLimits.shownMax)
  const ms = times.reduce((sum, one) => sum + (one.ms ?? 0), 0)
  const broken = new Set(items.flatMap(({ kind, document }) => (kind === 'broken' ? [document] : []))).size
  const failed = items.reduce((sum, { kind, count }) => sum + (kind === 'failed' ? count : 0), 0)
  return {
    shown,
    latencyMs: counted === 0 ? 0 : Math.round((ms * shown) / counted),
    broken: Math.min(broken, metricLimits.brokenMax),
    failed: Math.min(failed, metricLimits.failedMax),
  }
}

/** Releases that it could not take over; reported while it still shows the one before. */
function readRefused({ items }: ReportBatch): number[] {
  const numbers = items.flatMap(({ kind, code }) => (kind === 'refused' && /^\d{1,9}$/.test(code) ? [Number(code)] : []))
  return [...new Set(numbers)].slice(0, metricLimits.refusedMax)
}

interface Counted extends MetricRow {
  written: boolean
  /** How many broken and refused reports each witness has added. */
  errorsOf: Map<string, number>
}

/**
 * @param options `knows`: whether clients may have a release, and whether it has a document; reports about others are dropped
 */
export function createMetrics(options: {
  knows: (release: number, document?: string) => boolean
  now: () => number
  store?: MetricStore | undefined
}): Metrics {
  const { knows, now, store = createMemoryStore() } = options
  /** Of the last minutes; a minute's row is written whole each time. */
  const rows = new Map<string, Counted>()
  let marks = new Map<number, Record<Mark | 'served', Set<string>>>()
  let marksFrom = now()

  function rowOf(release: number): Counted | undefined {
    const minute = minuteOf(now())
    const key = `${release} ${minute}`
    const known = rows.get(key)
    if (known || !knows(release) || rows.size >= metricLimits.rowsMax) return known
    const row: Counted = { release, minute, sums: {}, written: false, errorsOf: new Map() }
    rows.set(key, row)
    return row
  }
  /** How many of these errors still count for the witness in this minute. */
  function allow({ errorsOf }: Counted, errors: number, witness: string): number {
    const before = errorsOf.get(witness)
    if (errors === 0 || (before === undefined && errorsOf.size >= metricLimits.servedMax)) return 0
    const allowed = Math.min(errors, metricLimits.errorsPerWitnessMax - (before ?? 0))
    errorsOf.set(witness, (before ?? 0) + allowed)
    return allowed
  }
  function add(row: Counted, counts: Partial<Counts>, witness: string): void {
    row.written = false
    for (const [name, count] of Object.entries(counts)) if (count > 0) row.sums[name] = (row.sums[name] ?? 0) + count
    const { broken = 0, refused = 0, failed = 0, shown = 0 } = counts
    const counted = { brokenBy: broken + refused, failedBy: failed, shownBy: shown }
    for (const name of markNames) if (counted[name] > 0) mark(row, name, witness)
  }
  /** Counts each document that broke, once a message; a minute of one release counts at most `screensMax` documents separately. */
  function addScreens({ sums }: Counted, { items }: ReportBatch): void {
    const broken = new Set(items.flatMap(({ kind, document }) => (kind === 'broken' ? [screenPrefix + document] : [])))
    for (const name of broken) {
      const full = Object.keys(sums).filter((key) => key.startsWith(screenPrefix)).length >= metricLimits.screensMax
      if (Object.hasOwn(sums, name) || !full) sums[name] = (sums[name] ?? 0) + 1
    }
  }
  function marksOf(release: number): Record<Mark | 'served', Set<string>> {
    const known = marks.get(release) ?? { brokenBy: new Set(), failedBy: new Set(), shownBy: new Set(), served: new Set() }
    marks.set(release, known)
    return known
  }
  /** A witness is written once in half an hour for each release: more adds no information. */
  function mark({ release, sums }: Counted, name: Mark, own: string): void {
    const known = marksOf(release)
    if (known[name].has(own) || known[name].size >= metricLimits.marksMax) return
    known[name].add(own)
    sums[`${name}:${own}`] = 1
  }

  return {
    served(release, network) {
      if (!knows(release)) return
      const { served } = marksOf(release)
      if (served.has(network) || served.size >= metricLimits.servedMax) return
      served.add(network)
      const row = rowOf(release)
      if (row) add(row, { served: 1 }, '')
    },
    take(batch, witness) {
      const { release } = batch
      const items = batch.items.filter(({ document }) => knows(release, document))
      const row = rowOf(release)
      const own = witness(release)
      if (row && own === undefined) add(row, { unproved: 1 }, '')
      if (row && own !== undefined) {
        const counted = readShown({ ...batch, items })
        const broken = allow(row, counted.broken, own)
        add(row, { batches: 1, ...counted, broken }, own)
        if (broken > 0) addScreens(row, { ...batch, items })
      }
      for (const refused of readRefused(batch)) {
        const [other, by] = [rowOf(refused), witness(refused)]
        if (other && by !== undefined) add(other, { refused: allow(other, 1, by) }, by)
      }
    },
    async flush() {
      const before = minuteOf(now())
      const due = [...rows.values()].filter(({ written }) => !written)
      for (const row of due) row.written = true
      try {
        if (due.length) await store.keep(due.map(({ release, minute, sums }) => ({ release, minute, sums: { ...sums } })))
      } catch (error) {
        for (const row of due) row.written = false
        throw error
      }
      for (const [key, row] of rows) if (row.written && row.minute < before) rows.delete(key)
      if (now() - marksFrom < marksMs) return
      marks = new Map()
      marksFrom = now()
    },
    async sums(releases, fromMs) {
      const found = await store.load(releases, minuteOf(fromMs))
      return new Map(releases.map((release) => [release, sumsOf(found.filter((row) => row.release === release))]))
    },
    removeOld: (beforeMs) => store.removeOld(minuteOf(beforeMs)),
  }
}

function sumsOf(rows: readonly MetricRow[]): Sums {
  const sums = noSums()
  for (const row of rows) for (const name of countNames) sums[name] += row.sums[name] ?? 0
  const all = new Set(rows.flatMap((row) => Object.keys(row.sums)))
  for (const name of markNames) sums[name] = [...all].filter((key) => key.startsWith(`${name}:`)).length
  sums.screens = [...all]
    .filter((key) => key.startsWith(screenPrefix))
    .map((key) => ({
      document: key.slice(screenPrefix.length) as DocumentKey,
      broken: rows.reduce((sum, row) => sum + (row.sums[key] ?? 0), 0),
    }))
    .sort((left, right) => right.broken - left.broken || (left.document < right.document ? -1 : 1))
    .slice(0, metricLimits.screensMax)
  return sums
}

const memoryRowsMax = 2_000

/** Rows of this process alone. */
export function createMemoryStore(): MetricStore {
  const kept = new Map<string, MetricRow>()
  return {
    async keep(rows) {
      for (const row of rows) kept.set(`${row.release} ${row.minute}`, row)
      for (const key of [...kept.keys()].slice(0, Math.max(0, kept.size - memoryRowsMax))) kept.delete(key)
    },
    load: async (releases, from) => [...kept.values()].filter((row) => releases.includes(row.release) && row.minute >= from),
    async removeOld(before) {
      for (const [key, row] of kept) if (row.minute < before) kept.delete(key)
    },
  }
}
