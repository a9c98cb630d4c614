import type { ScreenDoc, Step } from '#language/documents/documents.ts'
import type { NodePlace } from '#language/documents/walk.ts'
import { readsOf } from '#language/lint/circles.ts'
import { isWithin, type Screen, screensIn, stepsIn } from '#language/lint/meaning/reads.ts'
import { isOption } from '#language/lint/steps.ts'
import { answersOf, conjuncts, expressionsOf, isSame, negated, operationsIn, pathOf } from '#language/lint/trees.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import { below } from '#language/text/position.ts'

/** Checks of parts that nothing reaches any more. */

/** A screen with the forms that it shows. */
function partsOf(world: World, screen: Screen): readonly Entry[] {
  return [screen, ...world.entries.filter(({ shownBy }) => shownBy.some((one) => one === screen))]
}

/** Reports sheets that nothing opens, named actions that nothing runs, and sources and state that nothing reads. */
export const unreached: Check = function* (world) {
  for (const entry of screensIn(world)) {
    const parts = partsOf(world, entry)
    const opened = new Set(parts.flatMap(({ facts }) => facts.steps.flatMap(({ step }) => ('open' in step ? [step.open] : []))))
    for (const { node, pointer, fragment } of entry.own.nodes)
      if (fragment === undefined && node.widget.split('@', 1)[0] === 'sheet' && !opened.has(node.id))
        yield world.report('unreached', entry, pointer, `nothing opens the sheet "${node.id}"`, {
          severity: 'warn',
          suggestion: `{"open": "${node.id}"}`,
        })
    const run = new Set(entry.facts.nodes.flatMap(({ node }) => Object.values(node.on ?? {}).filter((one) => typeof one === 'string')))
    for (const name of Object.keys(entry.doc.actions ?? {}))
      if (!run.has(name))
        yield world.report('unreached', entry, below('/actions', name), `nothing runs the action "${name}"`, { severity: 'warn' })
    const read = readsIn(parts)
    for (const [name, source] of Object.entries(entry.doc.data ?? {})) {
      const acts = source.on !== undefined || world.call(source.call)?.changesSession === true
      if (!acts && ![...read].some((path) => isWithin(path, `data.${name}`) || path === 'data'))
        yield world.report('unreached', entry, below('/data', name), `nothing reads the answer of "${name}"`, { severity: 'warn' })
    }
    for (const name of Object.keys(entry.doc.state ?? {}))
      if (!entry.inlined.brought.has(`/state/${name}`) && ![...read].some((path) => isWithin(path, `state.${name}`) || path === 'state'))
        yield world.report('unreached', entry, below('/state', name), `nothing reads "state.${name}"`, { severity: 'warn' })
  }
}

/** Paths that documents read anywhere, also in the conditions and the values of their steps. */
function readsIn(parts: readonly Entry[]): ReadonlySet<string> {
  const found = new Set<string>()
  for (const { facts } of parts) {
    for (const { logic } of expressionsOf(facts)) for (const path of readsOf({ $: logic })) found.add(path)
    // The record that a `set` changes is found by the value of a path.
    for (const { step } of facts.steps)
      if ('set' in step)
        for (const path of Object.keys(step.set)) for (const inside of path.matchAll(/\[([^\]]+)\]/g)) found.add(inside[1] ?? '')
  }
  return found
}

/** Everything that a state of a screen can be; undefined when that is not known. */
type Possible = ReadonlySet<unknown> | undefined

