import type { ScreenDoc, SourceDoc, Step } from '#language/documents/documents.ts'
import { callOf } from '#language/documents/nodes.ts'
import { ExpressionProblem } from '#language/expression/expression.ts'
import { compileValue } from '#language/expression/value.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import { below } from '#language/text/position.ts'

/** A link of a possible circle. `conditional`: it is inside an `if`. */
export interface Link {
  from: string
  to: string
  conditional: boolean
}

/** The shortest circle through a link; links without a condition are tried first. Undefined when there is none. */
export function circleFrom<L extends Link>(first: L, links: readonly L[]): L[] | undefined {
  for (const usable of [links.filter(({ conditional }) => !conditional), links]) {
    if (!usable.includes(first)) continue
    const queue: L[][] = [[first]]
    const reached = new Set<string>()
    for (let way = queue.shift(); way; way = queue.shift()) {
      const { to } = way.at(-1) as L
      if (to === first.from) return way
      if (reached.has(to)) continue
      reached.add(to)
      for (const next of usable) if (next.from === to) queue.push([...way, next])
    }
  }
  return undefined
}

/** A `changed` step that makes a source load again. */
interface Reload extends Link {
  pointer: string
}

/**
 * Checks the steps of sources. They must not reload their own source, which would repeat for ever, and must not move money, because nobody
 * pressed anything before them.
 */
export const sourceCircles: Check = function* (world) {
  for (const entry of world.screens) {
    const links = Object.entries(entry.doc.data ?? {}).flatMap(([name, { on }]) =>
      linksOf(entry.doc, name, on?.changed ?? [], below(`/data/${name}/on`, 'changed'), false),
    )
    const reported = new Set<string>()
    for (const link of links) {
      const way = circleFrom(link, links)
      const name = way && [...new Set(way.map(({ from }) => from))].sort().join(' ')
      if (!way || name === undefined || reported.has(name)) continue
      reported.add(name)
      const circle = [...way.map(({ from }) => from), link.from].map((one) => `"${one}"`).join(' → ')
      const severity = way.some(({ conditional }) => conditional) ? 'warn' : 'error'
      const message =
        severity === 'warn'
          ? `"changed" may load its own source again, ${circle}: the condition must end it`
          : `"changed" loads its own source again: ${circle}`
      yield world.report('source-circles', entry, link.pointer, message, { severity })
    }
  }
  for (const entry of world.entries) yield* unasked(world, entry)
}

/** Checks that steps of `changes` do not lead to themselves: what they set, or load again, is not what they watch. */
export const changeCircles: Check = function* (world) {
  for (const entry of world.entries) {
    const { doc } = entry
    if (doc.kind !== 'screen' && doc.kind !== 'form') continue
    const data = (doc.kind === 'screen' && doc.data) || {}
    const rules = (doc.changes ?? []).map((change, i) => ({
      name: `changes ${i + 1}`,
      at: `/changes/${i}/do`,
      reads: readsOf({ $: change.when }),
      steps: change.do,
    }))
    const sources = Object.entries(data).map(([name, { args, when, on }]) => ({
      name: `data.${name}`,
      at: below('/data', name),
      reads: [...readsOf(args ?? {}), ...(when === undefined ? [] : readsOf({ $: when }))],
      steps: [...(on?.changed ?? []), ...(on?.loaded ?? [])],
    }))
    const parts = [...rules, ...sources]
    const links = parts.flatMap((part) => {
      const writes = [...writtenBy(part.steps, false)]
      const isSource = part.name.startsWith('data.')
      const changed = isSource ? [...writes, { path: part.name, pointer: '', conditional: false }] : writes
      return changed.flatMap(({ path, pointer, conditional }) =>
        parts.flatMap((other): Reload[] => {
          const reaches = other.reads.some((read) => touches(read, path)) || other.name === `${path}`
          const own = other.name === part.name && isSource
          return reaches && !own ? [{ from: part.name, to: other.name, pointer: `${part.at}${pointer}`, conditional }] : []
        }),
      )
    })
    const said = new Set<string>()
    for (const link of links.filter(({ from }) => from.startsWith('changes '))) {
      const way = circleFrom(link, links)
      const name = way && [...new Set(way.map(({ from }) => from))].sort().join(', ')
      if (!way || name === undefined || said.has(name)) continue
      said.add(name)
      const circle = [...way.map(({ from }) => from), link.from].join(' → ')
      const isSure = !way.some(({ conditional }) => conditional)
      const message = isSure
        ? `these steps change what they watch: ${circle}`
        : `these steps may change what they watch, ${circle}: the condition must end it`
      yield world.report('change-circles', entry, link.pointer, message, { severity: isSure ? 'error' : 'warn' })
    }
  }
}

