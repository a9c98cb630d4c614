import { systemTimers } from '#renderer/calls/retry.ts'
import { feedUrl, socketOrEarly } from '#renderer/config/early.ts'
import { watchFeed } from '#renderer/engine/problems-watch.ts'
import type { Engine } from '#renderer/engine/types.ts'
import { createFeed, type Feed } from '#renderer/feed/feed.ts'

/** The feed of this page, with all that it hears of the page; what goes wrong with it is told. It is not started. */
export function openFeed({ device, problems, now, topics }: Pick<Engine, 'device' | 'problems' | 'now' | 'topics'>): Feed {
  const feed = createFeed({
    url: feedUrl(),
    createSocket: socketOrEarly,
    now,
    timers: systemTimers,
    frame: (run) => void requestAnimationFrame(run),
    random: Math.random,
    page: {
      visible: () => document.visibilityState === 'visible',
      onShow: (cb) => heard(document, 'visibilitychange', () => document.visibilityState === 'visible' && cb()),
      onOnline: (cb) => heard(window, 'online', cb),
    },
    token: device.token,
    topics,
  })
  watchFeed({ feed, problems, device })
  return feed
}

function heard(target: EventTarget, type: string, listener: () => void): () => void {
  target.addEventListener(type, listener)
  return () => target.removeEventListener(type, listener)
}
