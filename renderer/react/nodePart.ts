import { act } from '#renderer/actions/act.ts'
import type { CompiledNode } from '#renderer/core/compile.ts'
import { NodeModel } from '#renderer/core/model.ts'
import { formRoots, type LiveScope } from '#renderer/core/scope.ts'
import type { OpenForm } from '#renderer/forms/store-forms.ts'
import type { ScreenHandle } from '#renderer/react/context.ts'
import type { RootProps, SlotHandle, View, ViewProps } from '#renderer/react/view.ts'

export interface NodeProps {
  node: CompiledNode<View>
  scope: LiveScope
  /** Handed down, not read from the context: React checks a context on every bail-out, and lists have many. */
  screen: ScreenHandle
  /** Key of the row, for the node that is the row. */
  rowKey?: string | undefined
}

/** The part of a node that stays the same as long as its document does. */
export interface NodePart extends NodeProps, Pick<ViewProps, 'emit' | 'retry'> {
  model: NodeModel<View, ScreenHandle>
  root: RootProps
  listens: (event: string) => boolean
  /** Handles that were made when the model counted so many moves of its rows. */
  kept: { rows: number; slots: Record<string, SlotHandle> } | undefined
}

const nothing = () => undefined
const deaf = () => false

/** Lists have hundreds, so a node without actions or sources makes no functions of its own. */
export function partOf({ node, scope, screen, rowKey }: NodeProps): NodePart {
  const model = new NodeModel(node, scope, screen)
  return {
    node,
    scope,
    screen,
    rowKey,
    model,
    root: rowKey === undefined ? { 'data-node': node.id } : { 'data-node': node.id, 'data-key': rowKey },
    emit: node.acts ? emitterOf(model) : nothing,
    listens: node.acts ? (event) => Object.hasOwn(node.on, event) : deaf,
    retry: node.sources.length > 0 ? () => void screen.data.refresh(node.sources) : nothing,
    kept: undefined,
  }
}

export function standsFor(part: NodePart, { node, scope, screen, rowKey }: NodeProps): boolean {
  return part.node === node && part.scope === scope && part.screen === screen && part.rowKey === rowKey
}

function emitterOf(model: NodeModel<View, ScreenHandle>): ViewProps['emit'] {
  const { node, scope, host: screen } = model
  let last = Number.NEGATIVE_INFINITY
  return (event, value) => {
    const action = Object.hasOwn(node.on, event) ? node.on[event] : undefined
    const { busy, enabled } = model.getSnapshot()
    if (!action || !enabled || (action.throttled && (busy || performance.now() - last < screen.throttleMs))) return
    last = performance.now()
    if (action.throttled) model.setBusy(true)
    const form = scope.get(formRoots.own) as OpenForm | undefined
    void act(action.steps, scope, value, form ? { ...screen, form } : screen).finally(() => model.setBusy(false))
  }
}
