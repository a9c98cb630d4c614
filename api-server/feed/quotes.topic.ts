import { type Connection, type FeedCounts, isSlow, type Sender } from '#api-server/feed/connection.ts'
import type { FeedMarket } from '#api-server/feed/feed-market.ts'
import type { Quote } from '#contract/calls/market.calls.ts'
import type { FeedMessage } from '#contract/feed.ts'

interface Group {
  symbols: 'all' | ReadonlySet<string>
  members: Set<Connection>
  /** The serialized whole list, for all clients that subscribe in the same interval. */
  whole: { plain?: Buffer; extended?: Buffer }
}

const nameOf = (symbols: 'all' | ReadonlySet<string>) => (symbols === 'all' ? '*' : [...symbols].sort().join())

/** Topic of quotes: first the whole list, then changed rows. Clients with equal subscriptions get the same bytes. */
export function createQuotesTopic(market: FeedMarket, sender: Sender, counts: FeedCounts) {
  const groups = new Map<string, Group>()
  const changed = new Set<string>()

  const rowsOf = (symbols: Iterable<string>): Quote[] => [...symbols].flatMap((symbol) => market.quote(symbol) ?? [])
  const rowsMessage = (data: Quote[]): FeedMessage => ({ action: 'getQuota', data })

  function sendWhole(to: Connection): void {
    const group = to.quotes && groups.get(nameOf(to.quotes))
    if (!group) return
    if (isSlow(to)) {
      counts.coalesced++
      to.owed.wholeList = true
      return
    }
    to.owed.wholeList = false
    to.owed.quotes.clear()
    const kind = to.extended ? 'extended' : 'plain'
    group.whole[kind] ??= sender.encode({
      ...rowsMessage(rowsOf(group.symbols === 'all' ? market.symbols() : group.symbols)),
      ...(to.extended && { full: true }),
    })
    sender.send(to, group.whole[kind])
  }

  function leave(one: Connection): void {
    const name = one.quotes && nameOf(one.quotes)
    const group = name === undefined ? undefined : groups.get(name)
    one.quotes = undefined
    one.owed.quotes.clear()
    one.owed.wholeList = false
    // The group of those who named no known symbol has an empty name.
    if (name === undefined || !group) return
    group.members.delete(one)
    if (!group.members.size) groups.delete(name)
    counts.quoteGroups = groups.size
  }

  return {
    ticked: (symbol: string) => void changed.add(symbol),
    leave,
    sendWhole,
    join(one: Connection, symbols: 'all' | ReadonlySet<string>): void {
      leave(one)
      const name = nameOf(symbols)
      const group = groups.get(name) ?? { symbols, members: new Set(), whole: {} }
      groups.set(name, group)
      counts.quoteGroups = groups.size
      group.members.add(one)
      one.quotes = group.symbols
      sendWhole(one)
    },
    beat(): void {
      for (const group of groups.values()) {
        group.whole = {}
        if (!changed.size) continue
        const symbols = [...changed].filter((symbol) => group.symbols === 'all' || group.symbols.has(symbol))
        if (!symbols.length) continue
        let bytes: Buffer | undefined
        for (const one of group.members) {
          if (one.owed.quotes.size || one.owed.wholeList || isSlow(one)) {
            counts.coalesced++
            for (const symbol of symbols) one.owed.quotes.add(symbol)
          } else {
            bytes ??= sender.encode(rowsMessage(rowsOf(symbols)))
            sender.send(one, bytes)
          }
        }
      }
      changed.clear()
    },
    /** Sends the latest messages to a client that keeps up again. */
    pay(one: Connection): void {
      if (one.owed.wholeList) sendWhole(one)
      else if (one.owed.quotes.size) {
        sender.send(one, sender.encode(rowsMessage(rowsOf(one.owed.quotes))))
        one.owed.quotes.clear()
      }
    },
  }
}
