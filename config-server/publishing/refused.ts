import { logged, type PublishingContext } from '#config-server/publishing/context.ts'
import type { Publishing } from '#config-server/publishing/publishing.ts'
import { clip } from '#contract/characters.ts'
import type { ConsoleProblem } from '#contract/console/console.problems.ts'
import { ApiProblem } from '#contract/problem.ts'

/** The refusals of steps that are logged; missing permission is logged at the login. */
const named: readonly ConsoleProblem[] = [
  'checks_failed',
  'stale_base',
  'hash_changed',
  'not_approved',
  'own_draft',
  'flows_not_run',
  'too_large',
]

type Steps = Pick<Publishing, 'submit' | 'approve' | 'publish'>

/** The steps of a draft on its way to customers, each refusal of which leaves a row in the log. Nothing else of it changes anything. */
export function withRefusals(context: PublishingContext, { submit, approve, publish }: Steps): Steps {
  const logging =
    <W, R>(step: string, take: (actor: Parameters<Steps['submit']>[0], draft: number, request: W) => Promise<R>) =>
    async (actor: Parameters<Steps['submit']>[0], draft: number, request: W): Promise<R> => {
      try {
        return await take(actor, draft, request)
      } catch (problem) {
        if (problem instanceof ApiProblem && named.includes(problem.code)) {
          const problems = (problem.data as { problems?: unknown[] } | undefined)?.problems
          const detail = { step, ...(problems && { problems: problems.length, first: clip(JSON.stringify(problems[0]), 500) }) }
          const toHash = (request as { hash?: unknown } | undefined)?.hash
          const entry = { action: 'draft.refused', subject: `draft ${draft}`, reason: problem.code, detail }
          await logged(context, actor, async () => ({
            result: undefined,
            entry: { ...entry, ...(typeof toHash === 'string' && { toHash: toHash.slice(0, 64) }) },
          }))
        }
        throw problem
      }
    }
  return { submit: logging('submit', submit), approve: logging('approve', approve), publish: logging('publish', publish) }
}
