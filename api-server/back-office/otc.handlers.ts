import { type BackOfficeContext, decide, proven, searched, withPeople } from '#api-server/back-office/context.ts'
import type { OfferDone, OtcReviewRow } from '#api-server/otc/review.ts'
import type { deskOtcCalls } from '#contract/calls/desk.otc.calls.ts'
import type { DeskAction } from '#contract/calls/desk.rows.ts'
import type { Tx } from '#server-kit/db/db.ts'
import type { Handlers, OperatorCaller } from '#server-kit/http/http.ts'

/**
 * OTC. An offer counts once a second administrator has agreed, since who could set a price alone could trade at it. Closing one protects the house
 * and counts at once. Orders are decided by one reviewer.
 */
export function otcDeskHandlers(parts: BackOfficeContext): Handlers<typeof deskOtcCalls> {
  const { otc } = parts

  /** Does a step about an offer, writes it down, and answers the offer as it is then. */
  async function offer(caller: OperatorCaller, call: string, input: object, work: (tx: Tx) => Promise<OfferDone>) {
    const { id } = await decide(parts, caller, call, input, async (tx) => {
      const done = await work(tx)
      const action: DeskAction = `offer.${done.action}`
      return { answer: { id: done.id }, note: { action, subject: `offer:${done.id}`, detail: done.detail } }
    })
    parts.queueChanged()
    return otc.offer(id, caller.operator)
  }
  async function order(
    caller: OperatorCaller,
    input: { id: number },
    { call, action, text, work }: { call: string; action: DeskAction; text: string; work: (tx: Tx, by: string) => Promise<OtcReviewRow> },
  ) {
    const row = await decide(parts, caller, call, input, async (tx) => {
      const [answer] = await withPeople(parts, [await work(tx, caller.operator.name)], tx)
      return { answer: answer!, note: { action, subject: `otc:${input.id}`, detail: text } }
    })
    await otc.decided(input.id)
    return row
  }

  return {
    'desk.otcOffers': (ask) => otc.offers(ask),
    'desk.otcOffer': ({ id }, { operator }) => otc.offer(id, operator),
    'desk.otcCurrencies': async () => ({ list: await otc.currencies() }),
    'desk.otcOfferSave': (input, caller) => {
      proven(caller.operator)
      return offer(caller, 'desk.otcOfferSave', input, (tx) => otc.propose(tx, input, caller.operator))
    },
    'desk.otcOfferAgree': (input, caller) => {
      proven(caller.operator)
      return offer(caller, 'desk.otcOfferAgree', input, (tx) => otc.agree(tx, input.id, caller.operator))
    },
    'desk.otcOfferDrop': (input, caller) => offer(caller, 'desk.otcOfferDrop', input, (tx) => otc.drop(tx, input.id, caller.operator)),
    'desk.otcOfferClose': (input, caller) => offer(caller, 'desk.otcOfferClose', input, (tx) => otc.close(tx, input.id, caller.operator)),
    'desk.otcOrders': async ({ search, ...ask }) => {
      const { list, total } = await otc.orders({ ...ask, uids: await searched(parts, search) })
      return { list: await withPeople(parts, list), total }
    },
    'desk.otcOrder': async ({ id }) => (await withPeople(parts, [await otc.order(id)]))[0]!,
    'desk.otcApprove': (input, caller) => {
      const text = input.note ?? ''
      const work = (tx: Tx, by: string) => otc.approve(tx, input.id, by, text)
      return order(caller, input, { call: 'desk.otcApprove', action: 'otc.approve', text, work })
    },
    'desk.otcReject': (input, caller) => {
      const work = (tx: Tx, by: string) => otc.reject(tx, input.id, by, input.reason)
      return order(caller, input, { call: 'desk.otcReject', action: 'otc.reject', text: input.reason, work })
    },
  }
}
