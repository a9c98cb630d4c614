import type { ClientReport, ReportBatch } from '#language/publish/release.ts'

/** Counts failures and reports them to the config server now and then. */
interface Reports {
  add(report: Omit<ClientReport, 'count' | 'revision'> & { revision?: string | undefined }): void
  /** Sends what there is; the page may be about to go. */
  flush(): void
}

interface ReportsOptions {
  /** Returns the release that is shown now; undefined before the first one. */
  release: () => { release: number; hash: string } | undefined
  caps: string
  /** See `Config.tickets`. */
  tickets: () => string[]
  /** Must outlive the page: sendBeacon, or fetch with keepalive. */
  send: (body: string) => void
  later: (run: () => void, ms: number) => void
  /** From 0 to 1, drawn once: times are reported by one page in ten. */
  chance: number
}

/** `batchesMax` of one page and release. */
export const reportLimits = { afterMs: 5_000, itemsMax: 50, batchesMax: 20, timesShare: 0.1 } as const

export function createReports({ release, caps, tickets, send, later, chance }: ReportsOptions): Reports {
  let items = new Map<string, ClientReport>()
  let batches = 0
  let due = false
  /** Of which release the items are: another may have come since. */
  let shown = release()
  const flush = () => {
    due = false
    shown ??= release()
    if (items.size === 0 || batches >= reportLimits.batchesMax || !shown) return
    batches += 1
    const batch: ReportBatch = { release: shown.release, hash: shown.hash, caps, tickets: tickets(), items: [...items.values()] }
    items = new Map()
    send(JSON.stringify(batch))
  }
  return {
    add({ kind, document, revision = '', node, code, ms }) {
      const now = release()
      if (now && shown && (now.release !== shown.release || now.hash !== shown.hash)) {
        flush()
        batches = 0
      }
      shown = now ?? shown
      // Times leave room for what goes wrong later.
      if (batches >= reportLimits.batchesMax / (kind === 'latency' ? 2 : 1)) return
      if (kind === 'latency' && chance >= reportLimits.timesShare) return
      const report = { kind, document, revision: revision.slice(0, 12), node: plain(node, 80), code: plain(code, 60) }
      const key = Object.values(report).join(' ')
      const known = items.get(key)
      if (!known && items.size >= reportLimits.itemsMax) return
      const time = ms === undefined ? undefined : (known?.ms ?? 0) + Math.min(60_000, Math.max(0, Math.round(ms)))
      items.set(key, { ...report, count: Math.min(1_000, (known?.count ?? 0) + 1), ...(time !== undefined && { ms: time }) })
      if (due) return
      due = true
      later(flush, reportLimits.afterMs)
    },
    flush,
  }
}

/** Names only: everything else that got in, an address or a sentence, is left out. */
const plain = (text: string, max: number) => (/^[\w.:@-]*$/.test(text) ? text.slice(0, max) : '')
