import { Component, memo, type ReactNode } from 'react'
import type { NodeModel, Standing } from '#renderer/core/model.ts'
import type { RowGroup } from '#renderer/core/row-groups.ts'
import type { ScreenHandle } from '#renderer/react/context.ts'
import type { NodePart } from '#renderer/react/nodePart.ts'
import type { SlotHandle, View } from '#renderer/react/view.ts'

const none: SlotHandle = { count: 0, keyAt: () => '', render: () => null, all: () => null }

type Model = NodeModel<View, ScreenHandle>
type Group = RowGroup<Standing<View>>

/** Draws one child of a slot; the node view gives it, because it is what it draws. */
export type Draw = (child: Standing<View>, screen: ScreenHandle) => ReactNode

function handleOf(model: Model, slot: string, draw: Draw): SlotHandle {
  const { host: screen } = model
  let kept: Standing<View>[] | undefined
  const children = () => (kept ??= model.standing(slot))
  return {
    get count() {
      return children().length
    },
    keyAt: (i) => children()[i]?.key ?? '',
    render: (i) => {
      const child = children()[i]
      return child ? draw(child, screen) : null
    },
    all: () =>
      model
        .standingInGroups(slot)
        .map((part) =>
          'groups' in part ? <Rows key={part.node.id} groups={part.groups} draw={draw} screen={screen} /> : draw(part, screen),
        ),
  }
}

interface Drawn {
  draw: Draw
  screen: ScreenHandle
}

/**
 * All rows of a repeat. They stand in groups, because React goes through every neighbour of what it draws again. A row that moves past
 * another group is mounted there anew, and the focus goes with it.
 */
class Rows extends Component<Drawn & { groups: readonly Group[] }> {
  override shouldComponentUpdate({ groups }: { groups: readonly Group[] }): boolean {
    return groups !== this.props.groups
  }
  override getSnapshotBeforeUpdate(): (() => void) | null {
    return focusAgain(document.activeElement)
  }
  override componentDidUpdate(_props: unknown, _state: unknown, focus: (() => void) | null): void {
    focus?.()
  }
  override render(): ReactNode {
    const { groups, draw, screen } = this.props
    return groups.map((group) => <RowsOfGroup key={group.id} group={group} draw={draw} screen={screen} />)
  }
}

const RowsOfGroup = memo(function RowsOfGroup({ group, draw, screen }: Drawn & { group: Group }) {
  return group.rows.map((row) => draw(row, screen))
})

/** Gives the focus to what stands where an element of a row stood, in case that it has been drawn anew; null for any other element. */
function focusAgain(element: Element | null): (() => void) | null {
  const node = element?.closest('[data-key]') && element.closest('[data-node]')
  if (!element || !node) return null
  const selector = pathOf(node)
  const place = [...node.querySelectorAll(element.tagName)].indexOf(element)
  return () => {
    if (element.isConnected) return
    const now = document.querySelector(selector)
    const again = place < 0 ? now : now?.querySelectorAll<HTMLElement>(element.tagName)[place]
    if (again instanceof HTMLElement) again.focus({ preventScroll: true })
  }
}

/** The selector of a node among all: those around it by id and, in rows, by key. */
function pathOf(node: Element | null | undefined): string {
  if (!node) return ''
  const [id, key] = ['data-node', 'data-key'].map((name) => node.getAttribute(name))
  const own = `[data-node="${CSS.escape(id ?? '')}"]${key == null ? '' : `[data-key="${CSS.escape(key)}"]`}`
  return `${pathOf(node.parentElement?.closest('[data-node]'))} ${own}`
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
