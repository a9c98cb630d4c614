import { type BackOfficeContext, decide, look } from '#api-server/back-office/context.ts'
import { picturesOf } from '#api-server/back-office/picture.rules.ts'
import type { ReviewRow } from '#api-server/identity/review.ts'
import type { backOfficeCalls } from '#contract/calls/office.calls.ts'
import type { BackOfficeAction } from '#contract/calls/office.rows.ts'
import type { Tx } from '#server-kit/db/db.ts'
import type { Handlers, OperatorCaller } from '#server-kit/http/http.ts'

type Calls = Pick<
  Handlers<typeof backOfficeCalls>,
  'office.verifications' | 'office.verification' | 'office.verifyApprove' | 'office.verifyReject'
>

/** Calls of the queue of proofs of identity. */
export function identityReviewHandlers(parts: BackOfficeContext): Calls {
  const { identity, queueChanged, changed } = parts

  async function step(
    caller: OperatorCaller,
    input: { id: number },
    {
      call,
      action,
      text,
      work,
    }: { call: string; action: BackOfficeAction; text: string; work: (tx: Tx, by: string) => Promise<ReviewRow> },
  ): Promise<ReviewRow> {
    const row = await decide(parts, caller, call, input, async (tx) => ({
      answer: await work(tx, caller.operator.name),
      note: { action, subject: `verification:${input.id}`, detail: text },
    }))
    queueChanged()
    changed(row.uid)
    return row
  }

  return {
    'office.verifications': (ask) => identity.list(ask),
    async 'office.verification'({ id }, caller) {
      const whole = await identity.one(id)
      await look(parts, caller, 'identity.look', `verification:${id}`)
      return { ...whole, pictures: picturesOf(whole.pictures) }
    },
    'office.verifyApprove': (input, caller) => {
      const text = input.note ?? ''
      const work = (tx: Tx, by: string) => identity.approve(tx, input.id, by, text)
      return step(caller, input, { call: 'office.verifyApprove', action: 'identity.approve', text, work })
    },
    'office.verifyReject': (input, caller) => {
      const work = (tx: Tx, by: string) => identity.reject(tx, input.id, by, input.reason)
      return step(caller, input, { call: 'office.verifyReject', action: 'identity.reject', text: input.reason, work })
    },
  }
}
