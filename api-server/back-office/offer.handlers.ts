import type { BackOfficeContext } from '#api-server/back-office/context.ts'
import { proven } from '#api-server/kit/decision.ts'
import type { backOfficeOtcCalls } from '#contract/calls/office.otc.calls.ts'
import type { Tx } from '#server-kit/db/db.ts'
import type { Handlers, OperatorCaller } from '#server-kit/http/http.ts'

type Calls = Omit<Handlers<typeof backOfficeOtcCalls>, 'office.otcOrders' | 'office.otcOrder' | 'office.otcApprove' | 'office.otcReject'>

/**
 * Offers of OTC. One counts once a second administrator has agreed, since who could set a price alone could trade at it. Closing one protects the house
 * and counts at once.
 */
export function offerHandlers(context: BackOfficeContext): Calls {
  const { offers } = context
  /** Does a step about an offer once for the key, and answers the offer as it is then. */
  async function offer(caller: OperatorCaller, call: string, input: object, work: (tx: Tx) => Promise<{ id: number }>) {
    const { id } = await context.once.run(caller, { call, input }, async (tx) => ({ id: (await work(tx)).id }))
    context.queueChanged()
    return offers.offer(id, caller.operator)
  }
  return {
    'office.otcOffers': (ask) => offers.offers(ask),
    'office.otcOffer': ({ id }, { operator }) => offers.offer(id, operator),
    'office.otcCurrencies': async () => ({ list: await offers.currencies() }),
    'office.otcOfferSave': (input, caller) => {
      proven(caller.operator)
      return offer(caller, 'office.otcOfferSave', input, (tx) => offers.propose(tx, input, caller.operator))
    },
    'office.otcOfferClose': (input, caller) =>
      offer(caller, 'office.otcOfferClose', input, (tx) => offers.close(tx, input.id, caller.operator)),
  }
}
