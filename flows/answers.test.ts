import { describe, expect, test } from 'vitest'
import { type AnswerRules, answerTo, laidOver } from '#flows/answers.ts'
import { createSampleFeed } from '#flows/feed.ts'
import type { FlowAnswer } from '#language/documents.ts'
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

describe('what becomes of a call', () => {
  test.each([
    ['a sample', site, {}, { status: 200, code: 1, data: { open: true } }],
    ['nothing in a list', list, { state: 'empty' }, { code: 1, data: { list: [], total: 0 } }],
    ['no answer while loading', site, { state: 'loading' }, 'hold'],
    ['a problem', site, { state: 'error' }, { status: 500, code: 5001, name: 'internal' }],
    ['what is pressed answers in every state', cancel, { state: 'error', pressed: new Set(['order.cancel']) }, { code: 1 }],
    ['a visitor is refused what is for customers', { ...list, loggedIn: false }, {}, { status: 401, code: 401, name: 'unauthorized' }],
    [
      'a problem that was laid down',
      cancel,
      { given: given('order.cancel', { problem: 'not_found', field: 'id' }) },
      { code: 4004, name: 'not_found', field: 'id' },
    ],
    [
      'members that were laid down',
      site,
      { given: given('site.info', { data: { open: false } }) },
      { code: 1, data: { open: false, links: [{ id: 'sample-1' }, {}, {}] } },
    ],
    [
      'a laid down answer comes while all others are held',
      site,
      { state: 'loading', given: given('site.info', { data: {} }) },
      { code: 1 },
    ],
    ['the API itself', site, { dry: false }, 'pass'],
    ['not for what was laid down', site, { dry: false, given: given('site.info', { data: {} }) }, { code: 1 }],
    ['a path of nobody', { ...site, path: '/site/gone' }, {}, undefined],
  ] as [string, typeof list, Partial<AnswerRules>, unknown][])('%s', (_, request, change, wanted) => {
    if (typeof wanted === 'object') expect(answered(request, change)).toMatchObject(wanted as object)
    else expect(answered(request, change)).toBe(wanted)
  })
  test('lists are laid down whole, objects member by member, and the sample is left as it was', () => {
    const sample = { list: [1, 2], one: { a: 1, b: 2 } }
    expect(laidOver(sample, { list: [3], one: { b: 3 } })).toEqual({ list: [3], one: { a: 1, b: 3 } })
    expect(sample).toEqual({ list: [1, 2], one: { a: 1, b: 2 } })
  })
})

describe('the socket', () => {
  const say = createSampleFeed(catalog, () => 5)
  test.each([
    ['a beat', '{"action":"ping"}', [{ action: 'ping', ts: 5 }]],
    [
      'a greeting, whoever it is',
      '{"action":"checkToken","token":"x"}',
      [{ action: 'checkToken', data: { uid: null, heartbeatMs: 15_000, epoch: 'sample' } }],
    ],
    ['nothing to what is ended', '{"action":"getDepth","symbol":"A","off":true}', []],
    ['nothing to what is no message', '{', []],
  ])('answers %s', (_, message, wanted) => {
    expect(say(message).map((text) => JSON.parse(text))).toEqual(wanted)
  })
})
