import { QueryClient } from '@tanstack/query-core'
import { describe, expect, test } from 'vitest'
import { feedLimits } from '#contract/feed.ts'
import type { ChangedRow, RowsOf } from '#contract/topic.ts'
import { takeRow, takeTopicMessage } from '#renderer/data/data-live.ts'

const first: RowsOf = { call: 'wallet.getRecord', key: 'id', stamp: 'at', newest: 'first', by: { type: 'kind' } }
const last: RowsOf = { ...first, newest: 'last' }
const named: RowsOf = { ...first, by: { of: ['no', 'code'] } }
const row = (id: number, more: object = {}) => ({ id, kind: 'in', at: 5, ...more })
const ids = (...list: number[]) => list.map((id) => row(id))
const insert = (id: number, more: object = {}): ChangedRow => ({ change: 'insert', row: row(id, more) })
const update = (id: number, more: object = {}): ChangedRow => ({ change: 'update', row: row(id, more) })
const remove = (id: number): ChangedRow => ({ change: 'remove', row: { id } })

/** An answer of `wallet.getRecord` in the cache, and what a change makes of it. */
function stage(data: unknown, args: object = {}, call = 'wallet.getRecord') {
  const queries = new QueryClient()
  const queryKey = [call, args, 'en']
  queries.setQueryData(queryKey, data)
  const query = queries.getQueryCache().find({ queryKey, exact: true })!
  const take = (rows: RowsOf, changed: ChangedRow) => takeRow(query, rows, changed)
  return { queries, query, take, data: () => query.state.data as never }
}
const whole = (...list: number[]) => ({ list: ids(...list), total: list.length })
const paged = (total: number, ...pages: number[][]) => ({
  pages: pages.map((list) => ({ list: ids(...list), total })),
  pageParams: pages.map((_, i) => i + 1),
})
const seen = (data: { list: { id: number }[]; total: number } | { pages: { list: { id: number }[]; total: number }[] }) =>
  'pages' in data
    ? [...data.pages.map(({ list }) => list.map(({ id }) => id)), data.pages[0]?.total]
    : [data.list.map(({ id }) => id), data.total]

describe('a row takes its place', () => {
  const table: [string, unknown, object, RowsOf, ChangedRow, unknown[]][] = [
    ['new, at the start', whole(3, 2), {}, first, insert(4), [[4, 3, 2], 3]],
    ['new, at the end', whole(2, 3), {}, last, insert(4), [[2, 3, 4], 3]],
    ['new in an empty list', whole(), {}, first, insert(1), [[1], 1]],
    ['twice: once', whole(3, 2), {}, first, insert(3), [[3, 2], 2]],
    ['gone', whole(3, 2), {}, first, remove(3), [[2], 1]],
    ['gone before', whole(3, 2), {}, first, remove(9), [[3, 2], 2]],
    ['new, of the kind that was asked for', whole(3), { type: 'in' }, first, insert(4), [[4, 3], 2]],
    ['new, of another kind', whole(3), { type: 'out' }, first, insert(4), [[3], 1]],
    ['new, of the number or the name that was asked for', whole(3), { of: 'BTC' }, named, insert(4, { code: 'BTC' }), [[4, 3], 2]],
    ['changed, of the number or the name that was asked for', whole(3), { of: '7' }, named, update(3, { no: 7 }), [[3], 1]],
    ['new, of neither the number nor the name', whole(3), { of: 'ETH' }, named, insert(4, { code: 'BTC' }), [[3], 1]],
    ['no longer of the kind that was asked for', whole(3, 2), { type: 'in' }, first, update(3, { kind: 'out' }), [[2], 1]],
    ['of the first three only', { list: ids(3, 2, 1), total: 9 }, { page: 1, size: 3 }, first, insert(4), [[4, 3, 2], 10]],
    ['on the first of several pages', paged(9, [9, 8], [7, 6]), {}, first, insert(10), [[10, 9], [8, 7], 10]],
    ['on the first of all pages', paged(3, [3, 2], [1]), {}, first, insert(4), [[4, 3], [2, 1], 4]],
    ['behind the pages that are here', paged(9, [1, 2]), {}, last, insert(10), [[1, 2], 10]],
    ['gone from the first of all pages', paged(3, [3, 2], [1]), {}, first, remove(3), [[2, 1], [], 2]],
    ['not here yet', paged(9, [9, 8]), {}, first, update(1), [[9, 8], 9]],
  ]
  test.each(table)('%s', (_name, data, args, rows, changed, expected) => {
    const at = stage(data, args)
    expect(at.take(rows, changed)).toBe(true)
    expect(seen(at.data())).toEqual(expected)
  })

  test('changed: its members are laid over it, and the other rows stay the same', () => {
    const data = { list: [row(3, { note: 'kept' }), row(2)], total: 2 }
    const at = stage(data)
    at.take(first, update(3, { at: 6 }))
    const { list } = at.data() as typeof data
    expect(list[0]).toEqual(row(3, { note: 'kept', at: 6 }))
    expect(list[1]).toBe(data.list[1])
  })

  test('an older state takes the place of no newer one', () => {
    const at = stage(whole(3))
    expect(at.take(first, update(3, { at: 4, kind: 'out' }))).toBe(true)
    expect((at.data() as { list: unknown[] }).list).toEqual(ids(3))
  })

  test('no more than a bound are kept, the oldest go', () => {
    const many = Array.from({ length: feedLimits.rowsKeptMax }, (_, i) => feedLimits.rowsKeptMax - i)
    const at = stage(whole(...many))
    at.take(first, insert(0))
    const { list } = at.data() as { list: { id: number }[] }
    expect([list.length, list[0]?.id, list.at(-1)?.id]).toEqual([feedLimits.rowsKeptMax, 0, 2])
  })

  test('the answer is as old as before', () => {
    const at = stage(whole(3))
    const { dataUpdatedAt } = at.query.state
    at.take(first, insert(4))
    expect(at.query.state.dataUpdatedAt).toBe(dataUpdatedAt)
  })
})

