import type { Check } from '#language/lint/world.ts'
import { nearest } from '#language/nearest.ts'
import { below } from '#language/position.ts'

/** Routes show screens that exist, and no path or alias is taken twice. */
export const routes: Check = function* (world) {
  if (!world.routes) return
  const { entry, routes } = world.routes
  const screens = world.ids('screen')
  const taken = new Map(Object.keys(routes).map((path) => [path, path]))
  for (const [path, { screen, aliases = [] }] of Object.entries(routes)) {
    const at = below('/routes', path)
    if (!screens.includes(screen))
      yield world.report('routes', entry, `${at}/screen`, `there is no screen "${screen}"`, { suggestion: nearest(screen, screens) })
    for (const [i, alias] of aliases.entries()) {
      const other = taken.get(alias)
      if (other !== undefined) yield world.report('routes', entry, `${at}/aliases/${i}`, `"${alias}" already leads to ${other}`)
      else taken.set(alias, path)
    }
  }
}
