import { quoteCode } from '#api-server/currency/currency.reads.ts'
import type { Done } from '#api-server/lever/copies.ts'
import type { Notice } from '#contract/calls/notice.kinds.ts'
import { closingResult } from '#contract/rules/closing.rules.ts'

/** Nickname of the trader, and name of the market. */
interface Names {
  name: string
  market: string
}

/** The notice of a copy that opened with the trader. */
export const openedNotice = ({ after: { id: subject, open_price } }: Done, names: Names): Notice => ({
  kind: 'copy_opened',
  subject,
  figures: { ...names, price: open_price! },
})

/** The notice of a copy that closed with the trader. Its result is that of the whole position; of a part, what this part has brought. */
export function closedNotice({ after, close }: Done, names: Names): Notice {
  const isWhole = after.state === 'closed'
  const result = isWhole ? after.result : closingResult(close!)
  const figures = { ...names, price: close!.price, result, coin: quoteCode }
  return { kind: 'copy_closed', word: isWhole ? 'whole' : 'part', subject: after.id, figures }
}
