import type { NodeDoc, ScreenDoc } from '#language/documents/documents.ts'
import type { CompiledNode } from '#renderer/core/compile.ts'
import type { NodeModel, Standing } from '#renderer/core/model.ts'

/** One node as it stands in the tree of a screen. */
export interface Branch {
  /** Unique among all branches that stand now, and the same as long as the node stands. */
  path: string
  id: string
  /** Type, as the document names it. */
  widget: string
  /** Slot of its parent that it stands in. */
  slot: string
  /** Key of its row; absent where it is not repeated. */
  row: string | undefined
  /** Absent where the node is in the document but not drawn: in a closed panel, beyond the window of a list. */
  model: NodeModel | undefined
  children: Branch[]
  /** Rows that were left out. */
  further: number
}

export interface Trunk {
  screen: string
  roots: Branch[]
}

/** Rows of one repeat that are listed; others are counted. */
const rowsMax = 12

/** Every data source of the screens that stand, used by a node or not, and the status of each. */
export function sourcesOf(live: Iterable<NodeModel>): Map<string, string> {
  const sources = new Map<string, string>()
  for (const { host } of live) {
    const { screen } = host as unknown as { screen?: Pick<ScreenDoc, 'data'> }
    for (const name of Object.keys(screen?.data ?? {})) sources.set(name, host.statusOf(name)?.status ?? 'idle')
  }
  return sources
}

const screenOf = (model: NodeModel) => (model.host as unknown as { screen?: { id?: string } }).screen?.id ?? ''

/** A node's children as they stand, with the slot of each; nodes that stand in for a state or a fault come last. */
function* standings(model: NodeModel): Generator<readonly [slot: string, standing: Standing<unknown>]> {
  const { slots, states, fallback } = model.node
  for (const slot of Object.keys(slots)) for (const standing of model.standing(slot)) yield [slot, standing]
  const others = [...Object.values(states), typeof fallback === 'object' ? fallback : undefined]
  for (const node of others) if (node) yield ['', { node, scope: model.scope, key: node.id, row: false }]
}

/**
 * The tree of every screen that stands, from the nodes that live now. A screen itself is a node whose slot `body` holds the others. A node
 * without a parent stands beside the screen that it belongs to, or alone: the tab bar, or a node that a view draws by itself.
 */
export function treeOf(live: Iterable<NodeModel>): Trunk[] {
  const byNode = new Map<CompiledNode, NodeModel[]>()
  for (const model of live) byNode.set(model.node, [...(byNode.get(model.node) ?? []), model])
  const models = [...byNode.values()].flat()
  const find = ({ node, scope }: Standing<unknown>) => byNode.get(node)?.find((model) => model.scope === scope)
  const placed = new Set(models.flatMap((model) => [...standings(model)].map(([, standing]) => find(standing))))

  const branch = (standing: Standing<unknown>, slot: string, above: string): Branch => {
    const { node, key, row } = standing
    const model = find(standing)
    const path = `${above}/${node.id}${row ? `[${key}]` : ''}`
    const grown = model ? grow(model, path) : { children: [], further: 0 }
    return { path, id: node.id, widget: node.ref, slot, row: row ? key : undefined, model, ...grown }
  }
  const grow = (model: NodeModel, path: string): Pick<Branch, 'children' | 'further'> => {
    const children: Branch[] = []
    const counts = new Map<CompiledNode, number>()
    let further = 0
    for (const [slot, standing] of standings(model)) {
      if (slot === '' && !find(standing)) continue
      const count = (counts.get(standing.node) ?? 0) + 1
      counts.set(standing.node, count)
      if (standing.row && count > rowsMax) further++
      else children.push(branch(standing, slot, path))
    }
    return { children, further }
  }

  const trunks = models
    .filter(({ node }) => node.ref === 'screen')
    .map((model): Trunk => ({ screen: model.node.id, roots: grow(model, model.node.id).children }))
  for (const model of models) {
    if (model.node.ref === 'screen' || placed.has(model) || typeof model.scope.version === 'number') continue
    const screen = screenOf(model)
    const root = branch({ node: model.node, scope: model.scope, key: model.node.id, row: false }, '', screen)
    const trunk = trunks.find((one) => one.screen === screen)
    if (trunk) trunk.roots.push(root)
    else trunks.push({ screen, roots: [root] })
  }
  return trunks
}

/** The branches from the trunk to the one of that path, outermost first; empty when it stands no longer. */
export function wayTo(trunks: readonly Trunk[], path: string): Branch[] {
  const walk = (list: readonly Branch[]): Branch[] => {
    for (const one of list) {
      if (one.path === path) return [one]
      if (!path.startsWith(`${one.path}/`)) continue
      const deeper = walk(one.children)
      if (deeper.length > 0) return [one, ...deeper]
    }
    return []
  }
  return trunks.flatMap(({ roots }) => walk(roots))
}

/** Every branch, parents before their children. */
export const flat = (list: readonly Branch[]): Branch[] => list.flatMap((one) => [one, ...flat(one.children)])

/** The node as it is written, somewhere in a document. */
export function writtenNode(document: unknown, id: string): NodeDoc | undefined {
  if (typeof document !== 'object' || document === null) return undefined
  const { id: own, widget } = document as { id?: unknown; widget?: unknown }
  if (own === id && typeof widget === 'string') return document as NodeDoc
  for (const part of Object.values(document)) {
    const found = writtenNode(part, id)
    if (found) return found
  }
  return undefined
}
