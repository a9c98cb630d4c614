import { memo, Suspense, useMemo, useSyncExternalStore } from 'react'
import type { CompiledNode } from '#renderer/core/compile.ts'
import type { Standing } from '#renderer/core/model.ts'
import type { LiveScope } from '#renderer/core/scope.ts'
import type { ScreenHandle } from '#renderer/react/context.ts'
import { NodeBoundary } from '#renderer/react/NodeBoundary.tsx'
import { partOf } from '#renderer/react/nodePart.ts'
import { BrokenNode, MissingWidget, StandIn, standInFor } from '#renderer/react/StandIn.tsx'
import { slotsOf } from '#renderer/react/slots.ts'
import type { View } from '#renderer/widget-api.ts'

interface Props {
  node: CompiledNode<View>
  scope: LiveScope
  /** Handed down, not read from the context: React checks a context on every bail-out, and lists have many. */
  screen: ScreenHandle
  rowKey?: string
}

/** Resolves one node and draws it behind its own wall. It renders again only when what it shows has changed. */
export const NodeView = memo(function NodeView({ node, scope, screen, rowKey }: Props) {
  const part = useMemo(() => partOf(node, scope, rowKey, screen), [node, scope, rowKey, screen])
  const { model } = part
  const shot = useSyncExternalStore(model.subscribe, model.getSnapshot)
  const slots = useMemo(() => slotsOf(model, shot.rows, drawNode), [model, shot.rows])
  if (!shot.shown) return null

  const standIn = standInFor(node, shot)
  const own = standIn && node.states[standIn]
  const { View } = part
  const { fallback } = node
  const stand = (retry: () => void) => {
    if (fallback === 'drop') return null
    return fallback ? (
      <NodeView node={fallback} scope={scope} screen={screen} />
    ) : (
      <BrokenNode root={part.root} widget={node.ref} retry={retry} />
    )
  }
  const body = own ? (
    <NodeView node={own} scope={scope} screen={screen} />
  ) : standIn ? (
    <StandIn kind={standIn} root={part.root} problem={shot.problem} retry={part.retry} />
  ) : View ? (
    <View {...part} props={shot.props as never} busy={shot.busy} enabled={shot.enabled} status={shot.status} slots={slots as never} />
  ) : (
    <MissingWidget widget={node.ref} />
  )
  const onBroken = (error: unknown) =>
    screen.engine.bus.emit('node-broken', { screen: screen.screen.id, node: node.id, widget: node.ref, reason: String(error) })
  return (
    <NodeBoundary subject={node} stand={fallback === undefined && node.sheltered ? undefined : stand} onBroken={onBroken}>
      {part.lazy ? <Suspense fallback={<StandIn kind="loading" root={part.root} />}>{body}</Suspense> : body}
    </NodeBoundary>
  )
})

/** Draws one child of a slot or of a screen's body. */
export const drawNode = ({ node, scope, key, row }: Standing<View>, screen: ScreenHandle) => (
  <NodeView key={key} node={node} scope={scope} screen={screen} rowKey={row ? key : undefined} />
)
