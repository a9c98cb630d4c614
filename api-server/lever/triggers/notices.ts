import type { Happened, LeverContext } from '#api-server/lever/context.ts'
import type { Position } from '#api-server/lever/lever.store.ts'
import type { CustomerNotice, Notice } from '#contract/calls/notice.kinds.ts'

type Trading = Pick<LeverContext['trading'], 'instrument'>

/** Notices of waiting orders that a price has filled, or that could not be filled. Positions that are only marked have theirs when they are paid. */
export const decidedNotices = (happened: readonly Happened[], trading: Trading): CustomerNotice[] =>
  happened.flatMap(({ after }): CustomerNotice[] => {
    const { id: subject, uid } = after
    const market = trading.instrument(after.symbol).name
    if (after.state === 'open') return [{ uid, kind: 'order_filled', subject, figures: { market, price: after.open_price! } }]
    if (after.state !== 'cancelled') return []
    return [{ uid, kind: 'order_cancelled', word: after.cancel_reason === 'balance' ? 'balance' : 'price', figures: { market } }]
  })

const kinds = { take_profit: 'take_profit', stop_loss: 'stop_loss', liquidated: 'liquidated', user: 'closed_at_opening' } as const

/** The notice of a position that a price has closed. */
export function closedNotice({ id, symbol, close_reason, close_price, result }: Position, trading: Trading): Notice {
  const { name: market, quote: coin } = trading.instrument(symbol)
  return { kind: kinds[close_reason as keyof typeof kinds], subject: id, figures: { market, price: close_price!, result, coin } }
}
