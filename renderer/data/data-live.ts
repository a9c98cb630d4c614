import type { InfiniteData, Query, QueryClient } from '@tanstack/query-core'
import { feedLimits } from '#contract/feed.ts'
import { type ChangedRow, isAmong, type Row, type RowsOf, rowsOf, type TopicMessage, type TopicTable } from '#contract/topic.ts'

/** Kept for longer than this is content, which no action changes. */
const contentMs = 60_000

/** What decides which answers a call of an action may have changed. */
export interface Changing {
  queries: QueryClient
  api: { isPublic?(call: string): boolean }
  feed: { health(): { state: string } }
  topics: TopicTable
}

/** Whether the server sends each changed row of an answer while the connection stands. After an interruption it sends what was missed. */
function isPushed(query: Query, { feed, topics }: Changing): boolean {
  if (query.meta?.live === undefined) return false
  const lists = [query.meta.live].flat().map((topic) => rowsOf(String(topic), topics)?.call)
  return lists.includes(String(query.queryKey[0])) && query.state.status === 'success' && feed.health().state === 'connected'
}

/**
 * A call of an action has been answered: nothing that was asked for before counts as what is true now, except content and lists whose rows
 * the server pushes. A load in progress starts again at once where its source may still load, and otherwise when a screen shows it next,
 * however young it is.
 */
export function outdate(engine: Changing): void {
  for (const query of engine.queries.getQueryCache().getAll()) {
    if (Number(query.meta?.keepMs) > contentMs || (query.state.fetchStatus === 'idle' && isPushed(query, engine))) continue
    query.invalidate()
    if (query.state.fetchStatus === 'idle') continue
    void query.cancel({ silent: true })
    if (query.getObserversCount() > 0 && !query.isActive()) continue
    query.fetch().catch(() => undefined)
  }
}

/**
 * A call with a key has changed something: what is shown and counts as old since then is asked for again, and the rest when a screen shows
 * it. What everybody may read stays; a call of one customer changes nothing of it that the server does not push.
 */
export function renewShown({ queries, api }: Pick<Changing, 'queries' | 'api'>): void {
  for (const query of queries.getQueryCache().getAll()) {
    const { fetchStatus, isInvalidated } = query.state
    if (!isInvalidated || fetchStatus !== 'idle' || !query.isActive() || api.isPublic?.(String(query.queryKey[0]))) continue
    query.fetch().catch(() => undefined)
  }
}

/**
 * The server says that some answers are others now: what is shown is asked for again, the rest when it is shown next. A load in progress
 * may have begun before the change. It is let come in first, so that who hears often is not kept waiting for ever; but what has failed, as
 * without a network, is not on its way before it is tried again, seconds later.
 */
export function renew(queries: QueryClient, of: (query: Query) => boolean): void {
  for (const query of queries.getQueryCache().getAll().filter(of)) {
    const again = () => queries.invalidateQueries({ queryKey: query.queryKey, exact: true }, { cancelRefetch: false })
    const failed = query.isActive() && query.state.fetchStatus !== 'idle' && query.state.fetchFailureCount > 0
    if (failed) void query.cancel({ silent: true })
    if (query.promise && !failed) query.promise.then(again, again)
    else void again()
  }
}

type Answer = { list: readonly Row[]; total?: number }
const pagesOf = (data: unknown): readonly Answer[] => (data as InfiniteData<Answer> | undefined)?.pages ?? [data as Answer]

/**
 * Keys of rows that have stood in an answer, and the answer that they were last taken from. One that is there no longer has left the list, and
 * a message about it may come late, from before it left.
 */
const stood = new WeakMap<Query, { keys: Set<unknown>; from: unknown }>()
function remember(query: Query, { key }: RowsOf): void {
  const known = stood.get(query)
  const { data } = query.state
  if (known?.from === data) return
  const keys = known && known.keys.size < feedLimits.rowsKeptMax ? known.keys : new Set<unknown>()
  stood.set(query, { keys, from: data })
  for (const page of pagesOf(data)) if (Array.isArray(page?.list)) for (const row of page.list) keys.add(row[key])
}

/**
 * Puts the server's changes into the answers that are kept, whether a screen shows them or not. Where a row cannot be put in its place with
 * certainty, the answer is asked for again.
 */
export function takeTopicMessage(queries: QueryClient, { topic, change, row }: TopicMessage, table: TopicTable): void {
  const rows = rowsOf(topic, table)
  const again = new Set<Query>()
  for (const query of queries.getQueryCache().getAll()) {
    if (![query.meta?.live].flat().includes(topic)) continue
    if (rows) {
      const keep = () => remember(query, rows)
      keep()
      // A load in progress is repeated as soon as its answer is here.
      if (query.state.fetchStatus !== 'idle') query.promise?.then(keep, keep)
    }
    if (!(rows && change && row && takeRow(query, rows, { change, row }))) again.add(query)
  }
  if (again.size > 0) renew(queries, (query) => again.has(query))
}

