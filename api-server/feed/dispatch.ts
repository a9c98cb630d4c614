import type { createCandlesTopic } from '#api-server/feed/candles.topic.ts'
import { type Connection, leaveSession, mayErr, type Sender, subscriptionsOf } from '#api-server/feed/connection.ts'
import type { createDepthTopic } from '#api-server/feed/depth.topic.ts'
import type { FeedMarket, Sessions } from '#api-server/feed/feed-market.ts'
import type { PrivateTopicHub } from '#api-server/feed/private.topic.ts'
import type { createQuotesTopic } from '#api-server/feed/quotes.topic.ts'
import { readRequest } from '#api-server/feed/requests.rules.ts'
import { type FeedMessage, type FeedRequest, feedLimits } from '#contract/feed.ts'
import type { Holds } from '#server-kit/http/limiter.ts'
import type { Clock } from '#server-kit/ops/clock.ts'
import type { Log } from '#server-kit/ops/log.ts'
import type { RefusedAccess } from '#server-kit/security/access-log.ts'

interface DispatchOptions {
  market: FeedMarket
  sessions: Sessions
  clock: Clock
  log: Log
  epoch: string
  sender: Sender
  quotes: ReturnType<typeof createQuotesTopic>
  depth: ReturnType<typeof createDepthTopic>
  candles: ReturnType<typeof createCandlesTopic>
  privates: PrivateTopicHub
  /** Number of sockets of each session. */
  holds: Holds
  /** Maximum number of sockets of one session. */
  perSessionMax: number
  /** Closes a connection that exceeds a limit. */
  limit: (one: Connection, reason: string) => void
  /** Writes refused access to the log. */
  refused: (refused: RefusedAccess) => void
}

type Ask<A extends FeedRequest['action']> = Extract<FeedRequest, { action: A }>

/** Handles messages of clients. The returned function is false when the client has sent too many invalid messages. */
export function createDispatch(options: DispatchOptions) {
  const { market, sessions, clock, log, epoch, sender, quotes, depth, candles, privates, holds, perSessionMax, limit, refused } = options
  const tell = (to: Connection, message: FeedMessage) => sender.send(to, sender.encode(message))
  const fault = (to: Connection, error: string, of?: string, symbols?: string[]) =>
    tell(to, { action: 'ping', ts: clock.now(), error, ...(of && { of }), ...(symbols && { symbols }) })

  async function checkToken(one: Connection, { token, v, caps, resume }: Ask<'checkToken'>): Promise<void> {
    if (v === 2) one.extended = true
    one.trades = one.extended && (caps?.includes('trades') ?? false)
    one.rows = one.extended && (caps?.includes('rows') ?? false)
    privates.leave(one)
    leaveSession(one)
    const turn = ++one.tokenTurn
    let error: string | undefined
    if (token) {
      try {
        const found = await sessions.check(token)
        if (turn !== one.tokenTurn || one.closing) return
        if (found) {
          if (holds.held(found.session) >= perSessionMax) return limit(one, 'too many sockets of this session')
          one.uid = found.uid
          one.session = found.session
          one.endHold = holds.take(found.session)
        }
        if (!found) {
          error = 'unauthorized'
          refused({ route: 'socket', problem: error, ip: one.ip })
        }
      } catch (cause) {
        log.warn({ err: cause }, 'feed: a token could not be checked; the client stays a visitor')
        error = 'busy'
      }
    }
    if (turn !== one.tokenTurn) return
    if (error) return tell(one, { action: 'checkToken', error })
    const wants = one.extended && one.uid !== null && !one.closing && (caps?.includes('private') ?? false)
    const joined = wants ? privates.join(one, one.uid!, resume) : undefined
    const place = joined && { private: { seq: joined.seq, resumed: joined.resumed } }
    tell(one, { action: 'checkToken', data: { uid: one.uid, heartbeatMs: feedLimits.heartbeatMs, epoch, ...place } })
    joined?.catchUp()
  }

  function quota(one: Connection, { symbols, connect, off }: Ask<'getQuota'>): void {
    if (off) quotes.leave(one)
    else if (connect && !symbols && one.quotes) quotes.sendWhole(one)
    else {
      const known = new Set(symbols ? market.symbols() : [])
      const wanted = symbols ? new Set(symbols.filter((symbol) => known.has(symbol))) : 'all'
      const others = one.depth.size + one.candles.size
      if (others + (wanted === 'all' ? 1 : wanted.size) > feedLimits.subscriptionsMax) fault(one, 'too_many_requests', 'getQuota')
      else quotes.join(one, wanted)
      const unknown = (symbols ?? []).filter((symbol) => !known.has(symbol))
      if (unknown.length > 0) fault(one, 'symbol_unknown', 'getQuota', unknown)
    }
  }

  function book(one: Connection, { symbol, off }: Ask<'getDepth'>): void {
    if (off) depth.leave(one, symbol)
    else if (!one.depth.has(symbol) && refusedNew(one, symbol, 'getDepth')) return
    else depth.join(one, symbol)
  }

  function kline(one: Connection, { symbol, period, off }: Ask<'kline'>): void {
    const name = candles.nameOf(symbol, period)
    if (off) candles.leave(one, name)
    else if (!one.candles.has(name) && refusedNew(one, symbol, 'kline')) return
    else candles.join(one, symbol, period)
  }

  function refusedNew(one: Connection, symbol: string, action: string): boolean {
    const known = market.symbols().includes(symbol)
    if (known && subscriptionsOf(one) < feedLimits.subscriptionsMax) return false
    fault(one, known ? 'too_many_requests' : 'symbol_unknown', action)
    return true
  }

  return (one: Connection, text: string): boolean => {
    const read = readRequest(text)
    if ('refused' in read) {
      if (!mayErr(one)) return false
      if (read.of === 'checkToken') tell(one, { action: 'checkToken', error: read.refused })
      else fault(one, read.refused, read.of)
      return true
    }
    const { request } = read
    if (request.action === 'checkToken') void checkToken(one, request)
    else if (request.action === 'getQuota') quota(one, request)
    else if (request.action === 'getDepth') book(one, request)
    else if (request.action === 'kline') kline(one, request)
    else if (request.action === 'ping') tell(one, { action: 'ping', ts: clock.now() })
    return true
  }
}
