import type { Registry } from 'prom-client'
import type { FollowContext } from '#api-server/follow/context.ts'
import { createCopier } from '#api-server/follow/copier.ts'
import { followHandlers } from '#api-server/follow/follow.handlers.ts'
import { hourOf } from '#api-server/follow/follow.rules.ts'
import { createFollowStore } from '#api-server/follow/follow.store.ts'
import { createPrograms, type ProgramDeps, programTimes } from '#api-server/follow/programs.ts'
import { takeStatistics } from '#api-server/follow/statistics.ts'
import { traderQueue } from '#api-server/follow/trader.queue.ts'
import type { OfficePorts } from '#api-server/kit/decision.ts'
import type { Lever } from '#api-server/lever/lever.ts'
import type { followCalls } from '#contract/calls/follow.calls.ts'
import type { Handlers } from '#server-kit/http/http.ts'
import type { PlannedJob } from '#server-kit/ops/every.ts'

const followTimes = {
  /** Figures of traders are those of the hour; the look costs one query when there is nothing to take. */
  statisticsEveryMs: 60_000,
  statisticsAtOnce: 500,
  /** Figures from further ahead were taken by a clock that was wrong. */
  statisticsAheadMsMax: 86_400_000,
} as const

type FollowDeps = Omit<FollowContext, 'store' | 'copies'> & {
  lever: Pick<Lever, 'copies' | 'listen'>
  office: OfficePorts
  registry?: Registry | undefined
  /** For programs that trade with demonstration money; without it there are none. */
  programs?: ProgramDeps | undefined
}

/** Copy trading: positions of traders are opened and closed for those who follow them. */
export interface FollowTrading {
  readonly handlers: Handlers<typeof followCalls>
  /** Applications of traders at the back office. */
  readonly queues: readonly [ReturnType<typeof traderQueue.open>]
  counts(): Record<string, number>
  /** Waits for what positions on this node have begun; then looks at everything, as is done from time to time. */
  pass(): Promise<void>
  statistics(): Promise<void>
  /** The programs that trade with demonstration money look at the market. */
  programs(): Promise<void>
  readonly jobs: readonly PlannedJob[]
  start(): void
  stop(): Promise<void>
}

export function createFollow({ lever, office, registry, programs: demo, ...deps }: FollowDeps): FollowTrading {
  const context: FollowContext = { ...deps, store: createFollowStore(deps.database), copies: lever.copies }
  const { store, clock } = context
  const copier = createCopier(context)
  const programs = demo && createPrograms(context, demo)
  const off = lever.listen({ onFilled: ({ id }) => copier.hint(id), onClosed: ({ id }) => copier.hint(id) })
  const jobs: PlannedJob[] = [{ name: 'trader_figures', everyMs: followTimes.statisticsEveryMs, work: statistics }]
  // At the start too, so that the first visitor finds traders.
  if (programs) jobs.push({ name: 'demo_traders', everyMs: programTimes.passEveryMs, work: programs.pass, atStart: true })

  async function statistics(): Promise<void> {
    const now = clock.now()
    const { statisticsAheadMsMax, statisticsAtOnce } = followTimes
    for (const uid of await store.stale(hourOf(now), now + statisticsAheadMsMax, statisticsAtOnce)) await takeStatistics(context, uid, now)
  }
  async function pass(): Promise<void> {
    await copier.settled()
    await copier.pass()
  }
  return {
    handlers: followHandlers(context),
    queues: [traderQueue.open(office, context)],
    counts: copier.counts,
    pass,
    statistics,
    programs: async () => programs?.pass(),
    jobs,
    start: () => copier.start(registry),
    async stop(): Promise<void> {
      off()
      await copier.stop()
    },
  }
}
