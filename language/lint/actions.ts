import type { LintProblem } from '#language/catalog.ts'
import type { FormDoc, Step } from '#language/documents.ts'
import { isSame, negated, pathsIn } from '#language/lint/trees.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import { below } from '#language/position.ts'

/** A call that spends a balance: it is asked about before, and its prompt shows the amount. */
const spends = (world: World, step: Step): step is Extract<Step, { call: string }> =>
  'call' in step && amountsOf(world, step.call).length > 0

/** Arguments of a call that spends a balance which are amounts. */
function amountsOf(world: World, name: string): readonly string[] {
  const call = world.call(name)
  if (call?.keyed !== 'money' || !call.problems.includes('insufficient_balance')) return []
  return Object.entries(call.input.properties ?? {}).flatMap(([arg, type]) => (type.decimal === true && arg !== 'fee' ? [arg] : []))
}

/** Steps that change where the customer is. Those behind them in the same list that move, open or ask are never done. */
const leaves = (step: Step) => 'go' in step || 'back' in step || 'return' in step
const wants = (step: Step) => leaves(step) || 'open' in step || 'confirm' in step

/**
 * Steps keep an order in which money is safe: a money call stands once, behind a prompt that shows its amount, and answers are read behind
 * their call. Passwords and codes go nowhere but into arguments of calls.
 */
export const actions: Check = function* (world) {
  for (const entry of world.entries) {
    const secrets = secretsOf(world, entry)
    for (const action of entry.own.actions) {
      const walk: Walk = { world, entry, later: new Set(namesIn(action.steps)), secrets }
      yield* listed(walk, action.steps, action.pointer, { asked: [], given: new Set(), called: new Set() })
    }
    if (entry.doc.kind !== 'screen' && entry.doc.kind !== 'form') continue
    if (entry.own.steps.some(({ step }) => spends(world, step)))
      for (const [code, outcome] of Object.entries(entry.doc.errors ?? {}))
        if (Object.keys(outcome).length === 0)
          yield world.report('actions', entry, below('/errors', code), `nobody is told of "${code}"`, { suggestion: '"toast": true' })
    if (entry.doc.kind !== 'screen') continue
    for (const [name, source] of Object.entries(entry.doc.data ?? {}))
      for (const [arg, value] of Object.entries(source.args ?? {}))
        for (const path of secretIn(value, secrets))
          yield world.report(
            'actions',
            entry,
            below(`/data/${name}/args`, arg),
            `"${path}" is a secret: a source would ask with it again and again`,
          )
  }
}

interface Walk {
  world: World
  entry: Entry
  /** Names of all answers of the action. */
  later: ReadonlySet<string>
  secrets: ReadonlySet<string>
}
/** What was done before a step, on every way to it. */
interface Before {
  /** Paths that the prompts show; empty where nothing was asked. */
  asked: readonly string[]
  given: ReadonlySet<string>
  called: ReadonlySet<string>
}

/** @returns what was done behind the list */
function* listed(walk: Walk, steps: readonly Step[], pointer: string, start: Before): Generator<LintProblem, Before> {
  const { world, entry } = walk
  let before = start
  let left = false
  for (const [i, step] of steps.entries()) {
    const at = below(pointer, i)
    if (left && wants(step)) yield world.report('actions', entry, at, 'the step before leaves the screen, so this one is never done')
    left ||= leaves(step)
    yield* readLate(walk, step, at, before)
    yield* leaked(walk, step, at)
    if ('confirm' in step) {
      const done = [...before.called].find((name) => amountsOf(world, name).length > 0)
      if (done !== undefined) yield world.report('actions', entry, `${at}/confirm`, `the prompt stands behind ${done}, which it asks about`)
      before = { ...before, asked: [...before.asked, step.confirm, ...pathsIn(step.with ?? {})] }
    } else if ('if' in step) {
      yield* loggedOut(walk, step, at)
      const then = yield* listed(walk, step.then, `${at}/then`, before)
      const otherwise = yield* listed(walk, step.else ?? [], `${at}/else`, before)
      before = {
        asked: then.asked.length > 0 && otherwise.asked.length > 0 ? [...then.asked, ...otherwise.asked] : before.asked,
        given: new Set([...then.given, ...otherwise.given]),
        called: new Set([...then.called, ...otherwise.called]),
      }
    } else if ('call' in step || 'upload' in step) {
      if (spends(world, step)) yield* moved(walk, step, at, before)
      before = {
        ...before,
        given: step.as === undefined ? before.given : new Set([...before.given, step.as]),
        called: 'call' in step ? new Set([...before.called, step.call]) : before.called,
      }
    }
  }
  return before
}

