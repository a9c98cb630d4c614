import { memo, Suspense, useMemo, useSyncExternalStore } from 'react'
import type { CompiledNode } from '#renderer/core/compile.ts'
import { NodeModel } from '#renderer/core/model.ts'
import type { LiveScope } from '#renderer/core/scope.ts'
import { perform } from '#renderer/io/perform.ts'
import type { ScreenHandle } from '#renderer/react/context.ts'
import { NodeBoundary } from '#renderer/react/NodeBoundary.tsx'
import { BrokenNode, MissingWidget, StandIn, standInFor } from '#renderer/react/StandIn.tsx'
import { slotsOf } from '#renderer/react/slots.tsx'
import type { RootProps, View, ViewProps } from '#renderer/widget-api.ts'

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
  const slots = useMemo(() => slotsOf(model, shot.rows), [model, shot.rows])
  if (!shot.shown) return null

  const standIn = standInFor(node, shot)
  const { View } = part
  const { fallback } = node
  const stand = (retry: () => void) => {
    if (fallback === 'drop') return null
    return fallback ? <NodeView node={fallback} scope={scope} screen={screen} /> : <BrokenNode root={part.root} widget={node.ref} retry={retry} />
  }
  const body = standIn ? (
    <StandIn kind={standIn} node={node} scope={scope} screen={screen} root={part.root} problem={shot.problem} retry={part.retry} />
  ) : View ? (
    <View {...part} props={shot.props as never} busy={shot.busy} enabled={shot.enabled} status={shot.status} slots={slots as never} />
  ) : (
    <MissingWidget widget={node.ref} />
  )
  const onBroken = (error: unknown) =>
    screen.engine.bus.emit('node-broken', { screen: screen.screen.id, node: node.id, widget: node.ref, reason: String(error) })
  return (
    <NodeBoundary subject={node} stand={fallback === undefined && node.sheltered ? undefined : stand} onBroken={onBroken}>
      {part.lazy ? <Suspense fallback={<StandIn kind="loading" node={node} scope={scope} screen={screen} root={part.root} />}>{body}</Suspense> : body}
    </NodeBoundary>
  )
})

/** What stays the same for a node as long as its document does. */
function partOf(node: CompiledNode<View>, scope: LiveScope, rowKey: string | undefined, screen: ScreenHandle) {
  const model = new NodeModel(node, scope, screen)
  const root: RootProps = rowKey === undefined ? { 'data-node': node.id } : { 'data-node': node.id, 'data-key': rowKey }
  let last = Number.NEGATIVE_INFINITY
  const emit: ViewProps['emit'] = (event, value) => {
    const action = Object.hasOwn(node.on, event) ? node.on[event] : undefined
    const { busy, enabled } = model.getSnapshot()
    if (!action || !enabled || (action.throttled && (busy || performance.now() - last < screen.throttleMs))) return
    last = performance.now()
    if (action.throttled) model.setBusy(true)
    void perform(action.steps, scope, value, screen).finally(() => model.setBusy(false))
  }
  const View = node.widget?.view
  const listens = (event: string) => Object.hasOwn(node.on, event)
  return { model, root, emit, listens, View, lazy: View !== undefined && '_init' in View, retry: () => void screen.data.refresh(node.sources) }
}
