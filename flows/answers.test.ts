import { describe, expect, test } from 'vitest'
import { type AnswerRules, answerTo, laidOver, type PushedRow, pushedRow } from '#flows/answers.ts'
import { createSampleFeed } from '#flows/feed.ts'
import type { FlowAnswer } from '#language/documents/documents.ts'
import { catalog } from '#language/testdata/catalog.ts'

const rules = (change: Partial<AnswerRules> = {}): AnswerRules => ({ state: 'ok', who: 'visitor', given: new Map(), dry: true, ...change })
const given = (call: string, answer: FlowAnswer) => new Map([[call, answer]])
const list = { method: 'POST', path: '/order/list', args: { status: 'open' }, loggedIn: true }
const site = { method: 'GET', path: '/site/info', args: {}, loggedIn: false }
const cancel = { method: 'POST', path: '/order/cancel', args: { id: '7' }, loggedIn: true }

function answered(request: typeof list | typeof site, change: Partial<AnswerRules> = {}) {
  const found = answerTo({ ...request, args: request.args as Record<string, string> }, rules(change), catalog)
  return found?.kind === 'answer' ? { status: found.status, ...JSON.parse(found.body) } : found?.kind
}

describe('handling of a request', () => {
  test.each([
    ['a sample', site, {}, { status: 200, code: 1, data: { open: true } }],
    ['an empty list', list, { state: 'empty' }, { code: 1, data: { list: [], total: 0 } }],
    ['no answer while loading', site, { state: 'loading' }, 'hold'],
    ['a problem', site, { state: 'error' }, { status: 500, code: 5001, name: 'internal' }],
    ['calls of presses are answered in every state', cancel, { state: 'error', pressed: new Set(['order.cancel']) }, { code: 1 }],
    ['a visitor is refused a call for customers', { ...list, loggedIn: false }, {}, { status: 401, code: 401, name: 'unauthorized' }],
    [
      'a given problem',
      cancel,
      { given: given('order.cancel', { problem: 'not_found', field: 'id' }) },
      { code: 4004, name: 'not_found', field: 'id' },
    ],
    [
      'given members',
      site,
      { given: given('site.info', { data: { open: false } }) },
      { code: 1, data: { open: false, links: [{ id: 'sample-1' }, {}, {}] } },
    ],
    ['a given answer arrives while all others are held', site, { state: 'loading', given: given('site.info', { data: {} }) }, { code: 1 }],
    ['the API itself', site, { dry: false }, 'pass'],
    ['calls without a given answer', site, { dry: false, given: given('site.info', { data: {} }) }, { code: 1 }],
    ['an unknown path', { ...site, path: '/site/gone' }, {}, undefined],
  ] as [string, typeof list, Partial<AnswerRules>, unknown][])('%s', (_, request, change, wanted) => {
    if (typeof wanted === 'object') expect(answered(request, change)).toMatchObject(wanted as object)
    else expect(answered(request, change)).toBe(wanted)
  })
  test('given lists replace the whole list, objects single members, and the sample stays unchanged', () => {
    const sample = { list: [1, 2], one: { a: 1, b: 2 } }
    expect(laidOver(sample, { list: [3], one: { b: 3 } })).toEqual({ list: [3], one: { a: 1, b: 3 } })
    expect(sample).toEqual({ list: [1, 2], one: { a: 1, b: 2 } })
  })
})

describe('pushed rows', () => {
  const push = (change: 'insert' | 'update' | 'remove', row: PushedRow['row']) =>
    pushedRow({ push: 'orders', change, row: row as never }, catalog)
  const withBy = (by: Record<string, string>) => ({
    ...push('insert', { id: 9, symbol: 'done' }),
    rows: { ...push('insert', {}).rows, by },
  })
  const ids = (pushed: PushedRow[], args: Record<string, string> = {}) => {
    const { data } = answered({ ...list, args: { ...list.args, ...args } }, { pushed })
    return [data.list.map(({ id }: { id: number }) => id), data.total]
  }
  test.each<[string, PushedRow[], [number[], number], Record<string, string>?]>([
    ['a new row is at the end for new rows', [push('insert', { id: 9 })], [[9, 1, 2, 3], 4]],
    ['at the end', [{ ...push('insert', { id: 9 }), rows: { ...push('insert', {}).rows, newest: 'last' } }], [[1, 2, 3, 9], 4]],
    ['a new row is on the first page only', [push('insert', { id: 9 })], [[1, 2, 3], 3], { page: '2' }],
    ['an existing row is not new', [push('insert', { id: 2 })], [[1, 2, 3], 3]],
    ['a removed row', [push('remove', { id: 2 })], [[1, 3], 2]],
    ['an unknown row', [push('update', { id: 8 }), push('remove', { id: 7 })], [[1, 2, 3], 3]],
    ['one after the other', [push('insert', { id: 9 }), push('remove', { id: 9 }), push('insert', { id: 8 })], [[8, 1, 2, 3], 4]],
    ['a row that does not match the arguments', [withBy({ status: 'symbol' })], [[1, 2, 3], 3]],
    ['one that was', [withBy({ status: 'symbol' })], [[9, 1, 2, 3], 4], { status: 'done' }],
  ])('%s', (_, pushed, wanted, args) => {
    expect(ids(pushed, args)).toEqual(wanted)
  })
  test('a new row is complete, a changed row keeps its other members', () => {
    expect(push('insert', { id: 9, side: 'sell' }).row).toMatchObject({ id: 9, side: 'sell', symbol: expect.any(String) })
    const { data } = answered(list, { pushed: [push('update', { id: 2, side: 'sell' })] })
    expect(data.list[1]).toMatchObject({ id: 2, side: 'sell', symbol: expect.any(String) })
  })
  test('a topic without rows is refused', () => {
    expect(() => pushedRow({ push: 'balance', change: 'insert', row: {} }, catalog)).toThrow('no topic "balance" that carries rows')
  })
})

describe('the socket', () => {
  const say = createSampleFeed(catalog, () => 5)
  test.each([
    ['a beat', '{"action":"ping"}', [{ action: 'ping', ts: 5 }]],
    [
      'a greeting for every client',
      '{"action":"checkToken","token":"x"}',
      [{ action: 'checkToken', data: { uid: null, heartbeatMs: 15_000, epoch: 'sample' } }],
    ],
    ['nothing after unsubscribing', '{"action":"getDepth","symbol":"A","off":true}', []],
    ['nothing for an invalid message', '{', []],
  ])('answers %s', (_, message, wanted) => {
    expect(say(message).map((text) => JSON.parse(text))).toEqual(wanted)
  })
})