function* moved(
  { world, entry }: Walk,
  { call, args = {} }: Extract<Step, { call: string }>,
  at: string,
  { asked, called }: Before,
): Generator<LintProblem> {
  if (called.has(call)) yield world.report('actions', entry, at, `${call} stands twice: one press would move the money twice`)
  if (asked.length === 0) {
    yield world.report('actions', entry, at, `${call} spends a balance, and at least one way to it passes no "confirm"`)
    return
  }
  for (const name of amountsOf(world, call)) {
    const paths = [...pathsIn(args[name])]
    if (paths.length > 0 && !paths.some((path) => asked.includes(path)))
      yield world.report(
        'actions',
        entry,
        below(`${at}/args`, name),
        `the prompt before ${call} is not given "${paths[0]}", so it cannot show the amount`,
      )
  }
}

/** An answer is read before the call that gives it. */
function* readLate({ world, entry, later }: Walk, step: Step, at: string, { given }: Before): Generator<LintProblem> {
  const { then: _, else: __, ...own } = step as { then?: unknown; else?: unknown }
  const condition = 'if' in step ? pathsIn({ $: step.if }) : new Set<string>()
  for (const path of [...pathsIn(own), ...condition]) {
    const name = /^result\.([\w-]+)/.exec(path)?.[1]
    if (name !== undefined && later.has(name) && !given.has(name))
      yield world.report('actions', entry, at, `"${path}" is read before the step that gives it`)
  }
}

function namesIn(steps: readonly Step[]): string[] {
  return steps.flatMap((step) =>
    'if' in step ? [...namesIn(step.then), ...namesIn(step.else ?? [])] : 'as' in step && step.as !== undefined ? [step.as] : [],
  )
}

/** Fields of passwords and codes, as paths. */
function secretsOf(world: World, entry: Entry): ReadonlySet<string> {
  const forms =
    entry.doc.kind === 'form'
      ? [entry.doc]
      : world.entries.flatMap(({ doc, shownBy }) => (shownBy.some((one) => one === entry) ? [doc as FormDoc] : []))
  return new Set(
    forms.flatMap(({ fields }) => fields.flatMap(({ name, type }) => (type === 'password' || type === 'code' ? [`form.${name}`] : []))),
  )
}

const secretIn = (value: unknown, secrets: ReadonlySet<string>) => [...pathsIn(value)].filter((path) => secrets.has(path))

function* leaked({ world, entry, secrets }: Walk, step: Step, at: string): Generator<LintProblem> {
  if ('call' in step || 'if' in step) return
  for (const path of secretIn(step, secrets))
    yield world.report('actions', entry, at, `"${path}" is a secret and goes into arguments of calls only`)
}

/** A customer's call for those who are not logged in. */
function* loggedOut({ world, entry }: Walk, step: Extract<Step, { if: unknown }>, at: string): Generator<LintProblem> {
  if (!isSame(negated(step.if), 'session.logged_in')) return
  for (const [i, inside] of step.then.entries())
    if ('call' in inside && world.call(inside.call)?.auth === 'user')
      yield world.report('actions', entry, `${at}/then/${i}`, `${inside.call} needs a login, and stands where nobody is logged in`)
}
