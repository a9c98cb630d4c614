import { act, loadPerform } from '#renderer/actions/act.ts'
import { settlePresses } from '#renderer/calls/perform-settle.ts'
import { renew, takeTopicMessage } from '#renderer/data/data-live.ts'
import type { Engine } from '#renderer/engine/types.ts'
import { createPushed } from '#renderer/feed/pushed.ts'
import { prefetchScreens, savesData } from '#renderer/prefetch.ts'
import { loadPromptDialog } from '#renderer/react/layers/PromptHost.tsx'
import { outsideHandle } from '#renderer/react/outside.ts'
import type { View } from '#renderer/react/view.ts'

/** Loads what the first paint does not need, most urgent first. Never throws. */
export async function startAfterPaint(engine: Engine<View>): Promise<void> {
  const quietly = (work: Promise<unknown>) => work.catch(() => undefined)
  await Promise.all([quietly(loadPerform()), quietly(engine.loadAccess())])
  // A release may be for customers, or for the verified, before it is for all.
  for (const name of ['logged_in', 'kyc']) engine.outer.subscribe(`session.${name}`, engine.config.check)
  const pushed = createPushed(engine, (steps, scope) => void act(steps, scope, undefined, outsideHandle(engine)))
  // Sources on screen load again. Data that another screen keeps loads again before it is shown.
  engine.feed.onTopicMessage((message) => {
    takeTopicMessage(engine.queries, message, engine.topics)
    pushed.take(message)
    engine.bus.emit('live', message)
  })
  // Even for a young answer: without a network, other changes than those that the server announces may have been missed. The library's own
  // way joins what waits to be tried again.
  addEventListener('online', () => renew(engine.queries, (query) => query.isActive()))
  settlePresses(engine)
  await idle()
  void quietly(loadPromptDialog())
  await quietly(prefetchScreens(engine))
  // The worker fetches all scripts. One that is there already goes on.
  if (savesData() && !navigator.serviceWorker?.controller) return
  if (!import.meta.env.DEV) void quietly(import('#renderer/offline/start.tsx').then(({ startOffline }) => startOffline(engine)))
}

function idle(): Promise<void> {
  return new Promise((done) => (typeof requestIdleCallback === 'function' ? requestIdleCallback(() => done()) : setTimeout(done, 500)))
}
