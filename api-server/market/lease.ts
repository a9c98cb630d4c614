import type { MarketStore } from '#api-server/market/market.store.ts'
import type { Log } from '#server-kit/ops/log.ts'

export const leaseLimits = { lengthMs: 10_000, renewEveryMs: 3_000, giveUpAfterMs: 7_000 } as const

export interface LeaseOptions {
  store: Pick<MarketStore, 'takeLease' | 'freeLease'>
  /** Name of this node, unique. */
  holder: string
  log: Log
  onTaken: () => Promise<void>
  /** Called before anyone else can hold it; the source must be still when it returns. */
  onLost: () => void
  renewEveryMs?: number
  lengthMs?: number
}

export interface Lease {
  start(): Promise<void>
  held(): boolean
  /** Steps down at once and frees it; takes part again at the next renewal. */
  resign(reason: string): Promise<void>
  /** Gives it back, so that another node may go on at once. */
  stop(): Promise<void>
}

/**
 * The right to run the source, held by one node for ten seconds at a time. A node that cannot renew stops well before the time is
 * over, by its monotonic clock; should two nodes write all the same, the log's numbers collide and the later one is refused.
 */
export function createLease(options: LeaseOptions): Lease {
  const renewEveryMs = options.renewEveryMs ?? leaseLimits.renewEveryMs
  const lengthMs = options.lengthMs ?? leaseLimits.lengthMs
  let held = false
  let renewedAt = 0
  let running = false
  let timer: NodeJS.Timeout | undefined
  let watch: NodeJS.Timeout | undefined

  function lose(reason: string): void {
    if (!held) return
    held = false
    options.log.warn({ reason }, 'this node no longer runs the price source')
    options.onLost()
  }

  const free = () =>
    options.store.freeLease(options.holder).catch((error: unknown) => options.log.warn({ err: error }, 'the lease could not be given back'))

  async function beat(): Promise<void> {
    const asked = performance.now()
    try {
      const mine = await options.store.takeLease(options.holder, lengthMs)
      if (!running) return
      if (!mine) lose('another node holds it')
      else {
        renewedAt = asked
        if (!held) {
          await options.onTaken()
          held = true
          options.log.info('this node runs the price source')
        }
      }
    } catch (error) {
      options.log.warn({ err: error }, 'the lease of the price source could not be renewed')
    } finally {
      if (running) timer = setTimeout(beat, renewEveryMs)
    }
  }

  return {
    async start() {
      running = true
      watch = setInterval(
        () => {
          if (performance.now() - renewedAt > lengthMs * 0.7) lose('it could not be renewed')
        },
        Math.max(50, renewEveryMs / 3),
      )
      watch.unref()
      await beat()
    },
    held: () => held,
    async resign(reason) {
      lose(reason)
      await free()
    },
    async stop() {
      running = false
      clearTimeout(timer)
      clearInterval(watch)
      lose('the node stops')
      await free()
    },
  }
}
