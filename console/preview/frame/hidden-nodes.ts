import type { HiddenNode, NodePlace } from '#console/preview/protocol.ts'
import { isObject } from '#language/documents/json.ts'
import { type Clause, explain } from '#language/expression/explain.ts'
import type { Scope } from '#language/expression/expression.ts'
import type { DocumentKey } from '#language/publish/release.ts'
import type { NodeModel } from '#renderer/core/model.ts'
import type { Engine } from '#renderer/engine/types.ts'
import type { LiveForm } from '#renderer/forms/forms.ts'
import { mask, maskText } from '#renderer/inspector/mask.ts'
import { type Branch, flat, treeOf, writtenNode } from '#renderer/inspector/tree.ts'

/** Finds the nodes that are hidden or disabled on the open screens, with the reasons. */

const hiddenMax = 300

/** The document of a branch of a screen; branches outside of a screen belong to the app. */
const documentOf = (screen: string): DocumentKey => (screen === '' || screen === 'app' ? 'app/app' : `screen/${screen}`)

/** The open forms. Only their screens know them. */
function formsOf(live: Iterable<NodeModel>): LiveForm[] {
  const forms = new Set<LiveForm>()
  for (const { host } of live) {
    const { store } = host as unknown as { store?: { form?: { all(): readonly LiveForm[] } } }
    for (const form of store?.form?.all() ?? []) forms.add(form)
  }
  return [...forms]
}

/** A clause as it is sent to the console: secrets masked, values that cannot be sent left out. */
function shownClause(clause: Clause): Clause {
  const { op, text, value, children } = clause
  const name = op === 'path' ? (text.split('.').at(-1) ?? '') : ''
  return { ...clause, value: typeof value === 'string' ? maskText(value, name) : mask(value, name), children: children.map(shownClause) }
}

function clauseOf(logic: unknown, scope: Scope): Clause | undefined {
  if (logic === undefined) return undefined
  try {
    return shownClause(explain(logic, scope))
  } catch (problem) {
    return { op: 'refused', text: String(problem), value: undefined, deciding: true, missing: [], children: [] }
  }
}

function ofBranch(engine: Engine, screen: string, branch: Branch, within: string | undefined): HiddenNode {
  const { model, id, widget, row } = branch
  const body = (model?.host as { screen?: { body?: unknown } } | undefined)?.screen?.body
  const written = model && writtenNode(body ?? engine.app().tabBar, id)
  const shot = model?.getSnapshot()
  const show = model && clauseOf(written?.show, model.scope)
  const enable = model && clauseOf(written?.enable, model.scope)
  return {
    document: documentOf(screen),
    node: id,
    widget,
    ...(row !== undefined && { row }),
    shown: shot?.shown ?? false,
    enabled: shot?.enabled ?? false,
    ...(show && { show }),
    ...(enable && { enable }),
    ...(within !== undefined && { within }),
  }
}

function* ofForm(form: LiveForm): Generator<HiddenNode> {
  for (const field of form.fields) {
    const { shown, enabled } = field.getSnapshot()
    const show = clauseOf(field.field.doc.show, form)
    const enable = clauseOf(field.field.doc.enable, form)
    yield {
      document: `form/${form.form.doc.id}`,
      node: field.field.name,
      widget: field.field.doc.widget,
      shown,
      enabled,
      ...(show && { show }),
      ...(enable && { enable }),
    }
  }
}

/** All nodes of the open screens, shown or not, parents first. */
function* nodesOf(engine: Engine, live: Iterable<NodeModel>): Generator<HiddenNode> {
  for (const { screen, roots } of treeOf(live)) {
    const walk = function* (list: readonly Branch[], hidden: string | undefined): Generator<HiddenNode> {
      for (const branch of list) {
        yield ofBranch(engine, screen, branch, hidden)
        const closed = branch.model && !branch.model.getSnapshot().shown
        yield* walk(branch.children, hidden ?? (closed ? branch.id : undefined))
      }
    }
    yield* walk(roots, undefined)
  }
  for (const form of formsOf(live)) yield* ofForm(form)
}

/** Hidden or disabled nodes and fields, each with its conditions. Nodes inside a hidden node are left out. */
export function hiddenNodes(engine: Engine, live: Iterable<NodeModel>): HiddenNode[] {
  const found: HiddenNode[] = []
  for (const node of nodesOf(engine, live)) {
    if (node.within !== undefined || (node.shown && node.enabled) || (!node.show && !node.enable)) continue
    found.push(node)
    if (found.length === hiddenMax) break
  }
  return found
}

/** Whether a node is the wanted one. Ids of a fragment's nodes may have a prefix. */
const isMeant = ({ document, node }: NodePlace, wanted: NodePlace) =>
  document.startsWith('form/') || !wanted.document.startsWith('fragment/')
    ? document === wanted.document && node === wanted.node
    : node === wanted.node || node.endsWith(`-${wanted.node}`)

/** The current state of one node or field; undefined where it is not on the page. */
export function whyOf(engine: Engine, live: Iterable<NodeModel>, place: NodePlace): HiddenNode | undefined {
  let absent: HiddenNode | undefined
  for (const node of nodesOf(engine, live)) {
    if (!isMeant(node, place)) continue
    if (node.within === undefined) return node
    absent ??= node
  }
  return absent
}

/** The element of a node or field. */
export function elementAt(place: NodePlace, live: Iterable<NodeModel>): Element | undefined {
  const [kind = '', ...rest] = place.document.split('/')
  const escaped = CSS.escape(place.node)
  if (kind === 'form') {
    const form = formsOf(live).find((one) => one.form.doc.id === rest.join('/'))
    return (form && document.querySelector(`form [data-node$="-${escaped}"]`)) ?? undefined
  }
  const own = `[data-node="${escaped}"]`
  const selector = kind === 'fragment' ? `${own}, [data-node$="-${escaped}"]` : own
  return document.querySelector(selector) ?? undefined
}

/** The place of a pressed element: a field of a form, or the node that rendered it. */
export function placeAt(element: Element | null, live: ReadonlySet<NodeModel>, branch: Branch | undefined): NodePlace | null {
  const id = element?.closest('[data-node]')?.getAttribute('data-node')
  for (const form of formsOf(live)) {
    const field = form.fields.find(({ field }) => id?.endsWith(`-${field.name}`) && element?.closest('form'))
    if (field) return { document: `form/${form.form.doc.id}`, node: field.field.name }
  }
  if (!branch) return null
  const trunk = treeOf(live).find(({ roots }) => flat(roots).some(({ path }) => path === branch.path))
  return { document: documentOf(trunk?.screen ?? ''), node: branch.id }
}

/** Id of the sheet that contains a node, or the form of a field; undefined outside of sheets. */
export function sheetAround(screen: { id: string; body: unknown }, { document, node }: NodePlace): string | undefined {
  const isMeant = (one: Record<string, unknown>) =>
    document === `screen/${screen.id}` ? one.id === node : isObject(one.props) && document === `form/${String(one.props.form)}`
  const find = (value: unknown, sheet: string | undefined): string | undefined => {
    if (typeof value !== 'object' || value === null) return undefined
    let around = sheet
    if (isObject(value) && typeof value.widget === 'string') {
      if (value.widget.split('@', 1)[0] === 'sheet') around = String(value.id)
      if (isMeant(value)) return around
    }
    for (const part of Object.values(value)) {
      const found = find(part, around)
      if (found !== undefined) return found
    }
    return undefined
  }
  return find(screen.body, undefined)
}
