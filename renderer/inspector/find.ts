import { type Branch, flat, type Trunk } from '#renderer/inspector/tree.ts'

/** Where the inspector's own elements are, which are never picked. */
export const ownRoot = 'tessera-inspector'

const quote = (text: string) => `"${CSS.escape(text)}"`

/** The element that a node draws; children of rows are looked for inside of their row. Sheets stand outside of their screen. */
export function elementOf(way: readonly Branch[]): Element | undefined {
  let within: ParentNode = document
  let found: Element | null = null
  for (const { id, row } of way) {
    const selector = `[data-node=${quote(id)}]${row === undefined ? '' : `[data-key=${quote(row)}]`}`
    found = within.querySelector(selector) ?? (row === undefined ? document.querySelector(selector) : null)
    if (found) within = found
  }
  const last = way.at(-1)
  return found && found.getAttribute('data-node') === last?.id ? found : undefined
}

/** The node that drew an element or what it stands in: fields of a form are no nodes, and the form is found for them. */
export function branchAt(element: Element | null, trunks: readonly Trunk[]): Branch | undefined {
  const ids: string[] = []
  for (let up = element?.closest('[data-node]'); up; up = up.parentElement?.closest('[data-node]')) {
    const key = up.getAttribute('data-key')
    ids.unshift(`${up.getAttribute('data-node')}${key === null ? '' : `[${key}]`}`)
  }
  const all = trunks.flatMap(({ roots }) => flat(roots))
  for (; ids.length > 0; ids.pop()) {
    const named = all.filter(({ path }) => path.endsWith(`/${ids.at(-1)}`))
    // Rows repeat the ids of the nodes in them: the path identifies the row.
    const found = named.find(({ path }) => isWithin(path, ids)) ?? named[0]
    if (found) return found
  }
  return undefined
}

/** Whether the parts stand in the path in that order; screens leave out nodes that draw nothing of their own. */
function isWithin(path: string, ids: readonly string[]): boolean {
  let at = 0
  for (const id of ids) {
    const place = path.indexOf(`/${id}`, at)
    if (place < 0) return false
    at = place + 1
  }
  return true
}
