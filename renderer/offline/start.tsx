import { createRoot } from 'react-dom/client'
import type { Busy } from '#renderer/actions/busy.ts'
import { UpdateBar } from '#renderer/offline/UpdateBar.tsx'
import { watchUpdates } from '#renderer/offline/update.ts'
import '#renderer/offline/offline.css'

/** How often a window that stays open asks whether there is a newer build. */
const lookEveryMs = 3_600_000

/** The part of the engine that is needed here. */
interface Speaking {
  busy?: Busy
  say: (key: string) => string
  i18n: { onChange(wake: () => void): () => void }
}

/** Makes the app start without a network, and offers newer builds. Does nothing where the browser has no workers or they are blocked. */
export async function startOffline(engine: Speaking): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const update = await watchUpdates({
    workers: navigator.serviceWorker as never,
    free: () => engine.busy?.free() ?? Promise.resolve(),
    reload: () => location.reload(),
    everyMs: lookEveryMs,
    every: (run, ms) => void setInterval(run, ms),
    onShow: (run) => document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && run()),
  }).catch(() => undefined)
  if (!update) return
  const place = document.createElement('div')
  document.body.append(place)
  const words = () => ({
    ready: engine.say('engine.update_ready'),
    reload: engine.say('engine.update_now'),
    later: engine.say('engine.later'),
  })
  createRoot(place).render(<UpdateBar update={update} words={words} language={(wake) => engine.i18n.onChange(wake)} />)
}
