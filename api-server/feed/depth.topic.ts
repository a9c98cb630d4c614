import { type Connection, type FeedCounts, isSlow, type Sender } from '#api-server/feed/connection.ts'
import { type Book, sideDelta } from '#api-server/feed/depth.rules.ts'
import type { FeedMarket } from '#api-server/feed/feed-market.ts'
import { type DepthMessage, feedLimits, type TradePrint } from '#contract/feed.ts'
import type { Clock } from '#server-kit/ops/clock.ts'

interface Channel {
  readonly symbol: string
  readonly members: Set<Connection>
  seq: number
  book: Book
  lastTrade: number
  /** Serialized snapshot at `seq`, made when the first client needs it. */
  snap: { plain?: Buffer; trades?: Buffer }
}

/** Topic of order books. Extended clients get a snapshot and then numbered deltas; other clients get the top levels each time. */
export function createDepthTopic(market: FeedMarket, sender: Sender, counts: FeedCounts, epoch: string, clock: Clock) {
  const channels = new Map<string, Channel>()
  /** Numbers continue after the last client has left, so that an old delta never fits a new sequence. */
  const numbers = new Map<string, number>()

  const look = (symbol: string): Book => market.depth(symbol, feedLimits.depthLevels)
  const lastTradeOf = (symbol: string) => Number(market.trades(symbol).at(-1)?.id ?? 0)
  const head = (channel: Channel) => ({ action: 'getDepth', symbol: channel.symbol, epoch, seq: channel.seq, ts: clock.now() }) as const

  function snapOf(channel: Channel, withTrades: boolean): Buffer {
    const kind = withTrades ? 'trades' : 'plain'
    const known = channel.snap[kind]
    if (known) return known
    const message: DepthMessage = { ...head(channel), type: 'snap', bids: [...channel.book.bids], asks: [...channel.book.asks] }
    // Trades after `lastTrade` come with the next delta.
    if (withTrades) message.trades = market.trades(channel.symbol).filter((trade) => Number(trade.id) <= channel.lastTrade)
    const bytes = sender.encode(message)
    channel.snap[kind] = bytes
    return bytes
  }

  function sendSnap(to: Connection, channel: Channel): void {
    if (isSlow(to)) {
      counts.coalesced++
      to.owed.depth.add(channel.symbol)
      return
    }
    to.owed.depth.delete(channel.symbol)
    sender.send(to, snapOf(channel, to.trades))
  }

  function beatOne(channel: Channel): void {
    const next = look(channel.symbol)
    const bids = sideDelta(channel.book.bids, next.bids)
    const asks = sideDelta(channel.book.asks, next.asks)
    const trades: TradePrint[] = market.trades(channel.symbol).filter((trade) => Number(trade.id) > channel.lastTrade)
    const moved = bids.length > 0 || asks.length > 0
    if (!moved && !trades.length) return
    const prev = channel.seq++
    numbers.set(channel.symbol, channel.seq)
    channel.book = next
    channel.lastTrade = Number(trades.at(-1)?.id ?? channel.lastTrade)
    channel.snap = {}
    const delta: DepthMessage = { ...head(channel), type: 'delta', prev, bids, asks }
    let bare: Buffer | undefined
    let full: Buffer | undefined
    for (const one of channel.members) {
      if (one.owed.depth.has(channel.symbol) || isSlow(one)) {
        counts.coalesced++
        one.owed.depth.add(channel.symbol)
      } else if (!one.extended) {
        if (moved) sender.send(one, snapOf(channel, false))
      } else if (one.trades) {
        full ??= sender.encode(trades.length ? { ...delta, trades } : delta)
        sender.send(one, full)
      } else {
        // Sent even when only trades came, so that the sequence has no gap.
        bare ??= sender.encode(delta)
        sender.send(one, bare)
      }
    }
  }

  return {
    /** Subscribes a client, or sends the snapshot again to a client that missed a delta. */
    join(one: Connection, symbol: string): void {
      let channel = channels.get(symbol)
      if (!channel) {
        const seq = (numbers.get(symbol) ?? 0) + 1
        numbers.set(symbol, seq)
        channel = { symbol, members: new Set(), seq, book: look(symbol), lastTrade: lastTradeOf(symbol), snap: {} }
        channels.set(symbol, channel)
      }
      channel.members.add(one)
      one.depth.add(symbol)
      sendSnap(one, channel)
    },
    leave(one: Connection, symbol: string): void {
      one.depth.delete(symbol)
      one.owed.depth.delete(symbol)
      const channel = channels.get(symbol)
      channel?.members.delete(one)
      if (channel && !channel.members.size) channels.delete(symbol)
    },
    beat(): void {
      for (const channel of channels.values()) beatOne(channel)
    },
    pay(one: Connection): void {
      for (const symbol of [...one.owed.depth]) {
        const channel = channels.get(symbol)
        if (channel) sendSnap(one, channel)
        else one.owed.depth.delete(symbol)
      }
    },
  }
}
