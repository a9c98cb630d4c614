import type { ActionPlace, NodePlace } from '#language/documents/walk.ts'
import { compile } from '#language/expression/expression.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import { below } from '#language/text/position.ts'
import type { LintProblem } from '#language/types/catalog.ts'

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
    const path = entry.shownBy.map((screen) => (showsBehindLogin(screen, entry) ? undefined : open.get(screen.doc.id)))
    const first = path.find((one) => one !== undefined)
    if (first !== undefined) yield* pressed(world, entry, first)
  }
}

function* pressed(world: World, entry: Entry, path: string): Generator<LintProblem> {
  for (const { step, pointer, node, action } of entry.facts.steps) {
    if (!('call' in step) || world.call(step.call)?.auth !== 'user') continue
    const asked =
      entry.facts.logics.some((place) => place.action === action && asksLogin(place.logic)) ||
      behindLogin(node) ||
      namedBehindLogin(entry, action)
    if (!asked)
      yield world.report('guards', entry, pointer, `${step.call} needs a login, and "${path}" is open to visitors`, {
        suggestion: '"auth": true on the route',
      })
  }
}

/** Whether each place where a screen shows a form is behind a condition that asks for a login. */
function showsBehindLogin({ facts }: Entry, form: Entry): boolean {
  const places = facts.nodes.filter(({ node }) => node.props?.form === form.doc.id)
  return places.length > 0 && places.every(behindLogin)
}

/** Whether all that runs an action of the screen by its name are nodes behind such a condition. */
function namedBehindLogin({ doc, facts }: Entry, { name, pointer }: ActionPlace): boolean {
  if (doc.kind !== 'screen' || pointer !== below('/actions', name)) return false
  const runs = facts.nodes.filter(({ node }) => Object.values(node.on ?? {}).includes(name))
  return runs.length > 0 && runs.every(behindLogin)
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
