import type { Period } from '#contract/feed.ts'
import { type FeedRequest, feedLimits } from '#contract/feed.ts'

const everything = 'quote *'
/** From here on all quotes are asked for: the list of names would not fit one message. */
const namedMax = 100

export const quoteKey = (symbol: string) => `quote ${symbol}`
export const depthKey = (symbol: string) => `depth ${symbol}`
export const candleKey = (symbol: string, period: Period) => `candle ${symbol} ${period}`
export const allQuotes = everything

/**
 * The channels that the screens want and those that the server knows of, as two sets. Messages are the difference, so a want that comes and
 * goes within one task costs none, and a new connection needs only that the second set is emptied.
 */
export class Wants {
  private readonly counts = new Map<string, number>()
  private readonly sent = new Set<string>()

  /** @returns ends the want; a second call does nothing */
  want(keys: readonly string[]): () => void {
    for (const key of keys) this.counts.set(key, (this.counts.get(key) ?? 0) + 1)
    let on = true
    return () => {
      if (!on) return
      on = false
      for (const key of keys) {
        const left = (this.counts.get(key) ?? 0) - 1
        if (left > 0) this.counts.set(key, left)
        else this.counts.delete(key)
      }
    }
  }

  wanted(key: string): boolean {
    return this.counts.has(key)
  }

  /** The server knows nothing: a new connection. */
  forget(): void {
    this.sent.clear()
  }

  /** Makes the next messages ask for this again. */
  again(key: string): void {
    this.sent.delete(key)
  }

  /** The same for all quotes. */
  quotesAgain(): void {
    for (const key of this.sent) if (key.startsWith('quote ')) this.sent.delete(key)
  }

  /**
   * The next message that brings the server nearer to what is wanted; undefined when nothing is left to say. Channels that a screen waits
   * for go before channels that nobody needs any more.
   * @param connect asks for the whole list of quotes, as after a reconnect
   */
  next(connect: boolean): FeedRequest | undefined {
    return this.nextQuotes(connect) ?? this.nextTopic() ?? this.nextEnd()
  }

  /** A list of names takes the place of the one before, so a screen's new names go out with all that still stand. */
  private nextQuotes(connect: boolean): FeedRequest | undefined {
    const named = this.namedQuotes()
    const all = this.counts.has(everything) || named.length > namedMax
    if (all ? this.sent.has(everything) : named.every((key) => this.sent.has(key))) return undefined
    return this.tellQuotes(all ? [everything] : named, connect)
  }

  private namedQuotes(): string[] {
    return [...this.counts.keys()].filter((key) => key.startsWith('quote ') && key !== everything)
  }

  private tellQuotes(keys: readonly string[], connect: boolean): FeedRequest {
    this.quotesAgain()
    for (const key of keys) this.sent.add(key)
    if (keys.length === 0) return { action: 'getQuota', off: true }
    return { action: 'getQuota', ...(keys[0] !== everything && { symbols: keys.map(symbolOf) }), ...(connect && { connect }) }
  }

  private nextTopic(): FeedRequest | undefined {
    if (this.sent.size >= feedLimits.subscriptionsMax) return undefined
    for (const key of this.counts.keys()) {
      if (key.startsWith('quote ') || this.sent.has(key)) continue
      this.sent.add(key)
      return topic(key)
    }
    return undefined
  }

  private nextEnd(): FeedRequest | undefined {
    for (const key of this.sent) {
      if (this.counts.has(key)) continue
      if (!key.startsWith('quote ')) {
        this.sent.delete(key)
        return { ...topic(key), off: true }
      }
      const named = this.namedQuotes()
      if (key !== everything || named.length <= namedMax) return this.tellQuotes(named, false)
    }
    return undefined
  }
}

const symbolOf = (key: string) => key.slice('quote '.length)

function topic(key: string): Extract<FeedRequest, { action: 'getDepth' | 'kline' }> {
  const [kind, symbol = '', period] = key.split(' ')
  return kind === 'depth' ? { action: 'getDepth', symbol } : { action: 'kline', symbol, period: period as Period }
}
