import type { IdempotencyKeys } from '#api-server/idempotency/keys.ts'
import type { CallRow } from '#contract/call.ts'
import type { identityCalls } from '#contract/calls/identity.calls.ts'
import { contract } from '#contract/contract.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Handlers } from '#server-kit/http/http.ts'

/** Gives the data of an answer by what is stored for its key. @throws ApiProblem where the call was refused after its commit */
export type LateAnswers = Readonly<Record<string, (stored: never) => Promise<unknown>>>

/**
 * Handler of user.outcome: the data that the call answered, or would have answered.
 * @param late calls whose answer is decided after the commit that stores their key
 */
export function outcomeHandlers(
  once: Pick<IdempotencyKeys, 'outcome'>,
  late: LateAnswers,
): Handlers<Pick<typeof identityCalls, 'user.outcome'>> {
  return {
    async 'user.outcome'({ key }, caller) {
      const outcome = await once.outcome(caller, key)
      if (outcome.state !== 'done') return outcome
      const row = (contract as Record<string, CallRow>)[outcome.call]
      if (!row) throw new ApiProblem('outcome_unknown')
      const stored: unknown = JSON.parse(outcome.answer)
      try {
        const data = late[outcome.call] ? await late[outcome.call]!(stored as never) : stored
        return { ...outcome, answer: JSON.stringify(row.output.parse(data)) }
      } catch (error) {
        // A refusal after the commit: what the call held was given back.
        if (error instanceof ApiProblem) return { state: 'unknown', call: '', answer: '' }
        throw error
      }
    },
  }
}