/** The values that the documents of a screen give to its state, by name. */
function possibleStates(parts: readonly Entry[], doc: ScreenDoc): ReadonlyMap<string, Possible> {
  const found = new Map<string, Set<unknown> | undefined>()
  for (const [name, value] of Object.entries(doc.state ?? {}))
    found.set(name, typeof value === 'object' && value !== null ? undefined : new Set<unknown>([value]))
  const give = (path: string, values: readonly unknown[] | undefined) => {
    const [root, name = ''] = path.split(/[.[]/)
    if (root !== 'state' || !found.has(name)) return
    const known = found.get(name)
    if (path !== `state.${name}` || values === undefined) found.set(name, undefined)
    else for (const value of values) known?.add(value)
  }
  for (const { doc: own, facts } of parts) {
    for (const { step, action } of facts.steps)
      if ('set' in step) for (const [path, value] of Object.entries(step.set)) give(path, valuesOf(value, path, action.node))
    const errors = own.kind === 'screen' || own.kind === 'form' ? (own.errors ?? {}) : {}
    for (const { set = {} } of Object.values(errors))
      for (const [path, value] of Object.entries(set)) give(path, valuesOf(value, path, undefined))
  }
  return found
}

/** The values that a `set` may write; undefined when they are not known. */
function valuesOf(value: unknown, path: string, node: NodePlace | undefined): readonly unknown[] | undefined {
  const logic = typeof value === 'object' && value !== null && '$' in value ? value.$ : undefined
  if (logic === undefined) return typeof value === 'object' && value !== null ? undefined : [value]
  if (negated(logic) !== undefined || isTest(logic)) return [true, false]
  if (pathOf(logic) === 'value') return idsOf(node)
  if (pathOf(logic) === path) return []
  return answersOf(value)
}

const tests = new Set(['===', '!==', '<', '<=', '>', '>=', 'in', 'has', 'present', 'empty', '!!', 'all', 'some', 'none', 'match', 'before'])
const isTest = (logic: unknown) => typeof logic === 'object' && logic !== null && tests.has(Object.keys(logic)[0] ?? '')

/** Values that a switch, or a node with literal options, may tell in its event. */
function idsOf(place: NodePlace | undefined): readonly unknown[] | undefined {
  const widget = place?.node.widget.split('@', 1)[0]
  if (widget === 'switch') return [true, false]
  const props = place?.node.props ?? {}
  const options = [props.options, props.items].find(Array.isArray)
  return options?.every(isOption) ? options.map((one) => (one as { id: string }).id) : undefined
}

/** A scalar in an expression: a number and its text are the same there. */
const isOneOf = (values: ReadonlySet<unknown>, value: unknown) =>
  [...values].some((one) => one === value || (one !== null && String(one) === String(value)))

/** Reports conditions on a switch that nothing turns, and comparisons with a number that a state never has. */
export const deadStates: Check = function* (world) {
  for (const screen of screensIn(world)) {
    const parts = partsOf(world, screen)
    const possible = possibleStates(parts, screen.doc)
    const of = (value: unknown) => {
      const path = typeof value === 'string' ? value : pathOf(value)
      const name = path?.startsWith('state.') ? path.slice(6) : undefined
      return name === undefined ? undefined : { name, values: possible.get(name) }
    }
    for (const entry of parts) {
      if (entry !== screen && entry.shownBy.length > 1) continue
      for (const { logic, pointer } of expressionsOf(entry.own))
        for (const { op, args, pointer: inside } of operationsIn(logic)) {
          if (op !== '===' && op !== 'in') continue
          const state = typeof args[0] === 'object' ? of(args[0]) : undefined
          const words = op === 'in' && Array.isArray(args[1]) ? args[1] : [args[1]]
          // Words are compared by the check of declared words.
          if (!state?.values || words.some((word) => typeof word === 'string' || (typeof word === 'object' && word !== null))) continue
          for (const word of words)
            if (!isOneOf(state.values, word))
              yield world.report(
                'dead-states',
                entry,
                pointer + inside,
                `"state.${state.name}" is never ${JSON.stringify(word)}: nothing sets it`,
              )
        }
      for (const { logic, pointer, role } of entry.own.logics) {
        if (role === 'value' || role === 'test') continue
        for (const part of conjuncts(logic)) {
          const wanted = negated(part) === undefined
          const state = of(wanted ? part : negated(part))
          const values = [...(state?.values ?? [])]
          if (state && values.length > 0 && values.every((one) => typeof one === 'boolean' && one !== wanted))
            yield world.report('dead-states', entry, pointer, `"state.${state.name}" is never ${wanted}: nothing sets it`)
        }
      }
    }
  }
}

/** Reports a choice whose state starts as none of its options, and an option for which nothing shows where each other one has its own part. */
export const emptyOptions: Check = function* (world) {
  for (const screen of screensIn(world)) {
    const parts = partsOf(world, screen)
    for (const { node, pointer, fragment } of screen.own.nodes) {
      const change = node.on?.change
      const path = pathOf(
        typeof node.props?.value === 'object' && node.props.value !== null && '$' in node.props.value ? node.props.value.$ : undefined,
      )
      const ids = idsOf({ node, pointer, depth: 0 })
      const start = path?.startsWith('state.') ? screen.doc.state?.[path.slice(6)] : undefined
      if (fragment === undefined && ids && typeof start === 'string' && !isOneOf(new Set(ids), start))
        yield world.report(
          'empty-options',
          screen,
          `/state/${path?.slice(6)}`,
          `"${path}" starts as "${start}", and "${node.id}" has no such option`,
        )
      if (fragment !== undefined || !path?.startsWith('state.') || !ids || !Array.isArray(change) || !setsOnly(change, path)) continue
      const shown = panelsOf(parts, path)
      if (!shown || shown.size < 2 || shown.size < ids.length - 1) continue
      const list = Array.isArray(node.props?.options) ? 'options' : 'items'
      for (const [i, id] of ids.entries())
        if (!shown.has(id))
          yield world.report('empty-options', screen, `${pointer}/props/${list}/${i}`, `nothing shows when "${String(id)}" is chosen`, {
            severity: 'warn',
          })
    }
  }
}

const setsOnly = (steps: readonly Step[], path: string) =>
  steps.every((step) => 'set' in step && Object.keys(step.set).every((one) => one === path))

/** The words for which a part shows; undefined when the state decides something else too. */
function panelsOf(parts: readonly Entry[], path: string): ReadonlySet<unknown> | undefined {
  const shown = new Set<unknown>()
  for (const { facts } of parts) {
    for (const { value, role, name, node } of facts.values) {
      const isOwn = role === 'prop' && name === 'value' && node?.node.on?.change !== undefined
      if (!isOwn && readsOf(value).some((one) => one === path)) return undefined
    }
    for (const { logic, role } of facts.logics) {
      if (!readsOf({ $: logic }).includes(path)) continue
      if (role !== 'show') return undefined
      const words = conjuncts(logic).flatMap((part) => wordsFor(part, path) ?? [])
      if (words.length === 0) return undefined
      for (const word of words) shown.add(word)
    }
  }
  return shown
}

function wordsFor(part: unknown, path: string): readonly unknown[] | undefined {
  const [operation] = [...operationsIn(part)]
  if (!operation || pathOf(operation.args[0]) !== path || typeof operation.args[0] !== 'object') return undefined
  if (operation.op === '===') return [operation.args[1]]
  return operation.op === 'in' && Array.isArray(operation.args[1]) ? operation.args[1] : undefined
}

/** Reports conditions of steps that an outer condition has already decided. */
export const decided: Check = function* (world) {
  for (const entry of world.entries)
    for (const action of entry.own.actions)
      for (const { step, pointer, under, past } of stepsIn(action.steps, action.pointer)) {
        if (!('if' in step)) continue
        const own = conjuncts(step.if)
        const holds = under.flatMap(conjuncts)
        if (own.every((part) => holds.some((outer) => isSame(part, outer))))
          yield world.report('decided', entry, `${pointer}/if`, 'an outer condition says the same, so "else" is never reached')
        const never = own.some(
          (part) =>
            past.some((outer) => isSame(part, outer)) ||
            holds.some((outer) => isSame(negated(part), outer) || isSame(negated(outer), part)),
        )
        if (never) yield world.report('decided', entry, `${pointer}/if`, 'an outer condition rules this out, so "then" is never reached')
      }
}
