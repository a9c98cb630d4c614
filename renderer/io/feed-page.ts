import { feedUrl, socketOrEarly } from '#renderer/io/early.ts'
import type { Engine } from '#renderer/io/engine.ts'
import { createFeed, type Feed } from '#renderer/io/feed.ts'
import { watchFeed } from '#renderer/io/problems-watch.ts'
import { systemTimers } from '#renderer/io/retry.ts'

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
