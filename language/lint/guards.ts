import type { LintProblem } from '#language/catalog.ts'
import { compile } from '#language/expression.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import type { NodePlace } from '#language/walk.ts'

/** A call that needs a token stands on a route that needs a login, or behind a condition that asks for one. */
export const guards: Check = function* (world) {
  if (!world.routes) return
  const open = new Map(
    Object.entries(world.routes.routes)
      .filter(([, { auth }]) => !auth)
      .map(([path, { screen }]) => [screen, path]),
  )
  for (const entry of world.screens) {
    const path = open.get(entry.doc.id)
    if (path === undefined) continue
    for (const [name, source] of Object.entries(entry.doc.data ?? {})) {
      if (world.call(source.call)?.auth === 'user' && !asksLogin(source.when)) {
        yield world.report('guards', entry, `/data/${name}/call`, `${source.call} needs a login, and "${path}" is open to visitors`, {
          suggestion: '"when": "session.logged_in"',
        })
      }
    }
    yield* pressed(world, entry, path)
  }
  for (const entry of world.entries) {
    const path = entry.shownBy.map(({ doc }) => open.get(doc.id)).find((one) => one !== undefined)
    if (path !== undefined) yield* pressed(world, entry, path)
  }
}

function* pressed(world: World, entry: Entry, path: string): Generator<LintProblem> {
  for (const { step, pointer, node, action } of entry.facts.steps) {
    if (!('call' in step) || world.call(step.call)?.auth !== 'user') continue
    const asked = entry.facts.logics.some((place) => place.action === action && asksLogin(place.logic)) || behindLogin(node)
    if (!asked)
      yield world.report('guards', entry, pointer, `${step.call} needs a login, and "${path}" is open to visitors`, {
        suggestion: '"auth": true on the route',
      })
  }
}

function asksLogin(logic: unknown): boolean {
  try {
    return (
      logic !== undefined &&
      compile(logic).deps.some((dep) => dep === 'session.logged_in' || dep === 'session.user' || dep === 'session.kyc')
    )
  } catch {
    return false
  }
}

function behindLogin(place: NodePlace | undefined): boolean {
  return place !== undefined && (asksLogin(place.node.show) || asksLogin(place.node.enable) || behindLogin(place.parent))
}
