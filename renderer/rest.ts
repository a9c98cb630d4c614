import { readyToAct } from '#renderer/io/act.ts'
import type { Engine } from '#renderer/io/engine.ts'
import { prefetchScreens } from '#renderer/io/prefetch.ts'
import { readyToAsk } from '#renderer/react/PromptHost.tsx'
import { readyToShow } from '#renderer/react/useLayers.ts'
import type { View } from '#renderer/widget-api.ts'

const againMs = 5_000

/** Whatever the first paint does not need, in the order of who waits for it. Resolves when nothing more urgent is to do; never throws. */
export async function startRest(engine: Engine<View>): Promise<void> {
  const quietly = (work: Promise<unknown>) => work.catch(() => undefined)
  const show = (): Promise<unknown> => readyToShow().catch(() => void setTimeout(show, againMs))
  await Promise.all([quietly(readyToAct()), quietly(engine.readyToGuard()), show()])
  await idle()
  void quietly(readyToAsk())
  await quietly(prefetchScreens(engine))
  if (!import.meta.env.DEV) void quietly(import('#renderer/offline/start.tsx').then(({ startOffline }) => startOffline(engine)))
}

function idle(): Promise<void> {
  return new Promise((done) => (typeof requestIdleCallback === 'function' ? requestIdleCallback(() => done()) : setTimeout(done, 500)))
}
