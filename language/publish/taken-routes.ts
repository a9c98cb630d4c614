import { isObject } from '#language/documents/json.ts'
import type { Files } from '#language/edit/diff.ts'
import { readJson } from '#language/text/expression-texts.ts'
import { below, outline } from '#language/text/position.ts'
import type { LintProblem } from '#language/types/catalog.ts'

const routesFile = 'schemas/routes.json'

interface Shown {
  screen: string
  pointer: string
}

/** Address, without surrounding slashes → the screen that it shows, aliases included. */
function addressesIn(files: Files): Map<string, Shown> {
  const doc = readJson(files[routesFile] ?? '')
  const found = new Map<string, Shown>()
  if (!isObject(doc) || !isObject(doc.routes)) return found
  for (const [path, route] of Object.entries(doc.routes)) {
    if (!isObject(route) || typeof route.screen !== 'string') continue
    const { screen, aliases } = route
    const pointer = below(below('/routes', path), 'screen')
    const names = [path, ...(Array.isArray(aliases) ? aliases : [])]
    for (const name of names) if (typeof name === 'string') found.set(name.replaceAll(/^\/+|\/+$/g, '') || '/', { screen, pointer })
  }
  return found
}

function screensIn(files: Files): Set<string> {
  const found = new Set<string>()
  for (const [path, text] of Object.entries(files)) {
    if (!path.startsWith('schemas/screens/')) continue
    const doc = readJson(text)
    if (isObject(doc) && typeof doc.id === 'string') found.add(doc.id)
  }
  return found
}

/**
 * Addresses that show another screen than before. An error when a new screen takes the only address of a remaining screen, which customers
 * could no longer reach. A warning when both screens existed, or when the former screen was removed or has another address.
 * @param before sources of the release from which the draft was made; empty without one
 */
export function takenRoutes(before: Files, after: Files): LintProblem[] {
  const text = after[routesFile]
  if (text === undefined || text === before[routesFile]) return []
  const [were, are] = [addressesIn(before), addressesIn(after)]
  const moved = [...are].flatMap(([address, now]) => {
    const was = were.get(address)
    return was === undefined || was.screen === now.screen ? [] : [{ address, was: was.screen, ...now }]
  })
  if (moved.length === 0) return []
  const [known, stays, { lines }] = [screensIn(before), screensIn(after), outline(text)]
  const reached = new Set([...are.values()].map(({ screen }) => screen))
  return moved.map(({ address, was, screen, pointer }) => {
    const loses = !known.has(screen) && stays.has(was) && !reached.has(was)
    return {
      check: 'taken-routes',
      severity: loses ? 'error' : 'warn',
      file: routesFile,
      line: lines.get(pointer) ?? 1,
      pointer,
      message: loses
        ? `the address "${address}" shows the screen "${was}", and the new screen "${screen}" takes its only address`
        : `the address "${address}" showed the screen "${was}" and now shows "${screen}"`,
    }
  })
}
