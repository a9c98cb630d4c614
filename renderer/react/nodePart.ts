import type { CompiledNode } from '#renderer/core/compile.ts'
import { NodeModel } from '#renderer/core/model.ts'
import type { LiveScope } from '#renderer/core/scope.ts'
import { perform } from '#renderer/io/perform.ts'
import type { ScreenHandle } from '#renderer/react/context.ts'
import type { RootProps, View, ViewProps } from '#renderer/widget-api.ts'

/** What stays the same for a node as long as its document does. */
export function partOf(node: CompiledNode<View>, scope: LiveScope, rowKey: string | undefined, screen: ScreenHandle) {
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
  return {
    model,
    root,
    emit,
    listens,
    View,
    lazy: View !== undefined && '_init' in View,
    retry: () => void screen.data.refresh(node.sources),
  }
}
