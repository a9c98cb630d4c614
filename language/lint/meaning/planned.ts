import { callOf } from '#language/documents/nodes.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import type { LintProblem } from '#language/types/catalog.ts'

/** Names of the calls of a document, with their places. @param facts all places, or those of the document itself */
function* callsOf({ doc }: Entry, { steps }: Entry['facts']): Generator<[name: string, pointer: string]> {
  if (doc.kind === 'screen' || doc.kind === 'fragment')
    for (const [name, source] of Object.entries(('data' in doc && doc.data) || {})) yield [source.call, `/data/${name}/call`]
  for (const { step, pointer } of steps) {
    const sent = callOf(step)
    if (sent) yield [sent.call, `${pointer}/${'call' in step ? 'call' : 'export'}`]
  }
}

/** Screens that customers can open: those with a route that is not off. */
const openScreens = ({ routes }: World): ReadonlySet<string> =>
  new Set(Object.values(routes?.routes ?? {}).flatMap(({ screen, off }) => (off ? [] : screen)))

/** Calls that open screens and their forms make. */
function callsOfOpen(world: World, open: ReadonlySet<string>): ReadonlySet<string> {
  const isShown = ({ doc, shownBy }: Entry) => open.has(doc.id) || shownBy.some((screen) => open.has(screen.doc.id))
  const shown = world.entries.filter((entry) => (entry.doc.kind === 'screen' || entry.doc.kind === 'form') && isShown(entry))
  return new Set(shown.flatMap((entry) => [...callsOf(entry, entry.facts)].map(([name]) => name)))
}

/**
 * Names calls that no server answers yet. An error where customers can open the page, because it could only refuse; a warning where each route of
 * the page is off.
 */
export const planned: Check = function* (world): Generator<LintProblem> {
  const names = new Set(world.catalog.calls.flatMap((call) => (call.planned ? call.name : [])))
  if (names.size === 0) return
  const open = openScreens(world)
  const openCalls = callsOfOpen(world, open)
  const isOpen = ({ doc, shownBy }: Entry, name: string) => {
    if (doc.kind === 'screen') return open.has(doc.id)
    return doc.kind === 'form' ? shownBy.some((screen) => open.has(screen.doc.id)) : openCalls.has(name)
  }
  for (const entry of world.entries)
    for (const [name, pointer] of callsOf(entry, entry.own)) {
      if (!names.has(name)) continue
      yield isOpen(entry, name)
        ? world.report('planned', entry, pointer, `no server answers "${name}" yet; until then the routes of this page are off`)
        : world.report('planned', entry, pointer, `no server answers "${name}" yet`, { severity: 'warn' })
    }
}
