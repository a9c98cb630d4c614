import { createHash } from 'node:crypto'
import type { ClosedCandle, MarketStore } from '#api-server/market/market.store.ts'
import { type ChainedTick, type ChainTip, type LoggedTick, type Sha256, tickHash } from '#contract/tick-chain.ts'
import type { Log } from '#server-kit/ops/log.ts'

const tickLogLimits = {
  flushEveryMs: 250,
  ticksPerFlushMax: 1_000,
  /** With this many unwritten ticks no more are taken. Prices then age visibly until the database is back. */
  queueMax: 10_000,
  retryMaxMs: 5_000,
  stopMs: 5_000,
} as const

const sha256: Sha256 = (text) => createHash('sha256').update(text).digest('hex')

interface Entry {
  tick: LoggedTick
  closed: readonly ClosedCandle[]
}

export interface TickLogOptions {
  store: Pick<MarketStore, 'tip' | 'append'>
  source: string
  log: Log
  /** Called after each commit, with the rows in order. */
  onStored: (ticks: readonly ChainedTick[]) => void
  /** Called when another node has written to the log. This node must stop its source. */
  onFenced: () => void
  flushEveryMs?: number
  queueMax?: number
}

export interface TickLog {
  /** Reads the end of the log. */
  open(): Promise<void>
  /** False while the queue is full or the log is not open. A tick that is not accepted must not be used. */
  accepting(): boolean
  /** Numbers a tick and queues it, with the candles that it closed. Does not wait. Only while `accepting` is true. */
  add(tick: Omit<LoggedTick, 'id' | 'source'>, closed: (id: number) => readonly ClosedCandle[]): LoggedTick
  /** Resolves when everything added before is stored. @throws after `timeoutMs` */
  flushed(timeoutMs?: number): Promise<void>
  /** Resolves when the tick of this id is stored. @throws after `timeoutMs` */
  durable(id: number, timeoutMs?: number): Promise<void>
  /** Writes what is queued, within 5 s. */
  close(): Promise<void>
  counts(): { queued: number; stored: number; refused: number; failures: number }
}

/** The only writer of the tick log. It numbers ticks in memory, then hashes and commits them in batches, in order. */
export function createTickLog(options: TickLogOptions): TickLog {
  const { store, source, log } = options
  const every = options.flushEveryMs ?? tickLogLimits.flushEveryMs
  const queueMax = options.queueMax ?? tickLogLimits.queueMax
  const queue: Entry[] = []
  const waiting = new Set<{ id: number; done: () => void }>()
  let state: 'closed' | 'open' | 'fenced' = 'closed'
  let tip: ChainTip = { id: 0, hash: '' }
  let lastId = 0
  let failures = 0
  let doubtful = false
  let timer: NodeJS.Timeout | undefined
  let busy: Promise<void> | undefined
  const counts = { stored: 0, refused: 0, failures: 0 }

  const accepting = () => {
    const yes = state === 'open' && queue.length < queueMax
    if (!yes) counts.refused++
    return yes
  }

  function fence(): void {
    state = 'fenced'
    queue.length = 0
    log.error('market: another node writes the tick log; this node stops its source')
    options.onFenced()
  }

  function stored(rows: readonly ChainedTick[], next: ChainTip): void {
    queue.splice(0, rows.length)
    tip = next
    counts.stored += rows.length
    for (const waiter of waiting) {
      if (waiter.id > tip.id) continue
      waiting.delete(waiter)
      waiter.done()
    }
    options.onStored(rows)
  }

  async function writeOnce(): Promise<void> {
    const entries = queue.slice(0, tickLogLimits.ticksPerFlushMax)
    if (!entries.length) return
    let at = tip.hash
    const rows = entries.map(({ tick }): ChainedTick => {
      const row = { ...tick, prev_hash: at, hash: tickHash(sha256, at, tick) }
      at = row.hash
      return row
    })
    const last = rows.at(-1)!
    const next = { id: last.id, hash: last.hash }
    if (doubtful) {
      // The previous commit may have succeeded although its answer was lost.
      const found = await store.tip()
      doubtful = false
      const done = rows.findIndex((row) => row.id === found.id && row.hash === found.hash)
      if (done >= 0) return stored(rows.slice(0, done + 1), found)
      if (found.id !== tip.id || found.hash !== tip.hash) return fence()
    }
    doubtful = true
    await store.append(
      rows,
      entries.flatMap((entry) => entry.closed),
      source,
    )
    doubtful = false
    stored(rows, next)
  }

  function schedule(waitMs: number): void {
    clearTimeout(timer)
    if (state !== 'open') return
    timer = setTimeout(run, waitMs)
    timer.unref()
  }

  function run(): Promise<void> {
    busy ??= writeOnce()
      .then(
        () => {
          failures = 0
        },
        (error: unknown) => {
          if (failures++ === 0)
            log.error({ err: error, queued: queue.length }, 'market: ticks could not be stored; they stay queued and are tried again')
          counts.failures++
        },
      )
      .finally(() => {
        busy = undefined
        schedule(
          failures
            ? Math.min(tickLogLimits.retryMaxMs, every * 2 ** Math.min(failures, 10))
            : queue.length >= tickLogLimits.ticksPerFlushMax
              ? 0
              : every,
        )
      })
    return busy
  }

  function durable(id: number, timeoutMs = 5_000): Promise<void> {
    if (id <= tip.id) return Promise.resolve()
    if (state !== 'open') return Promise.reject(new Error('the tick log is not open'))
    return new Promise((resolve, reject) => {
      const timeout = setTimeout(() => {
        waiting.delete(waiter)
        reject(new Error('a tick was not stored in time'))
      }, timeoutMs)
      const waiter = {
        id,
        done: () => {
          clearTimeout(timeout)
          resolve()
        },
      }
      waiting.add(waiter)
      if (!busy && !failures) schedule(0)
    })
  }

  return {
    async open() {
      tip = await store.tip()
      lastId = tip.id
      queue.length = 0
      failures = 0
      doubtful = false
      state = 'open'
      schedule(every)
    },
    accepting,
    add(tick, closed) {
      const row: LoggedTick = { id: ++lastId, ...tick, source }
      queue.push({ tick: row, closed: closed(row.id) })
      return row
    },
    flushed: (timeoutMs) => durable(lastId, timeoutMs),
    durable,
    async close() {
      if (state === 'open' && queue.length)
        await durable(lastId, tickLogLimits.stopMs).catch((error: unknown) =>
          log.error({ err: error, queued: queue.length }, 'market: the tick log was closed with unwritten ticks; they are lost'),
        )
      state = 'closed'
      clearTimeout(timer)
      await busy
    },
    counts: () => ({ queued: queue.length, ...counts }),
  }
}