describe('is asked for again', () => {
  const table: [string, ReturnType<typeof stage>, ChangedRow][] = [
    ['where the rows are of another call', stage(whole(3), {}, 'wallet.getWithdrawInfo'), insert(4)],
    ['where an argument chooses rows in a way that nobody knows', stage(whole(3), { search: 'x' }), insert(4)],
    ['where a later page is shown alone', stage(whole(3), { page: 2, size: 1 }), insert(4)],
    ['where the row behind the last one moves up', stage(paged(9, [9, 8])), remove(9)],
    ['where a row that was left out may belong now', stage(whole(3)), update(4)],
    ['where it may belong between those that are loaded', stage(paged(9, [9, 7])), update(8)],
    ['where the answer is no list', stage({ rows: [] }), insert(4)],
  ]
  test.each(table)('%s', (_name, at, changed) => {
    const before = at.data()
    expect(at.take(first, changed)).toBe(false)
    expect(at.data()).toBe(before)
  })

  test('where a row has stood that is not there any more: what is told of it may be from before', () => {
    const { queries, query, data } = stage(whole(3, 2))
    query.setOptions({ ...query.options, meta: { live: 'records' } })
    const publish = (changed: ChangedRow) =>
      takeTopicMessage(queries, { topic: 'records', ...changed }, { records: { about: '', rows: first } })
    publish(insert(4))
    expect([seen(data()), query.state.isInvalidated]).toEqual([[[4, 3, 2], 3], false])
    // Loaded again: row 3 has left.
    queries.setQueryData(query.queryKey, whole(4, 2))
    publish(insert(3))
    expect([seen(data()), query.state.isInvalidated]).toEqual([[[4, 2], 2], true])
  })

  test('a source with several topics hears each of them', () => {
    const { queries, query } = stage(whole(3))
    query.setOptions({ queryKey: query.queryKey, meta: { live: ['balance', 'records'] } })
    takeTopicMessage(queries, { topic: 'orders' }, {})
    expect(query.state.isInvalidated).toBe(false)
    takeTopicMessage(queries, { topic: 'records' }, {})
    expect(query.state.isInvalidated).toBe(true)
  })

  test('what an action has outdated, and what is on its way', async () => {
    const at = stage(whole(3))
    at.query.invalidate()
    expect(at.take(first, insert(4))).toBe(false)
    const other = stage(whole(3))
    void other.queries.fetchQuery({ queryKey: other.query.queryKey, queryFn: () => new Promise(() => undefined), staleTime: 0 })
    expect(other.take(first, insert(4))).toBe(false)
  })
})
