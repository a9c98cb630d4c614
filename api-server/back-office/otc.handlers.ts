import { type BackOfficeContext, decide, proven, searched, withPeople } from '#api-server/back-office/context.ts'
import type { OfferDone, OtcReviewRow } from '#api-server/otc/review.ts'
import type { backOfficeOtcCalls } from '#contract/calls/office.otc.calls.ts'
import type { BackOfficeAction } from '#contract/calls/office.rows.ts'
import type { Tx } from '#server-kit/db/db.ts'
import type { Handlers, OperatorCaller } from '#server-kit/http/http.ts'

/**
 * OTC. An offer counts once a second administrator has agreed, since who could set a price alone could trade at it. Closing one protects the house
 * and counts at once. Orders are decided by one reviewer.
 */
export function otcBackOfficeHandlers(parts: BackOfficeContext): Handlers<typeof backOfficeOtcCalls> {
  const { otc } = parts

  /** Does a step about an offer once for the key, and answers the offer as it is then. The step writes its row of the audit log itself. */
  async function offer(caller: OperatorCaller, call: string, input: object, work: (tx: Tx) => Promise<OfferDone>) {
    const { id } = await parts.once.run(caller, { call, input }, async (tx) => ({ id: (await work(tx)).id }))
    parts.queueChanged()
    return otc.offer(id, caller.operator)
  }
  async function order(
    caller: OperatorCaller,
    input: { id: number },
    {
      call,
      action,
      text,
      work,
    }: { call: string; action: BackOfficeAction; text: string; work: (tx: Tx, by: string) => Promise<OtcReviewRow> },
  ) {
    const row = await decide(parts, caller, call, input, async (tx) => {
      const [answer] = await withPeople(parts, [await work(tx, caller.operator.name)], tx)
      return { answer: answer!, note: { action, subject: `otc:${input.id}`, detail: text } }
    })
    await otc.decided(input.id)
    return row
  }

  return {
    'office.otcOffers': (ask) => otc.offers(ask),
    'office.otcOffer': ({ id }, { operator }) => otc.offer(id, operator),
    'office.otcCurrencies': async () => ({ list: await otc.currencies() }),
    'office.otcOfferSave': (input, caller) => {
      proven(caller.operator)
      return offer(caller, 'office.otcOfferSave', input, (tx) => otc.propose(tx, input, caller.operator))
    },
    'office.otcOfferAgree': (input, caller) => {
      proven(caller.operator)
      return offer(caller, 'office.otcOfferAgree', input, (tx) => otc.agree(tx, input.id, caller.operator))
    },
    'office.otcOfferDrop': (input, caller) => offer(caller, 'office.otcOfferDrop', input, (tx) => otc.drop(tx, input.id, caller.operator)),
    'office.otcOfferClose': (input, caller) =>
      offer(caller, 'office.otcOfferClose', input, (tx) => otc.close(tx, input.id, caller.operator)),
    'office.otcOrders': async ({ search, ...ask }) => {
      const { list, total } = await otc.orders({ ...ask, uids: await searched(parts, search) })
      return { list: await withPeople(parts, list), total }
    },
    'office.otcOrder': async ({ id }) => (await withPeople(parts, [await otc.order(id)]))[0]!,
    'office.otcApprove': (input, caller) => {
      const text = input.note ?? ''
      const work = (tx: Tx, by: string) => otc.approve(tx, input.id, by, text)
      return order(caller, input, { call: 'office.otcApprove', action: 'otc.approve', text, work })
    },
    'office.otcReject': (input, caller) => {
      const work = (tx: Tx, by: string) => otc.reject(tx, input.id, by, input.reason)
      return order(caller, input, { call: 'office.otcReject', action: 'otc.reject', text: input.reason, work })
    },
  }
}
