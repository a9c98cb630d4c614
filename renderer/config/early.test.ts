import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { askEarly, feedUrl, fetchOrEarly, socketOrEarly } from '#renderer/config/early.ts'

const manifest = /^\/config\/manifest\?caps=abc&segment=0\.0\.[\da-f]{16}&locale=fr$/

class FakeSocket {
  static made: FakeSocket[] = []
  readonly OPEN = 1
  readyState = 0
  onopen: (() => void) | null = null
  readonly url: string
  constructor(url: string) {
    this.url = url
    FakeSocket.made.push(this)
  }
}

let answers: (() => Promise<Response>)[]
const fetched: string[] = []
const fetch = vi.fn(async (url: string) => {
  fetched.push(url)
  const next = answers.shift()
  return next ? next() : new Response('later')
})
const page = { visibilityState: 'visible' }

beforeEach(() => {
  answers = []
  fetched.length = 0
  FakeSocket.made = []
  page.visibilityState = 'visible'
  const kept = new Map<string, string>([['tessera.language', '"fr"']])
  const localStorage = { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, text: string) => kept.set(key, text) }
  vi.stubGlobal('window', { localStorage })
  vi.stubGlobal('document', page)
  vi.stubGlobal('location', { protocol: 'https:', host: 'shop.example' })
  vi.stubGlobal('fetch', fetch)
  vi.stubGlobal('WebSocket', FakeSocket)
})
afterEach(() => {
  globalThis.tesseraEarly = undefined
  vi.unstubAllGlobals()
})

describe('the manifest', () => {
  test('is asked for once, and taken once by who asks for the same', async () => {
    answers = [async () => new Response('early')]
    askEarly('abc', true)
    expect(fetched[0]).toMatch(manifest)
    expect(await (await fetchOrEarly(fetched[0]!, {})).text()).toBe('early')
    expect(fetched).toHaveLength(1)
    expect(await (await fetchOrEarly(fetched[0]!, {})).text()).toBe('later')
    expect(fetched).toHaveLength(2)
  })
  test('keeps its status', async () => {
    answers = [async () => new Response('{}', { status: 503 })]
    askEarly('abc', true)
    expect((await fetchOrEarly(fetched[0]!, {})).status).toBe(503)
  })
  test('is not given to who asks for another, then or later', async () => {
    answers = [async () => new Response('early')]
    askEarly('abc', true)
    expect(await (await fetchOrEarly('/config/manifest?caps=other', {})).text()).toBe('later')
    expect(await (await fetchOrEarly(fetched[0]!, {})).text()).toBe('later')
  })
  test('that failed, or broke off, is asked for again', async () => {
    const broken = () => new ReadableStream({ pull: (it) => it.error(new Error('gone')) })
    for (const first of [() => Promise.reject(new TypeError('no network')), async () => new Response(broken())]) {
      answers = [first]
      askEarly('abc', true)
      expect(await (await fetchOrEarly(fetched.at(-1)!, {})).text()).toBe('later')
    }
  })
  test('is asked for as usual where nothing was asked early', async () => {
    expect(await (await fetchOrEarly('/config/manifest?caps=abc', {})).text()).toBe('later')
  })
})

describe('the socket', () => {
  const early = () => FakeSocket.made[0]!
  test('is opened once and taken once, while it connects', async () => {
    askEarly('abc', true)
    const taken = socketOrEarly(feedUrl())
    expect(taken).toBe(early())
    taken.onopen = vi.fn()
    await Promise.resolve()
    expect(taken.onopen).not.toHaveBeenCalled()
    expect(socketOrEarly(feedUrl())).not.toBe(early())
    expect(FakeSocket.made.map(({ url }) => url)).toEqual(['wss://shop.example/ws', 'wss://shop.example/ws'])
  })
  test('that is open says so to who has taken it', async () => {
    askEarly('abc', true)
    early().readyState = 1
    const taken = socketOrEarly(feedUrl())
    taken.onopen = vi.fn()
    await Promise.resolve()
    expect(taken.onopen).toHaveBeenCalledOnce()
  })
  test('that is open says nothing to who has let it go again', async () => {
    askEarly('abc', true)
    early().readyState = 1
    socketOrEarly(feedUrl()).onopen = null
    await Promise.resolve()
    expect(FakeSocket.made).toHaveLength(1)
  })
  test.each([2, 3])('in state %i is not taken', (state) => {
    askEarly('abc', true)
    early().readyState = state
    expect(socketOrEarly(feedUrl())).not.toBe(early())
  })
  test('is not taken for another address', () => {
    askEarly('abc', true)
    expect(socketOrEarly('wss://other.example/ws')).not.toBe(early())
  })
  test('is not opened for a page that nobody sees', () => {
    page.visibilityState = 'hidden'
    askEarly('abc', true)
    expect(FakeSocket.made).toEqual([])
    expect(fetched).toHaveLength(1)
  })
})
