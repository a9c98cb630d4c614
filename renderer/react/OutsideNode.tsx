import { useMemo } from 'react'
import type { CompiledNode } from '#renderer/core/compile.ts'
import { ScreenContext, useEngine } from '#renderer/react/context.ts'
import { NodeView } from '#renderer/react/NodeView.tsx'
import { outsideHandle } from '#renderer/react/outside.ts'
import type { View } from '#renderer/react/view.ts'

/** A node that belongs to no screen, such as the tab bar. */
export function OutsideNode({ node }: { node: CompiledNode<View> }) {
  const engine = useEngine()
  const handle = useMemo(() => outsideHandle(engine), [engine])
  return (
    <ScreenContext value={handle}>
      <NodeView node={node} scope={handle.store} screen={handle} />
    </ScreenContext>
  )
}
