import { type BackOfficeContext, decide, look } from '#api-server/back-office/context.ts'
import { picturesOf } from '#api-server/back-office/picture.rules.ts'
import type { ReviewRow } from '#api-server/identity/review.ts'
import type { deskCalls } from '#contract/calls/desk.calls.ts'
import type { DeskAction } from '#contract/calls/desk.rows.ts'
import type { Tx } from '#server-kit/db/db.ts'
import type { Handlers, OperatorCaller } from '#server-kit/http/http.ts'

type Calls = Pick<Handlers<typeof deskCalls>, 'desk.verifications' | 'desk.verification' | 'desk.verifyApprove' | 'desk.verifyReject'>

/** Calls of the queue of proofs of identity. */
export function identityReviewHandlers(parts: BackOfficeContext): Calls {
  const { identity, queueChanged, changed } = parts

  async function step(
    caller: OperatorCaller,
    input: { id: number },
    { call, action, text, work }: { call: string; action: DeskAction; text: string; work: (tx: Tx, by: string) => Promise<ReviewRow> },
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
    'desk.verifications': (ask) => identity.list(ask),
    async 'desk.verification'({ id }, caller) {
      const whole = await identity.one(id)
      await look(parts, caller, 'identity.look', `verification:${id}`)
      return { ...whole, pictures: picturesOf(whole.pictures) }
    },
    'desk.verifyApprove': (input, caller) => {
      const text = input.note ?? ''
      const work = (tx: Tx, by: string) => identity.approve(tx, input.id, by, text)
      return step(caller, input, { call: 'desk.verifyApprove', action: 'identity.approve', text, work })
    },
    'desk.verifyReject': (input, caller) => {
      const work = (tx: Tx, by: string) => identity.reject(tx, input.id, by, input.reason)
      return step(caller, input, { call: 'desk.verifyReject', action: 'identity.reject', text: input.reason, work })
    },
  }
}
