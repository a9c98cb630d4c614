import { type Query, QueryClient, QueryObserver } from '@tanstack/query-core'
import type { Changes } from '#api-server/feed/changes.ts'
import { type TopicName, topics } from '#contract/topics.ts'
import { eventOf, type Heard } from '#renderer/data/data-events.ts'
import { takeTopicMessage } from '#renderer/data/data-live.ts'
import type { Feed } from '#renderer/feed/feed.ts'
import type { createFakeTime } from '#renderer/feed/feed-fixture.ts'
import type { Chance } from '#tests/support/house/sizes.ts'

const lists = ['entrust', 'position', 'history'] as const
type List = (typeof lists)[number]
type Time = Pick<ReturnType<typeof createFakeTime>, 'timers'>
interface Order {
  readonly id: number
  readonly rev: number
  readonly uid: number
  readonly list: List
}

/** Orders and balances of customers in one database, and the messages of the nodes about them. */
export function createOrders(draw: Chance) {
  const orders = new Map<number, Order>()
  const balances = new Map<number, number>()
  const topicOf = ({ list }: Order): TopicName => (list === 'entrust' ? 'orders' : 'positions')
  const of = (uid: number, ...among: List[]) => [...orders.values()].filter((one) => one.uid === uid && among.includes(one.list))

  /** As `createTell` of contract trading: a row goes to the topic of its list, and to that of the list it has left. */
  function put(changes: Changes, after: Order): void {
    const before = orders.get(after.id)
    orders.set(after.id, after)
    balances.set(after.uid, (balances.get(after.uid) ?? 0) + 1)
    changes.tell(after.uid, 'balance')
    const change = before?.list === after.list ? 'update' : 'insert'
    for (const topic of new Set([...(before ? [topicOf(before)] : []), topicOf(after)]))
      changes.tell(after.uid, topic, { change, row: { ...after } })
  }
  const next = (one: Order, list: List): Order => ({ ...one, rev: one.rev + 1, list })

  return {
    /** A customer opens, changes, fills or closes something. @param changes those of the node that is asked */
    move(changes: Changes, uid: number): void {
      const [waiting, open] = [of(uid, 'entrust'), of(uid, 'position')]
      const kind = draw.below(4)
      if (kind === 0 || waiting.length + open.length < 3)
        put(changes, { id: orders.size + 1, rev: 1, uid, list: draw.of(['entrust', 'position']) })
      else if (kind === 1 && waiting.length) put(changes, next(draw.of(waiting), 'position'))
      else if (kind === 2 && open.length) put(changes, next(draw.of(open), 'position'))
      else if (open.length) put(changes, next(draw.of(open), 'history'))
    },
    /** The answers of the calls. */
    list: (uid: number, list: List) => ({ list: of(uid, list).reverse(), total: of(uid, list).length }),
    balance: (uid: number) => balances.get(uid) ?? 0,
    /** All that a customer may see, in the order of the numbers. */
    whole: (uid: number) => ({
      balance: balances.get(uid) ?? 0,
      ...Object.fromEntries(lists.map((list) => [list, of(uid, list).map(({ id, rev }) => `${id} ${rev}`)])),
    }),
    isClosed: (id: number) => orders.get(id)?.list === 'history',
  }
}
export type Orders = ReturnType<typeof createOrders>

/** An answer is read at one moment and comes at another. */
const [askMs, answerMs] = [60, 40]

/**
 * The answers that an app keeps for a customer, changed by the messages of its feed, and a toast for each position that goes from their
 * list.
 * @param toast a step for an answer that differs, as screens have them
 */
export function watchOrders(feed: Feed, orders: Orders, uid: number, { timers }: Time) {
  const queries = new QueryClient({
    defaultOptions: { queries: { gcTime: Number.POSITIVE_INFINITY, staleTime: Number.POSITIVE_INFINITY } },
  })
  const wait = (ms: number) => new Promise<void>((done) => timers.setTimeout(done, ms))
  const heard: Heard = new Map()
  const toasts: string[] = []
  const gone = new Set<number>()
  const back: number[] = []

  async function asked<T>(read: () => T): Promise<T> {
    await wait(askMs)
    const answer = read()
    await wait(answerMs)
    return answer
  }
  function show(data: { list: readonly Order[] } | undefined): void {
    if (!data) return
    const doc = { call: 'lever.orderList', on: { changed: [{ toast: 'Closed' }] } } as never
    const event = eventOf(heard, { source: 'positions', doc, data, language: 'en', grown: false, depth: 0 })
    for (const { id } of data.list) if (gone.has(id)) back.push(id)
    if (event?.name !== 'changed') return
    const here = new Set(data.list.map(({ id }) => id))
    for (const { id } of (event.before as typeof data).list) {
      if (here.has(id)) continue
      gone.add(id)
      toasts.push(`position ${id} closed`)
    }
  }
  const live = { entrust: 'orders', position: 'positions', history: 'positions' } as const
  const ends: (() => void)[] = []
  const found = new Map<List | 'balance', Query>()
  function source(name: List | 'balance', topic: string, queryKey: unknown[], queryFn: () => Promise<unknown>): void {
    const observer = new QueryObserver(queries, { queryKey, queryFn, meta: { live: topic } })
    ends.push(observer.subscribe(({ data }) => name === 'position' && show(data as never)))
    found.set(name, observer.getCurrentQuery() as never)
  }
  for (const list of lists) source(list, live[list], ['lever.orderList', { status: list }, 'en'], () => asked(() => orders.list(uid, list)))
  source('balance', 'balance', ['wallet.getAsset', {}, 'en'], () => asked(() => ({ balance: orders.balance(uid) })))
  ends.push(feed.onTopicMessage((message) => takeTopicMessage(queries, message, topics)))

  return {
    toasts,
    /** Positions that were shown again after they had gone. */
    back,
    /** The same as `whole` of the orders. */
    shown() {
      const data = (name: List | 'balance') => found.get(name)?.state.data as { list: Order[]; balance: number } | undefined
      const rows = (list: List) => [...(data(list)?.list ?? [])].sort((a, b) => a.id - b.id).map(({ id, rev }) => `${id} ${rev}`)
      return { balance: data('balance')?.balance, ...Object.fromEntries(lists.map((list) => [list, rows(list)])) }
    },
    stop(): void {
      for (const end of ends) end()
      queries.clear()
    },
  }
}
