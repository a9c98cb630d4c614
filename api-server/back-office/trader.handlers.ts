import { type BackOfficeContext, decide } from '#api-server/back-office/context.ts'
import type { TraderReviewRow } from '#api-server/follow/review.ts'
import type { backOfficeCalls } from '#contract/calls/office.calls.ts'
import type { BackOfficeAction } from '#contract/calls/office.rows.ts'
import type { Tx } from '#server-kit/db/db.ts'
import type { Handlers, OperatorCaller } from '#server-kit/http/http.ts'

type Calls = Pick<
  Handlers<typeof backOfficeCalls>,
  'office.traders' | 'office.trader' | 'office.traderApprove' | 'office.traderReject' | 'office.traderEnd'
>

/** Calls of the queue of applications of traders, and the end of those who were accepted. */
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
    }: { call: string; action: BackOfficeAction; text: string; work: (tx: Tx, by: string) => Promise<TraderReviewRow> },
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
    'office.traders': (ask) => traders.list(ask),
    'office.trader': ({ id }) => traders.one(id),
    'office.traderApprove': (input, caller) => {
      const text = input.note ?? ''
      const work = (tx: Tx, by: string) => traders.approve(tx, input.id, by, text)
      return step(caller, input, { call: 'office.traderApprove', action: 'trader.approve', text, work })
    },
    'office.traderReject': (input, caller) => {
      const work = (tx: Tx, by: string) => traders.reject(tx, input.id, by, input.reason)
      return step(caller, input, { call: 'office.traderReject', action: 'trader.reject', text: input.reason, work })
    },
    'office.traderEnd': async (input, caller) => {
      let followers: number[] = []
      const work = async (tx: Tx, by: string) => {
        const ended = await traders.end(tx, input.id, by, input.reason)
        followers = ended.followers
        return ended.row
      }
      const row = await step(caller, input, { call: 'office.traderEnd', action: 'trader.end', text: input.reason, work })
      for (const uid of followers) changed(uid, 'follows')
      return row
    },
  }
}
