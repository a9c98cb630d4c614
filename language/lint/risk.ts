import { callOf } from '#language/documents/nodes.ts'
import type { NodePlace } from '#language/documents/walk.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'

/** Whether a widget shows the risk of a product: one of its required properties is declared as the risk. */
function showsRisk(world: World, { node }: NodePlace): boolean {
  const props = world.widget(node.widget)?.props
  return Object.entries(props?.properties ?? {}).some(([name, type]) => type.risk === true && props?.required?.includes(name))
}
const formOf = ({ node }: NodePlace) => (node.widget.split('@', 1)[0] === 'form' ? node.props?.form : undefined)

/**
 * A screen that buys a product whose worst case is a loss shows its risk, and shows it before the form or the button that buys. A node that has a
 * condition does not count, unless the buying node has the same one.
 */
export const risk: Check = function* (world) {
  for (const entry of world.entries) {
    const buying = entry.own.steps.find(({ step }) => world.call(callOf(step)?.call ?? '')?.risk)
    if (!buying || (entry.doc.kind !== 'screen' && entry.doc.kind !== 'form')) continue
    const call = (buying.step as { call: string }).call
    const pages: readonly Entry[] = entry.doc.kind === 'form' ? entry.shownBy : [entry]
    for (const page of pages) {
      const { nodes } = page.facts
      const buyer = entry === page ? buying.action.node : nodes.find((place) => formOf(place) === entry.doc.id)
      const shown = nodes.findIndex((place) => showsRisk(world, place) && (place.node.show === undefined || isSame(place, buyer)))
      const pointer = buyer?.pointer ?? '/body'
      if (shown < 0)
        yield world.report('risk', page, pointer, `${call} buys a product, and nothing on the screen shows its risk`, {
          suggestion: 'deal-card',
        })
      else if (buyer && nodes.indexOf(buyer) < shown)
        yield world.report('risk', page, pointer, `the risk of the product stands behind what sends ${call}`)
    }
  }
}
const isSame = ({ node }: NodePlace, other: NodePlace | undefined) => JSON.stringify(node.show) === JSON.stringify(other?.node.show)
