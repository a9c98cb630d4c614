import { callOf } from '#language/documents/nodes.ts'
import type { ActionPlace, LogicPlace, NodePlace } from '#language/documents/walk.ts'
import { compile } from '#language/expression/expression.ts'
import { compilePath, type Root } from '#language/expression/scope.ts'
import { conjuncts, isSame, negated, operationsIn, pathOf } from '#language/lint/trees.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import { below } from '#language/text/position.ts'
import type { JsonSchema, LintProblem } from '#language/types/catalog.ts'
import { type Types, withoutNull } from '#language/types/types.ts'

/** Checks that a call that needs a login is on a route that requires one, or behind a condition that asks for one. */
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
    const sent = callOf(step)
    if (!sent || world.call(sent.call)?.auth !== 'user') continue
    const asked =
      entry.facts.logics.some((place) => place.action === action && tellsLogin(place.logic)) ||
      behindLogin(node) ||
      namedBehindLogin(entry, action)
    if (!asked)
      yield world.report('guards', entry, pointer, `${sent.call} needs a login, and "${path}" is open to visitors`, {
        suggestion: '"auth": true on the route',
      })
  }
}

/** Whether one branch of a condition is for customers only. `actions` finds calls in the branch for visitors. */
const tellsLogin = (logic: unknown) => asksLogin(logic) || isSame(negated(logic), loggedIn)

/** Whether every place where a screen shows a form is behind a condition that asks for a login. */
function showsBehindLogin({ facts }: Entry, form: Entry): boolean {
  const places = facts.nodes.filter(({ node }) => node.props?.form === form.doc.id)
  return places.length > 0 && places.every(behindLogin)
}

/** Whether all nodes that run a named action of the screen are behind such a condition. */
function namedBehindLogin({ doc, facts }: Entry, { name, pointer }: ActionPlace): boolean {
  if (doc.kind !== 'screen' || pointer !== below('/actions', name)) return false
  const runs = facts.nodes.filter(({ node }) => Object.values(node.on ?? {}).includes(name))
  return runs.length > 0 && runs.every(behindLogin)
}

/** Whether a condition is true only for a visitor who is logged in. A level of verification is 0 for others, so it must be compared. */
function asksLogin(logic: unknown): boolean {
  return conjuncts(logic).some((part) => {
    const path = pathOf(part)
    if (path !== undefined) return path === loggedIn || isOfUser(path)
    const [operation] = operationsIn(part)
    if (!operation) return false
    const { op, args } = operation
    if (op === 'or') return args.length > 0 && args.every(asksLogin)
    if (op === 'has') return typeof args[0] === 'string' && isOfUser(args[0])
    const [greater] = op === '<' || op === '<=' ? [...args].reverse() : args
    if (op !== '===') return orders.has(op) && (args.some((arg) => isOfUser(varOf(arg))) || varOf(greater) === 'session.kyc')
    return args.some((arg) => isOfUser(varOf(arg)) || (varOf(arg) === loggedIn && args.includes(true)))
  })
}

const orders = new Set(['<', '<=', '>', '>='])
const loggedIn = 'session.logged_in'
/** Whether a path reads the account, which only a customer has. */
const isOfUser = (path: string | undefined) => path === 'session.user' || path?.startsWith('session.user.') === true

function behindLogin(place: NodePlace | undefined): boolean {
  return place !== undefined && (asksLogin(place.node.show) || asksLogin(place.node.enable) || behindLogin(place.parent))
}

const conditionRoles = new Set<LogicPlace['role']>(['show', 'enable', 'when', 'if'])
const compared = new Set(['===', '<', '<=', '>', '>=', 'in'])

/**
 * Warns of negated guards. When the path that such a guard reads has no value, the guard is closed, so the "otherwise" case is closed too.
 */
export const invertedGuards: Check = function* (world) {
  for (const entry of world.entries)
    for (const place of entry.own.logics) if (conditionRoles.has(place.role)) yield* inverted(world, entry, place)
}

function* inverted(world: World, entry: Entry, place: LogicPlace): Generator<LintProblem> {
  const asked = askedBy(place)
  const types = world.typesAt(entry, place)
  for (const { op, args, pointer } of operationsIn(place.logic)) {
    if (op !== '!' && op !== '!==') continue
    for (const path of op === '!' ? pathsUnder(args[0]) : args.flatMap((arg) => readOf(arg) ?? []))
      if (mayLack(entry, path, types, asked))
        yield world.report(
          'inverted-guards',
          entry,
          place.pointer + pointer,
          `"${path}" may have no value; then "${place.role}" is false, as if the condition were not met`,
          { severity: 'warn', suggestion: `${path} ?? …` },
        )
  }
}

