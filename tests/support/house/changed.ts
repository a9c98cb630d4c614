import { flowsFor } from '#flows/runner.ts'
import type { Pages } from '#flows/set.ts'
import type { FlowDoc } from '#language/documents/documents.ts'
import { isFull } from '#tests/support/house/sizes.ts'

/** Files for `npm run test:changed`; undefined in every other run. */
const changed = process.env.TEST_CHANGED === undefined ? undefined : (JSON.parse(process.env.TEST_CHANGED) as string[])

/**
 * Screens that show a changed document, widget or text. Undefined when all screens are to be tested: in other runs, and after a change on
 * which every screen depends.
 */
export function changedScreens({ screens, forms }: Pages, files = changed): Set<string> | undefined {
  if (!files) return undefined
  const found = new Set<string>()
  const bodies = [...screens].map(([id, doc]) => [id, JSON.stringify([doc, ...formsIn(doc, forms)])] as const)
  for (const file of files) {
    const [room = '', second = '', ...rest] = file.split('/')
    const last = (rest.at(-1) ?? second).replace(/\.json$/, '')
    if (room === 'widgets' && rest.length > 0) {
      for (const [id, body] of bodies) if (body.includes(`"widget":"${second}"`) || body.includes(`"widget":"${second}@`)) found.add(id)
    } else if (room === 'locales') for (const [id, body] of bodies) if (body.includes(`"${last}.`)) found.add(id)
    if (room === 'schemas' && second === 'flows') continue
    if (room === 'schemas') {
      if (rest.length === 0 || second === 'fragments') return undefined
      const name = [...rest.slice(0, -1), last].join('.')
      for (const [id, body] of bodies) if (id === name || body.includes(`"${name}"`)) found.add(id)
    } else if (['app', 'renderer', 'contract', 'language', 'flows'].includes(room)) return undefined
  }
  return found
}

const formsIn = (doc: unknown, forms: Pages['forms']) => [...forms.values()].filter(({ id }) => JSON.stringify(doc).includes(`"${id}"`))

/**
 * A small set of flows that together visit the screens, chosen for few steps, and every changed flow. Undefined for all flows.
 * @param screens changed screens in `npm run test:changed`; all of them in `npm test`; undefined in `npm run test:full`
 */
export function flowsToRun(
  pages: Pages,
  screens = changed ? changedScreens(pages) : isFull ? undefined : new Set(pages.screens.keys()),
): string[] | undefined {
  if (!screens) return undefined
  const left = new Set(screens)
  const names: string[] = []
  const seenBy = new Map(
    pages.flows.map((flow) => [flow, [...screens].filter((screen) => flowsFor(pages, new Set([screen])).includes(flow.id))] as const),
  )
  // Opening a page costs about as much as four steps.
  const worth = (flow: FlowDoc) => (seenBy.get(flow) ?? []).filter((screen) => left.has(screen)).length / (flow.steps.length + 4)
  while (left.size > 0) {
    const best = pages.flows.reduce<FlowDoc | undefined>((one, flow) => (worth(flow) > (one ? worth(one) : 0) ? flow : one), undefined)
    if (!best) break
    for (const screen of seenBy.get(best) ?? []) left.delete(screen)
    names.push(best.id)
  }
  const own = pages.flows.filter(({ id }) => changed?.includes(`schemas/flows/${id}.json`))
  return [...new Set([...names, ...own.map(({ id }) => id)])]
}
