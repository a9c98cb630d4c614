import type { ScreenDoc, SourceDoc, Step } from '#language/documents/documents.ts'
import { readsOf } from '#language/lint/circles.ts'
import { askedIn, isWithin, readBy, requiredIn, screensIn, stepsIn } from '#language/lint/meaning/reads.ts'
import { conjuncts, expressionsOf, operationsIn, pathOf } from '#language/lint/trees.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import { below } from '#language/text/position.ts'
import type { LintProblem } from '#language/types/catalog.ts'

/** Checks of the order in which things happen. */

/** Reports answers of sources that are read before there can be one. */
export const early: Check = function* (world) {
  for (const entry of screensIn(world)) {
    const sources = entry.doc.data ?? {}
    for (const action of entry.own.actions) {
      const own = action.source
      const isEnter = action.node === undefined && action.pointer === '/enter'
      if (!isEnter && !(own !== undefined && action.name === 'loaded')) continue
      for (const { step, pointer, under } of stepsIn(action.steps, action.pointer)) {
        const asked = askedIn('if' in step ? [...under, step.if] : under)
        const names = new Set(
          readBy(step).flatMap((path) => (path.startsWith('data.') && !asked.includes(path) ? [path.split('.')[1] ?? ''] : [])),
        )
        for (const name of names) {
          if (name === own || !Object.hasOwn(sources, name) || asked.some((path) => isWithin(path, `data.${name}`))) continue
          const when = isEnter ? 'when the screen opens' : `when "${own}" has its answer`
          yield world.report('early', entry, pointer, `"data.${name}" is read ${when}, and its own answer may not be there yet`, {
            suggestion: `"on": {"loaded": […]} of "${name}"`,
          })
        }
      }
    }
  }
}

/** Reports sources that wait for the answer of each other, or for their own: none of them ever loads. */
export const sourceWaits: Check = function* (world) {
  for (const entry of screensIn(world)) {
    const sources = entry.doc.data ?? {}
    const waits = new Map(Object.entries(sources).map(([name, source]) => [name, waitedFor(source, sources)]))
    const said = new Set<string>()
    for (const name of waits.keys()) {
      const circle = circleOf(name, waits)
      if (!circle || circle.some((one) => said.has(one))) continue
      for (const one of circle) said.add(one)
      const way = [...circle, name].map((one) => `"${one}"`).join(' → ')
      const message =
        circle.length === 1
          ? `"${name}" waits for its own answer, so it never loads`
          : `these sources wait for each other, so none of them loads: ${way}`
      yield world.report('source-waits', entry, `/data/${name}`, message)
    }
    yield* withoutParameter(world, entry)
  }
}

/** Sources that load only on addresses with a parameter that the address may lack: without it they wait for ever, and nothing says so. */
function* withoutParameter(world: World, entry: Entry & { doc: ScreenDoc }): Generator<LintProblem> {
  const params = entry.doc.params ?? {}
  const mayLack = (name: string) => Object.hasOwn(params, name) && !params[name]?.required && params[name]?.default === undefined
  for (const [name, { args, when }] of Object.entries(entry.doc.data ?? {})) {
    for (const [arg, value] of Object.entries(args ?? {})) {
      const known = askedIn(when === undefined ? [value] : [value, when])
      const path = requiredIn(value).find((one) => one.startsWith('params.') && mayLack(one.split('.')[1] ?? ''))
      if (path === undefined || known.includes(path)) continue
      const message = `an address without "${path.slice('params.'.length)}" never loads "${name}"; the parameter needs a default, or the argument one after ??`
      yield world.report('source-waits', entry, below(`/data/${name}/args`, arg), message, { severity: 'warn' })
    }
  }
}

/** Sources without whose answer the arguments or the condition of a source have no value. */
function waitedFor({ args, when }: SourceDoc, sources: Readonly<Record<string, unknown>>): readonly string[] {
  const paths = [...requiredIn(args), ...(when === undefined ? [] : requiredIn({ $: when }))]
  const names = paths.flatMap((path) => (path.startsWith('data.') ? [path.split('.')[1] ?? ''] : []))
  return [...new Set(names)].filter((name) => Object.hasOwn(sources, name))
}

