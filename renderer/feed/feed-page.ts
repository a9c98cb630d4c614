import { CallProblem } from '#renderer/calls/api.ts'
import { systemTimers } from '#renderer/calls/retry.ts'
import { feedUrl, socketOrEarly } from '#renderer/config/early.ts'
import type { Engine } from '#renderer/engine/types.ts'
import { createFeed, type Feed } from '#renderer/feed/feed.ts'
import { linkTimes } from '#renderer/feed/feed-link.ts'

/** The feed of this page, with all events of the page; its errors are reported. It is not started. */
export function openFeed({ app, device, problems, clock, topics }: Pick<Engine, 'app' | 'device' | 'problems' | 'clock' | 'topics'>): Feed {
  const feed = createFeed({
    url: feedUrl(),
    createSocket: socketOrEarly,
    clock,
    timers: systemTimers,
    times: linkTimes(app().constants),
    frame: framesAfterInput(),
    random: Math.random,
    page: {
      visible: () => document.visibilityState === 'visible',
      onShow: (cb) => heard(document, 'visibilitychange', () => document.visibilityState === 'visible' && cb()),
      onOnline: onNetwork,
    },
    token: device.token,
    topics,
  })
  watchFeed({ feed, problems, device })
  return feed
}

/**
 * Asks for frames in which prices are painted. The frame after a key or a tap shows only what came of it, and prices follow in the next frame.
 * Keys that are repeated delay prices by one frame at most.
 */
export function framesAfterInput(): (run: () => void) => void {
  let given = false
  for (const type of ['keydown', 'pointerdown', 'click']) addEventListener(type, () => (given = true), { capture: true, passive: true })
  return (run) =>
    requestAnimationFrame(() => {
      if (given) setTimeout(() => requestAnimationFrame(run))
      else run()
      given = false
    })
}

/**
 * The network is back, or is another one: a phone that leaves its Wi-Fi may never have been offline. Not every browser reports the second.
 */
export function onNetwork(run: () => void): () => void {
  const { connection } = navigator as Navigator & { connection?: Partial<EventTarget> }
  const offs = [heard(window, 'online', run), ...(connection?.addEventListener ? [heard(connection as EventTarget, 'change', run)] : [])]
  return () => {
    for (const off of offs) off()
  }
}

function heard(target: EventTarget, type: string, listener: () => void): () => void {
  target.addEventListener(type, listener)
  return () => target.removeEventListener(type, listener)
}

/** A connection that comes back by itself within this time is nobody's concern. */
const blipMs = 10_000

/** Listens for the problems of the socket, which no call has. */
export function watchFeed({ feed, problems, device }: Pick<Engine, 'feed' | 'problems' | 'device'>): void {
  feed.on('invalid-message', () => problems.tell('socket_message_invalid'))
  feed.on('connect-error', ({ reason }) => {
    // Without any network the bar says so already.
    const look = () => navigator.onLine && feed.health().state !== 'connected' && problems.tell('socket_connect_error', reason)
    setTimeout(look, blipMs)
  })
  // A busy server has not said that the token is wrong.
  feed.on('auth', ({ error }) => error !== 'busy' && problems.take(new CallProblem(401, 'unauthorized'), { secret: device.token() }))
  feed.onHealth(() => feed.health().state === 'connected' && problems.over('socket_connect_error'))
}
