import type { MarketStore } from '#api-server/market/market.store.ts'
import type { Log } from '#server-kit/ops/log.ts'

export const leaseLimits = { lengthMs: 10_000, renewEveryMs: 3_000, giveUpAfterMs: 7_000 } as const

export interface LeaseOptions {
  store: Pick<MarketStore, 'takeLease' | 'freeLease'>
  /** Unique name of this node. */
  holder: string
  log: Log
  onTaken: () => Promise<void>
  /** Called before another node can take the lease. The source must have stopped when it returns. */
  onLost: () => void
  renewEveryMs?: number
  lengthMs?: number
}

export interface Lease {
  start(): Promise<void>
  held(): boolean
  /** Gives the lease back at once. This node may take it again at the next renewal. */
  resign(reason: string): Promise<void>
  /** Gives the lease back, so that another node can take it at once. */
  stop(): Promise<void>
}

/**
 * The right to run the price source, held by one node for ten seconds at a time. A node that cannot renew the lease stops the source before
 * it ends, by its monotonic clock. If two nodes should write all the same, the ids in the log collide and the later write is refused.
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
    options.log.warn({ reason }, 'market: this node no longer runs the price source')
    options.onLost()
  }

  const free = () =>
    options.store
      .freeLease(options.holder)
      .catch((error: unknown) =>
        options.log.warn(
          { err: error },
          'market: the lease of the price source could not be given back; another node takes it when it ends',
        ),
      )

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
          options.log.info('market: this node runs the price source')
        }
      }
    } catch (error) {
      options.log.warn({ err: error }, 'market: the lease of the price source could not be renewed; it is tried again')
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
