import { expect, test, vi } from 'vitest'
import { RowScope, Topics, topicOf } from '#renderer/core/scope.ts'
import { ScreenStore } from '#renderer/engine/store.ts'

/** A screen whose outer scope records the topics of the feed that have listeners. */
function setUp() {
  const topics = new Topics()
  const live: string[] = []
  const outer = {
    get: () => undefined,
    subscribe(topic: string, wake: () => void) {
      live.push(topic)
      const off = topics.subscribe(topic, wake)
      return () => {
        live.splice(live.indexOf(topic), 1)
        off()
      }
    },
  }
  const store = new ScreenStore(outer, {}, { symbol: 'BTCUSDT', nothing: '' })
  return { store, topics, live, wake: vi.fn() }
}

test('a computed name of the feed stays in its brackets, every other path is cut', () => {
  expect(topicOf('feed[state.symbol]')).toBe('feed[state.symbol]')
  expect(topicOf('feed.BTCUSDT.last')).toBe('feed.BTCUSDT')
  expect(topicOf('data.list')).toBe('data.list')
})

test('a computed name is subscribed to, and the next one when it changes', () => {
  const { store, topics, live, wake } = setUp()
  const off = store.subscribe('feed[state.symbol]', wake)
  expect(live).toEqual(['feed.BTCUSDT'])
  topics.wake('feed.BTCUSDT')
  expect(wake).toHaveBeenCalledTimes(1)
  store.setState('symbol', 'ETHUSDT')
  expect(live).toEqual(['feed.ETHUSDT'])
  topics.wake('feed.BTCUSDT')
  expect(wake).toHaveBeenCalledTimes(1)
  topics.wake('feed.ETHUSDT')
  expect(wake).toHaveBeenCalledTimes(2)
  off()
  expect(live).toEqual([])
  store.setState('symbol', 'BTCUSDT')
  expect(live).toEqual([])
})

test.each(['nothing', 'absent'])('nothing is subscribed to while there is no name: %s', (name) => {
  const { store, live, wake } = setUp()
  const off = store.subscribe(`feed[state.${name}]`, wake)
  expect(live).toEqual([])
  store.setState(name, 'XAUUSDT')
  expect(live).toEqual(['feed.XAUUSDT'])
  store.setState(name, null)
  expect(live).toEqual([])
  off()
})

test('a row computes the name from its own item', () => {
  const { store, topics, live, wake } = setUp()
  const row = new RowScope(store, { symbol: 'ETHUSDT' }, 0)
  const off = row.subscribe('feed[item.symbol]', wake)
  expect(live).toEqual(['feed.ETHUSDT'])
  row.update({ symbol: 'SOLUSDT' }, 0)
  expect(live).toEqual(['feed.SOLUSDT'])
  topics.wake('feed.SOLUSDT')
  expect(wake).toHaveBeenCalledTimes(1)
  off()
  expect(live).toEqual([])
})
