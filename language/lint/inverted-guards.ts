import type { LogicPlace } from '#language/documents/walk.ts'
import { compilePath, type Root } from '#language/expression/scope.ts'
import { operationsIn, pathOf } from '#language/lint/trees.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import type { JsonSchema, LintProblem } from '#language/types/catalog.ts'
import { withoutNull } from '#language/types/paths.ts'
import type { Types } from '#language/types/types.ts'

const guards = new Set<LogicPlace['role']>(['show', 'enable', 'when', 'if'])
const compared = new Set(['===', '<', '<=', '>', '>=', 'in'])

/**
 * A guard that asks for something not to be so. Where the path that it reads may have no value, the guard is closed then as well: what is meant
 * to stand for everything else does not stand for those without.
 */
export const invertedGuards: Check = function* (world) {
  for (const entry of world.entries) for (const place of entry.own.logics) if (guards.has(place.role)) yield* inverted(world, entry, place)
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
          `"${path}" may have no value; then "${place.role}" is closed, as if the opposite held`,
          { severity: 'warn', suggestion: `${path} ?? …` },
        )
  }
}

/** Paths that the guard asks about with `has`, or what shows the nodes around it. */
function askedBy({ logic, node }: LogicPlace): string[] {
  const logics = [logic]
  for (let outer = node; outer; outer = outer.parent) if (outer.node.show !== undefined) logics.push(outer.node.show)
  return logics.flatMap((one) =>
    [...operationsIn(one)].flatMap(({ op, args }) => (op === 'has' && typeof args[0] === 'string' ? [args[0]] : [])),
  )
}

/** Paths of what `not` turns round: a path, or a comparison of paths. */
function pathsUnder(logic: unknown): string[] {
  const path = readOf(logic)
  if (path !== undefined) return [path]
  const [op = '', args] = typeof logic === 'object' && logic !== null ? (Object.entries(logic)[0] ?? []) : []
  return compared.has(op) && Array.isArray(args) ? args.flatMap((arg) => readOf(arg) ?? []) : []
}

/** A path that is read with nothing in its place. */
function readOf(logic: unknown): string | undefined {
  return typeof logic === 'object' && logic !== null && 'var' in logic ? pathOf(logic) : undefined
}

/**
 * Whether a path may lead to nothing: past a member that is optional or null, to a row that is looked up by its key, or to a parameter that may
 * be left out. What was asked about is there, and so is everything around it.
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
    // What cannot be read is reported by the check of expressions.
  }
  return false
}
