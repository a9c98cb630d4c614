import type { ReactNode } from 'react'
import type { NodeModel, Standing } from '#renderer/core/model.ts'
import type { ScreenHandle } from '#renderer/react/context.ts'
import type { NodePart } from '#renderer/react/nodePart.ts'
import type { SlotHandle, View } from '#renderer/react/view.ts'

const none: SlotHandle = { count: 0, keyAt: () => '', render: () => null, all: () => null }

type Model = NodeModel<View, ScreenHandle>

/** Draws one child of a slot; the node view gives it, because it is what it draws. */
export type Draw = (child: Standing<View>, screen: ScreenHandle) => ReactNode

function handleOf(model: Model, slot: string, draw: Draw): SlotHandle {
  const children = model.standing(slot)
  return {
    count: children.length,
    keyAt: (i) => children[i]?.key ?? '',
    render: (i) => (children[i] ? draw(children[i], model.host) : null),
    all: () => children.map((child) => draw(child, model.host)),
  }
}

const noSlots: Record<string, SlotHandle> = {}

/** Handles of every slot that the widget declares, as its rows stand now. A caller keeps them until rows come, go or move. */
export function slotsOf(model: Model, draw: Draw): Record<string, SlotHandle> {
  const { slotNames, slots } = model.node
  if (slotNames.length === 0) return noSlots
  return Object.fromEntries(slotNames.map((name) => [name, slots[name] ? handleOf(model, name, draw) : none]))
}

/** The handles of a node; the same ones while its rows stand, so that a view may compare them. */
export function keptSlots(part: NodePart, rows: number, draw: Draw): Record<string, SlotHandle> {
  if (part.kept?.rows !== rows) part.kept = { rows, slots: slotsOf(part.model, draw) }
  return part.kept.slots
}
