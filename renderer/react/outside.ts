import { ScreenStore } from '#renderer/engine/store.ts'
import type { Engine } from '#renderer/engine/types.ts'
import type { ScreenHandle } from '#renderer/react/context.ts'
import type { View } from '#renderer/react/view.ts'

/** Stands in for a screen where there is none: it reads app, session and device, and has no data of its own. */
export const outsideHandle = (engine: Engine<View>): ScreenHandle => ({
  engine,
  store: new ScreenStore(engine.outer, {}, {}),
  data: {
    status: () => undefined,
    refresh: async () => false,
    more: () => undefined,
    listen: () => () => undefined,
    asked: (_depth, run) => run(),
    start: () => undefined,
    stop: () => undefined,
  },
  screen: { id: 'app' },
  say: engine.say,
  throttleMs: Number(engine.app().constants.clickThrottleMs ?? 500),
  statusOf: () => undefined,
  onClosed: () => undefined,
  onStopped: (stopped, what, reason) => engine.bus.emit('node-stopped', { screen: 'app', node: stopped, what, reason }),
})
