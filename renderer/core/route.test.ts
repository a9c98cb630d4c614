import { describe, expect, test } from 'vitest'
import type { ParamDoc, RoutesDoc } from '#language/documents/documents.ts'
import { addressOf, createRouter, readParams } from '#renderer/core/route.ts'

const routes: RoutesDoc = {
  kind: 'routes',
  id: 'routes',
  format: 1,
  routes: { '/': { screen: 'home', tab: 'home', aliases: ['pages/index/index'] }, 'pages/market/market': { screen: 'market' } },
}

describe('routes', () => {
  const match = createRouter(routes)
  test.each([
    ['/', 'home'],
    ['', 'home'],
    ['/pages/index/index', 'home'],
    ['/pages/market/market', 'market'],
    ['pages/market/market/', 'market'],
    ['/pages/nothing', undefined],
    ['/constructor', undefined],
    ['/__proto__', undefined],
  ])('%s leads to %s', (path, screen) => expect(match(path)?.route.screen).toBe(screen))
})

describe('query parameters are checked', () => {
  const declared: Record<string, ParamDoc> = {
    nid: { type: 'integer', required: true },
    symbol: { type: 'string', default: 'BTCUSDT' },
    side: { type: 'enum', values: ['buy', 'sell'] },
    amount: { type: 'decimal' },
  }
  test.each([
    ['nid=3', { params: { nid: 3, symbol: 'BTCUSDT' } }],
    ['nid=3&symbol=X&extra=1', { params: { nid: 3, symbol: 'X' } }],
    ['', { wrong: 'nid' }],
    ['nid=3.5', { wrong: 'nid' }],
    ['nid=1e3', { wrong: 'nid' }],
    ['nid=1&side=hold', { wrong: 'side' }],
    ['nid=1&side=buy&amount=0.10', { params: { nid: 1, symbol: 'BTCUSDT', side: 'buy', amount: '0.10' } }],
    ['nid=1&amount=-1', { wrong: 'amount' }],
  ])('%s', (query, answer) => expect(readParams(declared, new URLSearchParams(query))).toEqual(answer))

  test('addresses leave out what is absent and escape what is not', () => {
    expect(addressOf('pages/a', { x: undefined, y: null, z: 'a&b=c' })).toBe('/pages/a?z=a%26b%3Dc')
    expect(addressOf('/')).toBe('/')
  })
})