/** Paths that steps write, with `data.<source>` for a source that they load again. */
function* writtenBy(
  steps: readonly Step[],
  conditional: boolean,
  at = '',
): Generator<{ path: string; pointer: string; conditional: boolean }> {
  for (const [i, step] of steps.entries()) {
    const pointer = `${at}/${i}`
    if ('set' in step)
      for (const path of Object.keys(step.set))
        yield { path: path.split('[', 1)[0] as string, pointer: `${pointer}${below('/set', path)}`, conditional }
    else if ('refresh' in step)
      for (const [n, name] of step.refresh.entries()) yield { path: `data.${name}`, pointer: `${pointer}/refresh/${n}`, conditional }
    else if ('reset' in step) yield { path: 'form', pointer, conditional }
    else if ('if' in step) {
      yield* writtenBy(step.then, true, `${pointer}/then`)
      yield* writtenBy(step.else ?? [], true, `${pointer}/else`)
    }
  }
}

/** Whether a value at a path is another one when the value at another path is. */
const touches = (read: string, written: string): boolean =>
  read === written || read.startsWith(`${written}.`) || read.startsWith(`${written}[`) || written.startsWith(`${read}.`)

/** Finds money calls that nobody triggers. */
function* unasked(world: World, entry: Entry) {
  for (const { step, pointer, action } of entry.own.steps) {
    const sent = action.source === undefined && action.watched === undefined ? undefined : callOf(step)
    if (sent && world.call(sent.call)?.keyed === 'money')
      yield world.report('source-circles', entry, `${pointer}/call`, `${sent.call} moves money, but no press of the customer starts it`)
  }
}

/**
 * Sources that the steps load again: those they name, and those whose arguments or condition read a value that the steps compute and set.
 */
function linksOf(doc: ScreenDoc, from: string, steps: readonly Step[], pointer: string, conditional: boolean): Reload[] {
  return steps.flatMap((step, i): Reload[] => {
    const at = below(pointer, i)
    if ('if' in step)
      return [...linksOf(doc, from, step.then, `${at}/then`, true), ...linksOf(doc, from, step.else ?? [], `${at}/else`, true)]
    if ('refresh' in step) return step.refresh.map((to, n) => ({ from, to, pointer: `${at}/refresh/${n}`, conditional }))
    if (!('set' in step)) return []
    return Object.entries(step.set).flatMap(([path, value]) => {
      // Setting the same value again has no effect.
      if (readsOf(value).length === 0) return []
      const readers = Object.entries(doc.data ?? {}).filter(([, source]) => reads(source, path.split('[', 1)[0] as string))
      return readers.map(([to]) => ({ from, to, pointer: below(`${at}/set`, path), conditional }))
    })
  })
}

const reads = ({ args, when }: SourceDoc, path: string): boolean =>
  [...readsOf(args ?? {}), ...(when === undefined ? [] : readsOf({ $: when }))].some((dep) => dep === path || dep.startsWith(`${path}.`))

export function readsOf(value: unknown): readonly string[] {
  try {
    return compileValue(value as never).deps
  } catch (error) {
    // Another check reports this.
    if (error instanceof ExpressionProblem) return []
    throw error
  }
}

interface Move extends Link {
  entry: Entry
  pointer: string
}

/** Checks that `enter` steps of screens do not lead in a circle. */
export const enterCircles: Check = function* (world) {
  const moves = movesOf(world)
  const seen = new Set<string>()
  for (const move of moves) {
    const circle = circleFrom(move, moves)
    if (!circle) continue
    const name = circle
      .map(({ from }) => from)
      .sort()
      .join(' ')
    if (seen.has(name)) continue
    seen.add(name)
    const way = [...circle.map(({ from }) => from), move.from].join(' → ')
    if (circle.some(({ conditional }) => conditional))
      yield world.report(
        'enter-circles',
        move.entry,
        move.pointer,
        `"enter" may cause a cycle, ${way}: the conditions must exclude each other`,
        {
          severity: 'warn',
        },
      )
    else yield world.report('enter-circles', move.entry, move.pointer, `"enter" causes a cycle: ${way}`)
  }
}

function movesOf(world: World): Move[] {
  return world.screens.flatMap((entry) =>
    entry.own.steps.flatMap(({ step, pointer, depth, action }) => {
      const to = action.name === 'enter' && !action.node && 'go' in step && typeof step.go === 'string' && world.route(step.go)?.screen
      return to ? [{ from: entry.doc.id, to, entry, pointer: `${pointer}/go`, conditional: depth > 1 }] : []
    }),
  )
}
