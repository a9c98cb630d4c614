import { feedLimits } from '#contract/feed.ts'
import type { Feed } from '#renderer/feed/feed.ts'

/** By then what was drawn wants its own quotes. */
const heldMs = 5_000

/**
 * Wants quotes of the instruments that an answer lists, so that they are on their way before the rows are drawn. An answer without
 * instruments wants none.
 * @param data of a call: `{ list: [{ symbol, quote24h }] }`, or anything else
 */
export function wantListed(feed: Pick<Feed, 'wantQuotes'>, data: unknown, later: (run: () => void, ms: number) => void): void {
  const list = (data as { list?: unknown } | null)?.list
  if (!Array.isArray(list)) return
  const symbols = list
    .slice(0, feedLimits.subscriptionsMax)
    .flatMap((row) => (row?.quote24h && typeof row.symbol === 'string' ? [row.symbol] : []))
  if (symbols.length > 0) later(feed.wantQuotes(symbols), heldMs)
}
