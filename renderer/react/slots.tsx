import type { ReactNode } from 'react'
import type { NodeModel, Standing } from '#renderer/core/model.ts'
import { NodeView } from '#renderer/react/NodeView.tsx'
import type { SlotHandle, View } from '#renderer/widget-api.ts'

const none: SlotHandle = { count: 0, keyAt: () => '', render: () => null, all: () => null }

function draw(child: Standing<View>): ReactNode {
  return child.row ? (
    <NodeView key={child.key} node={child.node} scope={child.scope} rowKey={child.key} />
  ) : (
    <NodeView key={child.key} node={child.node} scope={child.scope} />
  )
}

function handleOf(model: NodeModel<View>, slot: string): SlotHandle {
  const children = model.standing(slot)
  return {
    count: children.length,
    keyAt: (i) => children[i]?.key ?? '',
    render: (i) => (children[i] ? draw(children[i]) : null),
    all: () => children.map(draw),
  }
}

/** Handles of every slot that the widget declares; `version` is there so that a caller can memoise by it. */
export function slotsOf(model: NodeModel<View>, _version: number): Record<string, SlotHandle> {
  const handles: Record<string, SlotHandle> = {}
  for (const name of Object.keys(model.node.widget?.slots ?? model.node.slots)) handles[name] = none
  for (const name of Object.keys(model.node.slots)) handles[name] = handleOf(model, name)
  return handles
}