/** @returns false when only a new request gives the answer */
export function takeRow(query: Query, rows: RowsOf, changed: ChangedRow): boolean {
  const [call, args = {}] = query.queryKey as [string, Record<string, unknown>?]
  const { data, status, fetchStatus, isInvalidated } = query.state
  // A load in progress may have read its data before the change.
  if (call !== rows.call || fetchStatus !== 'idle') return false
  if (data === undefined) return true
  if (status !== 'success' || isInvalidated) return false
  const { pages } = data as InfiniteData<Answer>
  const before = pages ?? [data as Answer]
  if (!before.every(({ list }) => Array.isArray(list))) return false
  const key = changed.row[rows.key]
  const place = placeOf(before, rows.key, key)
  const next = withRow(before, place, rows, args, changed, pages !== undefined)
  if (!next) return false
  const known = stood.get(query)
  if (!place && known?.keys.has(key) && placeOf(next, rows.key, key)) return false
  // The answer is as old as it was: what else it says was true then. Nothing need be compared, because the other rows are the same objects.
  query.setState({ data: pages ? { ...(data as object), pages: next } : next[0] })
  // No row has come that was not there.
  if (place && known?.from === data) known.from = query.state.data
  return true
}

/** The pages of an answer with one row changed; other rows keep their identity. Undefined when the server's answer cannot be derived. */
function withRow(
  pages: readonly Answer[],
  place: Place | undefined,
  rows: RowsOf,
  args: Readonly<Record<string, unknown>>,
  { change, row }: ChangedRow,
  paged: boolean,
): Answer[] | undefined {
  const size = Number(args.size ?? feedLimits.rowsKeptMax)
  let belongs = change !== 'remove'
  for (const [name, value] of Object.entries(args)) {
    if (value === undefined || value === null || value === '' || name === 'size' || (name === 'page' && Number(value) === 1)) continue
    const member = Object.hasOwn(rows.by, name) ? rows.by[name] : undefined
    if (member === undefined) return undefined
    belongs &&= isAmong(row, member, value)
  }

  const key = row[rows.key]
  const before = place && pages[place.page]?.list[place.at]
  if (before && rows.stamp !== undefined && Number(row[rows.stamp]) < Number(before[rows.stamp])) return [...pages]
  if (before && belongs) return laidOver(pages, place, { ...before, ...row })

  const all = pages.flatMap(({ list }) => list)
  const total = pages.at(-1)?.total
  const isWhole = total === undefined || all.length >= total
  const put = (list: readonly Row[], more: number) =>
    split(pages, list, total === undefined ? undefined : total + more, paged ? undefined : size, rows)
  // The row behind the last one moves up, and nobody here knows it.
  if (before) return isWhole ? put(all.toSpliced(all.indexOf(before), 1), -1) : undefined
  if (!belongs) return [...pages]
  // Among the rows that are not loaded, or left out before and now not any more: an order that has ended is in the history from then on.
  const isOlder = rows.newest === 'first' && Number(key) < Number(all.at(-1)?.[rows.key])
  if (change === 'update') return isWhole || !isOlder ? undefined : [...pages]
  if (rows.newest === 'first') return put([row, ...all], 1)
  return isWhole ? put([...all, row], 1) : put(all, 1)
}

interface Place {
  page: number
  at: number
}

/** Where the row with a key is. Lists have hundreds of rows and prices change often, so it is looked for once and by a loop. */
function placeOf(pages: readonly Answer[], name: string, key: unknown): Place | undefined {
  for (let page = 0; page < pages.length; page++) {
    const { list } = pages[page] as Answer
    for (let at = 0; at < list.length; at++) if (list[at]?.[name] === key) return { page, at }
  }
  return undefined
}

/** The pages with one row replaced in its place. */
const laidOver = (pages: readonly Answer[], { page, at }: Place, row: Row): Answer[] =>
  pages.map((one, i) => (i === page ? { ...one, list: one.list.with(at, row) } : one))

/** Rows as pages of the lengths that they had. Rows that do not fit become the first rows of the next page, unless there is none. */
function split(
  pages: readonly Answer[],
  rows: readonly Row[],
  total: number | undefined,
  size: number | undefined,
  { newest }: RowsOf,
): Answer[] {
  const isWhole = total === undefined || rows.length >= total
  let list = rows
  if (size !== undefined && list.length > size) list = newest === 'first' ? list.slice(0, size) : list.slice(-size)
  let from = 0
  return pages.map((page, i) => {
    const to = size !== undefined || (i === pages.length - 1 && isWhole) ? list.length : from + page.list.length
    const part = list.slice(from, to)
    from = to
    return { ...page, list: part, ...(total !== undefined && { total }) }
  })
}
