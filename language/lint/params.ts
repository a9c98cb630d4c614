import { nearest } from '#language/documents/nearest.ts'
import { answersOf } from '#language/lint/trees.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import { below } from '#language/text/position.ts'
import type { LintProblem } from '#language/types/catalog.ts'

/** Parameters that nobody gives: what reads them always has their default, or nothing. */
export const params: Check = function* (world) {
  const given = givenIn(world)
  for (const entry of world.entries) {
    const { doc } = entry
    const names = given.get(`${doc.kind}/${doc.id}`)
    // What nothing leads to is told by another check.
    if (!names) continue
    if (doc.kind === 'screen' || doc.kind === 'fragment' || doc.kind === 'validation')
      for (const [name, param] of Object.entries(doc.params ?? {})) {
        // A validation may be stricter or milder for some forms than by default; today's forms need not use that.
        const isSettled = doc.kind === 'validation' && param.default !== undefined
        if (!names.has(name) && !isSettled) yield lacking(world, entry, name, below('/params', name), names)
      }
  }
}

function lacking(world: World, entry: Entry, name: string, pointer: string, names: ReadonlySet<string>): LintProblem {
  const { kind, id } = entry.doc
  const suggestion = nearest(name, names)
  return world.report('params', entry, pointer, `nobody gives "${name}" to the ${kind} "${id}"`, { severity: 'warn', suggestion })
}

/** Document → names of what is given to it, by all together. */
function givenIn(world: World): ReadonlyMap<string, ReadonlySet<string>> {
  const given = new Map<string, Set<string>>()
  const give = (kind: string, id: string | undefined, names: Iterable<string>) => {
    if (id === undefined) return
    given.set(`${kind}/${id}`, new Set([...(given.get(`${kind}/${id}`) ?? []), ...names]))
  }
  for (const entry of world.entries) {
    for (const { use, with: values } of entry.own.uses) give('fragment', use, Object.keys(values))
    for (const { step } of entry.facts.steps) {
      if ('go' in step) for (const to of answersOf(step.go) ?? []) give('screen', routeOf(world, to), Object.keys(step.params ?? {}))
    }
    for (const { field } of entry.facts.nodes)
      for (const rule of field?.rules ?? []) {
        if (typeof rule === 'string') give('validation', rule, [])
        else if ('use' in rule) give('validation', rule.use, Object.keys(rule.with ?? {}))
      }
    // A flow opens an address as a link from outside does.
    if (entry.doc.kind === 'flow')
      for (const step of entry.doc.steps) if ('open' in step) give('screen', routeOf(world, step.open), Object.keys(step.params ?? {}))
    if (entry.doc.kind === 'quick-entries')
      for (const { to, params: values } of entry.doc.entries) give('screen', routeOf(world, to), Object.keys(values ?? {}))
  }
  return given
}

const routeOf = (world: World, to: unknown) => (typeof to === 'string' ? world.route(to)?.screen : undefined)
