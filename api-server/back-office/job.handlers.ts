import type { BackOfficeContext } from '#api-server/back-office/context.ts'
import { decideOnce } from '#api-server/kit/decision.ts'
import type { backOfficeCalls } from '#contract/calls/office.calls.ts'
import { ApiProblem } from '#contract/problem.ts'
import { createDeadRows } from '#server-kit/due/faults.ts'
import type { Handlers } from '#server-kit/http/http.ts'

type Calls = Handlers<Pick<typeof backOfficeCalls, 'office.jobs' | 'office.jobRetry'>>

/** Rows of jobs that were given up. An operator who has one tried again changes nothing of it: the job does what it would have done. */
export function jobHandlers(context: BackOfficeContext): Calls {
  const dead = createDeadRows(context.database)
  return {
    async 'office.jobs'(page) {
      const { list, total } = await dead.page(page)
      return { total, list: list.map(({ id, job, key, tries, fault, failed }) => ({ id, job, row: key, tries, fault, failed })) }
    },
    'office.jobRetry': ({ id }, caller) =>
      decideOnce(context, caller, 'office.jobRetry', { id }, async ({ tx }) => {
        const row = await dead.retry(tx, id)
        if (!row) throw new ApiProblem('not_found', { field: 'id' })
        return { answer: { id }, notes: [{ action: 'job.retry', subject: `${row.job}:${row.key}`, detail: row.fault }] }
      }),
  }
}
