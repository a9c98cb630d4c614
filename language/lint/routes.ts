import { nearest } from '#language/documents/nearest.ts'
import type { Check } from '#language/lint/world.ts'
import { below } from '#language/text/position.ts'

/** An address without what makes no difference to people: `#`, slashes around it, and the case of letters. */
const plain = (path: string) => path.replace(/^[#/]+|\/+$/g, '').toLowerCase()

/** Routes show screens that exist, and no path or alias is taken twice. */
export const routes: Check = function* (world) {
  if (!world.routes) return
  const { entry, routes } = world.routes
  const screens = world.ids('screen')
  const taken = new Map<string, string>()
  for (const path of Object.keys(routes)) {
    const holder = taken.get(plain(path))
    if (holder === undefined) taken.set(plain(path), path)
    else
      yield world.report(
        'routes',
        entry,
        below('/routes', path),
        `the address is taken: ${holder} shows the screen "${routes[holder]?.screen}"`,
      )
  }
  for (const [path, { screen, aliases = [] }] of Object.entries(routes)) {
    const at = below('/routes', path)
    if (!screens.includes(screen))
      yield world.report('routes', entry, `${at}/screen`, `there is no screen "${screen}"`, { suggestion: nearest(screen, screens) })
    for (const [i, alias] of aliases.entries()) {
      const other = taken.get(plain(alias))
      if (other !== undefined) yield world.report('routes', entry, `${at}/aliases/${i}`, `"${alias}" already leads to ${other}`)
      else taken.set(plain(alias), path)
    }
  }
}
