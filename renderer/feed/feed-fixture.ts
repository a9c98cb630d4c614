import type { FeedMessage, Quote } from '#contract/feed.ts'
import type { TopicTable } from '#contract/topic.ts'
import { topics } from '#contract/topics.ts'
import type { Timers } from '#renderer/calls/retry.ts'
import { createClock } from '#renderer/device/clock.ts'
import { createFeed, type FeedEvents, type Socket } from '#renderer/feed/feed.ts'
import { linkTimes } from '#renderer/feed/feed-link.ts'

/** Time that stands still until a test moves it. */
export function createFakeTime(startMs = 1_000_000) {
  let nowMs = startMs
  let next = 1
  const due = new Map<number, { at: number; run: () => void }>()
  const timers: Timers = {
    setTimeout(run, ms) {
      due.set(next, { at: nowMs + ms, run })
      return next++
    },
    clearTimeout: (id) => void due.delete(id as number),
  }
  return {
    now: () => nowMs,
    timers,
    waiting: () => due.size,
    /** Runs what falls due, in order of time. */
    async pass(ms: number) {
      const end = nowMs + ms
      for (;;) {
        await Promise.resolve()
        const [first] = [...due].filter(([, one]) => one.at <= end).sort((a, b) => a[1].at - b[1].at || a[0] - b[0])
        if (!first) break
        nowMs = Math.max(nowMs, first[1].at)
        due.delete(first[0])
        first[1].run()
      }
      nowMs = end
      await Promise.resolve()
    },
  }
}

export interface FakeSocket extends Socket {
  url: string
  closed: boolean
  sent: { at: number; message: Record<string, unknown> }[]
  opens(): void
  says(message: unknown): void
  closes(code: number): void
}

/** A feed over fake time, frames, sockets and page. `accept` opens the newest socket and answers its checkToken. */
export function createFakeFeed(
  options: {
    token?: () => string | undefined
    random?: () => number
    createSocket?: (url: string) => Socket
    topics?: TopicTable | undefined
    constants?: Record<string, number>
  } = {},
) {
  const time = createFakeTime()
  const sockets: FakeSocket[] = []
  const frames: (() => void)[] = []
  const emitted: { event: keyof FeedEvents; detail: unknown }[] = []
  /** How far somebody has set the clock of the device. */
  const wall = { setBy: 0 }
  const page = { visible: true, show: () => {}, online: () => {} }

  function createSocket(url: string): FakeSocket {
    const socket: FakeSocket = {
      url,
      closed: false,
      sent: [],
      onopen: null,
      onmessage: null,
      onclose: null,
      onerror: null,
      send: (text) => void socket.sent.push({ at: time.now(), message: JSON.parse(text) }),
      close() {
        socket.closed = true
      },
      opens: () => socket.onopen?.({} as never),
      says: (message) => socket.onmessage?.({ data: typeof message === 'string' ? message : JSON.stringify(message) } as never),
      closes: (code) => socket.onclose?.({ code } as never),
    }
    sockets.push(socket)
    return socket
  }
  const clock = createClock({ device: { wall: () => time.now() + wall.setBy, steady: time.now } })
  const feed = createFeed({
    url: 'ws://test/ws',
    createSocket: options.createSocket ?? createSocket,
    clock,
    timers: time.timers,
    times: linkTimes(options.constants ?? {}),
    random: options.random ?? (() => 0.5),
    frame: (run) => frames.push(run),
    token: options.token ?? (() => undefined),
    topics: options.topics ?? topics,
    page: {
      visible: () => page.visible,
      onShow(run) {
        page.show = run
        return () => {}
      },
      onOnline(run) {
        page.online = run
        return () => {}
      },
    },
  })
  for (const event of ['invalid-message', 'connect-error', 'auth'] as const) feed.on(event, (detail) => emitted.push({ event, detail }))
  const newest = () => sockets.at(-1)!
  return {
    feed,
    clock,
    wall,
    ...time,
    page,
    sockets,
    emitted,
    newest,
    accept() {
      newest().opens()
      newest().says({ action: 'checkToken', data: { uid: null, heartbeatMs: 15_000, epoch: 'e1' } } satisfies FeedMessage)
      return newest()
    },
    /** Draws one frame. @returns false when nobody asked for one */
    frame() {
      const asked = frames.splice(0)
      for (const run of asked) run()
      return asked.length > 0
    },
    /** Lets what is due at the end of the task happen. */
    settle: async () => {
      await Promise.resolve()
      await Promise.resolve()
    },
  }
}

export function quoteRow(symbol: string, last: string, more: Partial<Quote> = {}): Quote {
  return { symbol, last, open24h: '1', high24h: '2', low24h: '1', volume24h: '10', change: '0', ts: 1_000_000, seq: 1, ...more }
}