function circleOf(start: string, links: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const queue: string[][] = [[start]]
  const reached = new Set<string>()
  for (let way = queue.shift(); way; way = queue.shift()) {
    for (const next of links.get(way.at(-1) ?? '') ?? []) {
      if (next === start) return way
      if (reached.has(next)) continue
      reached.add(next)
      queue.push([...way, next])
    }
  }
  return undefined
}

/** Reports values that a step has just changed and a later step of the same action reads: an action reads the values of its beginning. */
export const staleReads: Check = function* (world) {
  for (const entry of world.entries)
    for (const action of entry.own.actions) yield* inOrder(world, entry, action.steps, action.pointer, new Set())
}

/** @param changed paths that earlier steps set */
function* inOrder(
  world: World,
  entry: Entry,
  steps: readonly Step[],
  pointer: string,
  changed: ReadonlySet<string>,
): Generator<LintProblem, ReadonlySet<string>> {
  let now = changed
  for (const [i, step] of steps.entries()) {
    const at = `${pointer}/${i}`
    for (const path of readBy(step)) {
      if ([...now].some((one) => isWithin(path, one)))
        yield world.report(
          'stale-reads',
          entry,
          at,
          `"${path}" is read here as it was when the action began, before "set" changed it: an action reads all its values once`,
        )
    }
    if ('set' in step) {
      // A literal is known where it is set, so a later step means the value before it.
      // One that the same step reads as well is meant as it was, such as the number of the next message.
      const own = JSON.stringify(step.set)
      const computed = Object.entries(step.set).flatMap(([path, value]) => {
        const name = path.split('[', 1)[0] ?? path
        const reads = readsOf(value)
        return reads.length > 0 && !reads.includes(name) && !own.includes(`[${name}]`) ? [name] : []
      })
      now = new Set([...now, ...computed])
    }
    if ('if' in step) {
      const then = yield* inOrder(world, entry, step.then, `${at}/then`, now)
      const otherwise = yield* inOrder(world, entry, step.else ?? [], `${at}/else`, now)
      now = new Set([...then, ...otherwise])
    }
  }
  return now
}

/** Reports steps in an order that says or does something too early or too late. */
export const orderOfSteps: Check = function* (world) {
  for (const entry of world.entries)
    for (const action of entry.own.actions) {
      const all = [...stepsIn(action.steps, action.pointer)]
      for (const [i, { step, pointer, under, past }] of all.entries()) {
        const after = all.slice(i + 1).filter((one) => follows(one, { under, past }))
        const sends = after.flatMap(({ step: next }) =>
          'call' in next && world.call(next.call)?.reads === undefined ? [next.call] : [],
        )[0]
        if ('toast' in step && step.tone === 'success' && sends !== undefined)
          yield world.report('step-order', entry, pointer, `this says that it is done before ${sends} is sent: move it behind the call`)
        if (!('logout' in step)) continue
        for (const { step: next, pointer: at } of after)
          if ('call' in next && world.call(next.call)?.auth === 'user')
            yield world.report('step-order', entry, at, `${next.call} needs a login, and the step "logout" before it has ended that`)
      }
    }
}

/** Whether a step may run in the same press as an earlier one: it is not in the other branch of the same `if`. */
function follows(
  later: { under: readonly unknown[]; past: readonly unknown[] },
  { under, past }: { under: readonly unknown[]; past: readonly unknown[] },
): boolean {
  return !later.past.some((one) => under.includes(one)) && !later.under.some((one) => past.includes(one))
}

const comparisons = new Set(['<', '<=', '>', '>=', 'before'])
const isNow = (arg: unknown) => typeof arg === 'object' && arg !== null && 'now' in arg
/** Times before it are in the past for every reader: the year in which the format of documents began. */
const longAgo = Date.UTC(2026, 0, 1)

/** The time that a literal names, in milliseconds since 1970. */
function timeIn(value: unknown): number | undefined {
  if (typeof value === 'number') return value > 1e11 ? value : undefined
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d/.test(value)) return undefined
  const ms = Date.parse(value)
  return Number.isNaN(ms) ? undefined : ms
}

