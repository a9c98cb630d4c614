import { type Connection, type FeedCounts, isSlow, type Sender } from '#api-server/feed/connection.ts'
import type { FeedMarket } from '#api-server/feed/feed-market.ts'
import type { Candle, Period } from '#contract/calls/market.calls.ts'
import type { FeedMessage } from '#contract/feed.ts'

interface Channel {
  readonly symbol: string
  readonly period: Period
  readonly members: Set<Connection>
  changed: boolean
}

const nameOf = (symbol: string, period: Period) => `${symbol} ${period}`

/** Topic of candles: the open candle at most twice a second, a closed candle once. */
export function createCandlesTopic(market: FeedMarket, sender: Sender, counts: FeedCounts) {
  const channels = new Map<string, Channel>()
  const bySymbol = new Map<string, Set<Channel>>()

  const messageOf = ({ symbol, period }: Channel, data: Candle): Extract<FeedMessage, { action: 'kline' }> => ({
    action: 'kline',
    symbol,
    period,
    data,
  })

  /** @param owedAs name of the message for a client that does not keep up; a later message of the same name replaces it */
  function give(channel: Channel, to: Connection, bytes: Buffer, owedAs: string): void {
    if (to.owed.candles.size || isSlow(to)) {
      counts.coalesced++
      to.owed.candles.delete(owedAs)
      to.owed.candles.set(owedAs, bytes)
    } else if (channel.members.has(to)) sender.send(to, bytes)
  }

  function sendRunning(channel: Channel, members: Iterable<Connection>): void {
    const candle = market.openCandle(channel.symbol, channel.period)
    if (!candle) return
    const bytes = sender.encode(messageOf(channel, candle))
    for (const one of members) give(channel, one, bytes, nameOf(channel.symbol, channel.period))
  }

  return {
    join(one: Connection, symbol: string, period: Period): void {
      const name = nameOf(symbol, period)
      let channel = channels.get(name)
      if (!channel) {
        channel = { symbol, period, members: new Set(), changed: false }
        channels.set(name, channel)
        const siblings = bySymbol.get(symbol) ?? new Set()
        bySymbol.set(symbol, siblings.add(channel))
      }
      channel.members.add(one)
      one.candles.add(name)
      sendRunning(channel, [one])
    },
    /** @param name a name in `Connection.candles` */
    leave(one: Connection, name: string): void {
      one.candles.delete(name)
      one.owed.candles.delete(name)
      const channel = channels.get(name)
      if (!channel) return
      channel.members.delete(one)
      if (channel.members.size) return
      channels.delete(name)
      bySymbol.get(channel.symbol)?.delete(channel)
    },
    nameOf,
    ticked(symbol: string): void {
      for (const channel of bySymbol.get(symbol) ?? []) channel.changed = true
    },
    closed(symbol: string, period: Period, candle: Candle): void {
      const channel = channels.get(nameOf(symbol, period))
      if (!channel) return
      let plain: Buffer | undefined
      let extended: Buffer | undefined
      for (const one of channel.members) {
        const message = messageOf(channel, candle)
        if (one.extended) extended ??= sender.encode({ ...message, final: true })
        else plain ??= sender.encode(message)
        give(channel, one, (one.extended ? extended : plain)!, `${nameOf(symbol, period)} ${candle.time}`)
      }
    },
    beat(): void {
      for (const channel of channels.values()) {
        if (!channel.changed) continue
        channel.changed = false
        sendRunning(channel, channel.members)
      }
    },
    pay(one: Connection): void {
      for (const bytes of one.owed.candles.values()) sender.send(one, bytes)
      one.owed.candles.clear()
    },
  }
}
