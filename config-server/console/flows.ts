import type { Actor, Publishing } from '#config-server/publishing/publishing.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { FlowRun } from '#language/publish/publishing.ts'
import type { Log } from '#server-kit/ops/log.ts'

/** Runs flows in a browser; where none is, nothing pretends to have run. */
export interface FlowRunner {
  available(): Promise<boolean>
  /**
   * Those that come by one of the screens.
   * @param files sources: path → text
   * @param origin where the app is served, as this machine reaches it
   * @throws when the run itself cannot be made; a flow that fails is reported in its result
   */
  run(ask: {
    files: Readonly<Record<string, string>>
    screens: readonly string[]
    origin: string
    onProgress: (done: number, total: number, result: FlowRun['results'][number]) => void
  }): Promise<FlowRun['results']>
}
export const noFlows: FlowRunner = {
  available: async () => false,
  run: async () => {
    throw new Error('there is no browser')
  },
}

export interface Flows {
  available(): Promise<boolean>
  /** Begins a run over what the draft holds now, and answers at once. @throws ApiProblem state_wrong, busy, flows_not_run without a browser */
  start(actor: Actor, draft: number, origin: string): Promise<FlowRun>
}

const atOnceMax = 1

export function createFlows(publishing: Publishing, runner: FlowRunner, log: Log, now: () => number): Flows {
  let running = 0

  async function carryOut(actor: Actor, draft: number, origin: string, begun: FlowRun, screens: readonly string[]): Promise<void> {
    let run = begun
    const keep = (change: Partial<FlowRun>) => {
      run = { ...run, ...change }
      return publishing.keepFlows(actor, draft, run)
    }
    try {
      const { files } = await publishing.files({ draft })
      const results = await runner.run({
        files,
        screens,
        origin,
        onProgress: (done, total, result) =>
          void keep({ done, total, results: [...run.results, result] }).catch((error: unknown) =>
            log.warn({ err: error }, 'flows: progress could not be stored; the run goes on'),
          ),
      })
      const state = results.every(({ ok }) => ok) ? 'passed' : 'failed'
      await keep({ state, results, done: results.length, total: results.length })
    } catch (error) {
      log.error({ err: error, draft }, 'flows: the run failed')
      await keep({ state: 'not-run' })
    }
  }

  return {
    available: () => runner.available(),
    async start(actor, draft, origin) {
      if (!(await runner.available())) throw new ApiProblem('flows_not_run', { data: { reason: 'no_browser' } })
      if (running >= atOnceMax) throw new ApiProblem('busy', { retryAfterSeconds: 20 })
      running++
      try {
        const { hash, ok, screens } = await publishing.check(draft)
        if (hash === null || !ok) throw new ApiProblem(hash === null ? 'state_wrong' : 'checks_failed')
        const begun: FlowRun = { hash, state: 'running', done: 0, total: 0, results: [], startedAt: now(), by: actor.name }
        await publishing.keepFlows(actor, draft, begun)
        carryOut(actor, draft, origin, begun, screens)
          .catch((error: unknown) => log.error({ err: error, draft }, 'flows: results could not be stored; run the flows again'))
          .finally(() => running--)
        return begun
      } catch (error) {
        running--
        throw error
      }
    },
  }
}