/** Paths that the guard, or a guard of an outer node, tests with `has`. */
function askedBy({ logic, node }: LogicPlace): string[] {
  const logics = [logic]
  for (let outer = node; outer; outer = outer.parent) if (outer.node.show !== undefined) logics.push(outer.node.show)
  return logics.flatMap((one) =>
    [...operationsIn(one)].flatMap(({ op, args }) => (op === 'has' && typeof args[0] === 'string' ? [args[0]] : [])),
  )
}

/** Paths under a `not`: a path, or a comparison of paths. */
function pathsUnder(logic: unknown): string[] {
  const path = readOf(logic)
  if (path !== undefined) return [path]
  const [op = '', args] = typeof logic === 'object' && logic !== null ? (Object.entries(logic)[0] ?? []) : []
  return compared.has(op) && Array.isArray(args) ? args.flatMap((arg) => readOf(arg) ?? []) : []
}

/** A path that is read without a fallback. */
function readOf(logic: unknown): string | undefined {
  return typeof logic === 'object' && logic !== null && 'var' in logic ? pathOf(logic) : undefined
}

/**
 * Whether a path may have no value: it contains an optional or nullable member, a row looked up by key, or an optional parameter. Paths
 * tested with `has` have a value, and so have the paths leading to them.
 */
function mayLack(entry: Entry, path: string, types: Types, asked: readonly string[]): boolean {
  const isAsked = (part: string) => asked.some((one) => one === part || one.startsWith(`${part}.`) || one.startsWith(`${part}[`))
  try {
    const { root, segments } = compilePath(path)
    const [first] = segments
    if (root === 'params' && typeof first === 'string' && 'params' in entry.doc) {
      const param = entry.doc.params?.[first]
      if (param && !param.required && param.default === undefined && !isAsked(`params.${first}`)) return true
    }
    let type: JsonSchema = types[root as Root] ?? {}
    let walked: string = root
    for (const segment of segments) {
      if (typeof segment !== 'string') return !isAsked(path)
      const here = withoutNull(type)
      if (here !== type && !isAsked(walked)) return true
      walked = `${walked}.${segment}`
      const isRow = here.type === 'array' && /^\d+$/.test(segment)
      const inner = isRow ? here.items : here.properties && Object.hasOwn(here.properties, segment) ? here.properties[segment] : undefined
      if (!inner) return false
      if (!isRow && !here.required?.includes(segment) && !isAsked(walked)) return true
      type = inner
    }
  } catch {
    // The expressions check reports unreadable paths.
  }
  return false
}

/** Reports constant conditions, whose content is always shown or never. */
export const conditions: Check = function* (world) {
  for (const entry of world.entries) {
    for (const { logic, pointer, role } of entry.own.logics) {
      if (typeof logic === 'boolean') {
        yield world.report(
          'conditions',
          entry,
          pointer,
          logic ? `"${role}" is always true` : `"${role}" is always false: what it guards cannot be reached`,
          { severity: 'warn' },
        )
        continue
      }
      try {
        if (compile(logic).deps.length === 0)
          yield world.report('conditions', entry, pointer, `"${role}" reads nothing, so it is always the same`)
        const path = contradiction(logic)
        if (path !== undefined)
          yield world.report('conditions', entry, pointer, `"${role}" never holds: "${path}" cannot be two things at once`)
      } catch {
        // The expressions check reports what cannot be compiled.
      }
    }
  }
}

/** The path that an `and` compares with two different literals. */
function contradiction(logic: unknown): string | undefined {
  if (typeof logic !== 'object' || logic === null || !('and' in logic) || !Array.isArray(logic.and)) return undefined
  const wanted = new Map<string, unknown>()
  for (const part of logic.and as unknown[]) {
    const sides = typeof part === 'object' && part !== null && '===' in part && Array.isArray(part['===']) ? (part['==='] as unknown[]) : []
    const path = sides.map(varOf).find((one) => one !== undefined)
    const literal = sides.find((side) => typeof side !== 'object')
    if (path === undefined || literal === undefined) continue
    if (wanted.has(path) && String(wanted.get(path)) !== String(literal)) return path
    wanted.set(path, literal)
  }
  return undefined
}

/** The path of a `var`; undefined for a literal. */
function varOf(side: unknown): string | undefined {
  const path = typeof side === 'object' && side !== null && 'var' in side ? side.var : undefined
  return typeof path === 'string' ? path : undefined
}
