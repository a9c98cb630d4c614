import { type BackOfficeContext, decide } from '#api-server/back-office/context.ts'
import type { TraderReviewRow } from '#api-server/follow/review.ts'
import type { deskCalls } from '#contract/calls/desk.calls.ts'
import type { DeskAction } from '#contract/calls/desk.rows.ts'
import type { Tx } from '#server-kit/db/db.ts'
import type { Handlers, OperatorCaller } from '#server-kit/http/http.ts'

type Calls = Pick<Handlers<typeof deskCalls>, 'desk.traders' | 'desk.trader' | 'desk.traderApprove' | 'desk.traderReject'>

/** Calls of the queue of applications of traders. */
export function traderReviewHandlers(parts: BackOfficeContext): Calls {
  const { traders, queueChanged, changed } = parts

  async function step(
    caller: OperatorCaller,
    input: { id: number },
    {
      call,
      action,
      text,
      work,
    }: { call: string; action: DeskAction; text: string; work: (tx: Tx, by: string) => Promise<TraderReviewRow> },
  ): Promise<TraderReviewRow> {
    const row = await decide(parts, caller, call, input, async (tx) => ({
      answer: await work(tx, caller.operator.name),
      note: { action, subject: `trader:${input.id}`, detail: text },
    }))
    queueChanged()
    changed(row.uid, 'follows')
    return row
  }

  return {
    'desk.traders': (ask) => traders.list(ask),
    'desk.trader': ({ id }) => traders.one(id),
    'desk.traderApprove': (input, caller) => {
      const text = input.note ?? ''
      const work = (tx: Tx, by: string) => traders.approve(tx, input.id, by, text)
      return step(caller, input, { call: 'desk.traderApprove', action: 'trader.approve', text, work })
    },
    'desk.traderReject': (input, caller) => {
      const work = (tx: Tx, by: string) => traders.reject(tx, input.id, by, input.reason)
      return step(caller, input, { call: 'desk.traderReject', action: 'trader.reject', text: input.reason, work })
    },
  }
}
