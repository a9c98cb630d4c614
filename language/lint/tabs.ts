import { nearest } from '#language/documents/nearest.ts'
import type { Check } from '#language/lint/world.ts'
import { below } from '#language/text/position.ts'

/** The tab of a route is an entry of the tab bar, and every entry leads to a route that selects it. */
export const tabs: Check = function* (world) {
  const list = world.app?.tabBar.props?.list
  const entry = typeof list === 'string' ? world.find('quick-entries', list) : undefined
  if (entry?.doc.kind !== 'quick-entries' || !world.routes) return
  const ids = entry.doc.entries.map(({ id }) => id)
  for (const [path, { tab }] of Object.entries(world.routes.routes)) {
    if (tab !== undefined && !ids.includes(tab)) {
      yield world.report('tabs', world.routes.entry, `${below('/routes', path)}/tab`, `the tab bar has no entry "${tab}"`, {
        suggestion: nearest(tab, ids),
      })
    }
  }
  for (const [i, { id, to }] of entry.doc.entries.entries()) {
    const route = world.route(to)
    if (route && route.tab !== id)
      yield world.report('tabs', entry, `/entries/${i}/to`, `"${to}" does not select the tab "${id}"`, {
        suggestion: `"tab": "${id}" in the route`,
      })
  }
}