/** Reports times that have passed where a time to come is meant, and countdowns that end again and again. */
export const pastTimes: Check = function* (world) {
  for (const entry of world.entries) {
    for (const { logic, pointer } of expressionsOf(entry.own))
      for (const { op, args, pointer: inside } of operationsIn(logic)) {
        const time = comparisons.has(op) && args.some(isNow) ? args.map(timeIn).find((one) => one !== undefined) : undefined
        if (time !== undefined && time < longAgo)
          yield world.report('past-times', entry, pointer + inside, 'this time has passed, so the comparison with "now()" never changes')
      }
    for (const { node, pointer, fragment } of entry.own.nodes) {
      if (fragment !== undefined || node.widget.split('@', 1)[0] !== 'countdown') continue
      const to = node.props?.to
      const at = `${pointer}/props/to`
      const literal = timeIn(to)
      if (literal !== undefined && literal < longAgo)
        yield world.report('past-times', entry, at, 'this countdown has ended: its time has passed')
      if (typeof to !== 'object' || to === null || !('$' in to)) continue
      for (const { op, args } of operationsIn(to.$))
        if (op === '-' && args.length === 2 && isNow(args[0]))
          yield world.report('past-times', entry, at, 'this countdown has ended: it counts to a time before now')
    }
    for (const place of entry.own.nodes) yield* endless(world, entry, place)
  }
}

/** A countdown that loads what it reads must be hidden when its time has passed: it would end, load and end again. */
function* endless(
  world: World,
  entry: Entry,
  { node, pointer, parent, fragment }: Entry['facts']['nodes'][number],
): Generator<LintProblem> {
  const done = node.on?.done
  if (fragment !== undefined || node.widget.split('@', 1)[0] !== 'countdown' || !Array.isArray(done)) return
  const to = node.props?.to
  const path = typeof to === 'object' && to !== null && '$' in to ? pathOf(to.$) : undefined
  const loads = done.some((step) => 'refresh' in step)
  if (path === undefined || !loads) return
  const guards = [node.show]
  for (let outer = parent; outer; outer = outer.parent) guards.push(outer.node.show)
  const isGuarded = guards.some((guard) =>
    conjuncts(guard).some((part) => [...operationsIn(part)].some(({ op, args }) => comparisons.has(op) && args.some(isNow))),
  )
  if (!isGuarded)
    yield world.report(
      'past-times',
      entry,
      below(`${pointer}/on`, 'done'),
      `when the time of "${path}" has passed, this loads again and again`,
      {
        suggestion: `"show": "before(now(), ${path})"`,
        severity: 'warn',
      },
    )
}

/** Content is kept for longer, and no call changes it (renderer/data/data-live.ts). */
const contentMs = 60_000

/** Reports a `refresh` after a call with a key: what is shown is asked for again anyway, where the server does not push it. */
export const needlessRefresh: Check = function* (world) {
  for (const entry of world.entries) {
    const screens = entry.doc.kind === 'screen' ? [entry.doc] : entry.shownBy.map(({ doc }) => doc)
    const isRenewed = (name: string) =>
      screens.length > 0 &&
      screens.every(({ data = {} }) => {
        const source = data[name]
        const auth = source && world.call(source.call)?.auth
        return source !== undefined && auth !== undefined && auth !== 'none' && (source.keepMs ?? 0) <= contentMs
      })
    for (const { steps, pointer } of entry.own.actions) yield* needlessIn(world, entry, steps, pointer, isRenewed, false)
  }
}

function* needlessIn(
  world: World,
  entry: Entry,
  steps: readonly Step[],
  pointer: string,
  isRenewed: (name: string) => boolean,
  after: boolean,
): Generator<LintProblem, boolean> {
  let changed = after
  for (const [i, step] of steps.entries()) {
    const at = below(pointer, i)
    if ('call' in step) changed ||= world.call(step.call)?.keyed !== undefined
    if ('if' in step) {
      const inThen = yield* needlessIn(world, entry, step.then, below(at, 'then'), isRenewed, changed)
      const inElse = yield* needlessIn(world, entry, step.else ?? [], below(at, 'else'), isRenewed, changed)
      changed = inThen && inElse
    }
    const names = 'refresh' in step && changed ? step.refresh.filter(isRenewed) : []
    if (names.length > 0) {
      const message = `after a call with a key ${names.map((name) => `"${name}"`).join(' and ')} is asked for again without a step`
      yield world.report('needless-refresh', entry, at, message, { severity: 'warn' })
    }
  }
  return changed
}
