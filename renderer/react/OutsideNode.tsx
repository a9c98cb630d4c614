import { useMemo } from 'react'
import type { CompiledNode } from '#renderer/core/compile.ts'
import { ScreenStore } from '#renderer/engine/store.ts'
import { ScreenContext, type ScreenHandle, useEngine } from '#renderer/react/context.ts'
import { NodeView } from '#renderer/react/NodeView.tsx'
import type { View } from '#renderer/react/view.ts'

/** A node that belongs to no screen, such as the tab bar. It reads app, session and device, and has no data of its own. */
export function OutsideNode({ node }: { node: CompiledNode<View> }) {
  const engine = useEngine()
  const handle = useMemo((): ScreenHandle => {
    const store = new ScreenStore(engine.outer, {}, {})
    return {
      engine,
      store,
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
    }
  }, [engine])
  return (
    <ScreenContext value={handle}>
      <NodeView node={node} scope={handle.store} screen={handle} />
    </ScreenContext>
  )
}
