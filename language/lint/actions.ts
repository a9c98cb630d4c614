import type { FieldDoc, FormDoc, Step } from '#language/documents/documents.ts'
import { callOf } from '#language/documents/nodes.ts'
import { isFunctionName } from '#language/expression/operator.ts'
import { conjuncts, isSame, negated, pathsIn } from '#language/lint/trees.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import { below } from '#language/text/position.ts'
import type { LintProblem } from '#language/types/catalog.ts'
import { typeOfPath } from '#language/types/paths.ts'
import { type Types, withoutNull } from '#language/types/types.ts'

/** Maximum number of paths through the steps of one action that are examined separately. */
const waysMax = 32

/** Whether a call moves money of a customer when it is sent. It needs a prompt, which shows the amount that is spent and the receiver. */
function moves(world: World, name: string): boolean {
  const call = world.call(name)
  return amountsOf(world, name).length > 0 || (call?.keyed === 'money' && call.auth === 'user' && !call.unprompted)
}

/** Amount arguments of a call that spends a balance. */
function amountsOf(world: World, name: string): readonly string[] {
  return world.call(name)?.problems.includes('insufficient_balance') ? sumsOf(world, name) : []
}

/** Amount arguments of a money call. */
function sumsOf(world: World, name: string): readonly string[] {
  const call = world.call(name)
  if (call?.keyed !== 'money') return []
  return Object.entries(call.input.properties ?? {}).flatMap(([arg, type]) => (type.decimal === true && arg !== 'fee' ? [arg] : []))
}

/** Arguments that name the receiver of the money. */
const receiversOf = (world: World, name: string): readonly string[] =>
  Object.entries(world.call(name)?.input.properties ?? {}).flatMap(([arg, type]) => (type.receiver ? [arg] : []))

/** Whether a step leaves the page. Later steps of the same list that navigate, open a sheet or show a prompt never run. */
const leaves = (step: Step) => 'go' in step || 'back' in step || 'return' in step
const wants = (step: Step) => leaves(step) || 'open' in step || 'confirm' in step

/**
 * Checks the order of steps around money. A money call occurs once, after a prompt that shows its amount and its receiver; an answer is
 * read after its call. Passwords and codes are passed to arguments of calls only.
 */
export const actions: Check = function* (world) {
  for (const entry of world.entries) {
    const secrets = secretsOf(world, entry)
    for (const action of entry.own.actions) {
      const walk: Walk = {
        world,
        entry,
        later: new Set(namesIn(action.steps)),
        secrets: isSecret(action.node?.field) ? new Set([...secrets, 'value']) : secrets,
        types: world.typesAt(entry, { ...(action.node && { node: action.node }), action }),
      }
      yield* listed(walk, action.steps, action.pointer, { ways: [[]], given: new Set(), called: new Set() })
    }
    if (entry.doc.kind !== 'screen' && entry.doc.kind !== 'form') continue
    yield* shown(world, entry, secrets)
    if (entry.own.steps.some(({ step }) => sumsOf(world, callOf(step)?.call ?? '').length > 0))
      for (const [code, outcome] of Object.entries(entry.doc.errors ?? {}))
        if (Object.keys(outcome).length === 0)
          yield world.report('actions', entry, below('/errors', code), `the refusal "${code}" is not shown`, {
            suggestion: '"toast": true',
          })
    if (entry.doc.kind !== 'screen') continue
    for (const [name, source] of Object.entries(entry.doc.data ?? {}))
      for (const [arg, value] of Object.entries(source.args ?? {}))
        for (const path of secretIn(value, secrets))
          yield world.report(
            'actions',
            entry,
            below(`/data/${name}/args`, arg),
            `"${path}" is a secret: a source would send it again at each load`,
          )
  }
}

interface Walk {
  world: World
  entry: Entry
  /** Names of all answers of the action. */
  later: ReadonlySet<string>
  secrets: ReadonlySet<string>
  types: Types
}
/** A prompt, the paths passed to it, and those of them that it shows. */
interface Asked {
  prompt: string
  given: readonly string[]
  shows: readonly string[]
}
/** The steps that ran before a step, on every path to it. */
interface Before {
  /** The prompts on each path to the step. */
  ways: readonly (readonly Asked[])[]
  given: ReadonlySet<string>
  called: ReadonlySet<string>
}

/** @returns what ran before the end of the list */
function* listed(walk: Walk, steps: readonly Step[], pointer: string, start: Before): Generator<LintProblem, Before> {
  const { world, entry } = walk
  let before = start
  let left = false
  for (const [i, step] of steps.entries()) {
    const at = below(pointer, i)
    if (left && wants(step)) yield world.report('actions', entry, at, 'the previous step leaves the screen, so this one never runs')
    left ||= leaves(step)
    yield* readLate(walk, step, at, before)
    yield* leaked(walk, step, at)
    if ('confirm' in step) {
      const done = [...before.called].find((name) => moves(world, name))
      if (done !== undefined) yield world.report('actions', entry, `${at}/confirm`, `the prompt comes after ${done}, which it must confirm`)
      const asked = askedBy(world, step)
      before = { ...before, ways: before.ways.map((way) => [...way, asked]) }
    } else if ('if' in step) {
      yield* loggedOut(walk, step, at)
      const then = yield* listed(walk, step.then, `${at}/then`, before)
      const otherwise = yield* listed(walk, step.else ?? [], `${at}/else`, before)
      before = {
        ways: distinct([...then.ways, ...otherwise.ways]),
        given: new Set([...then.given, ...otherwise.given]),
        called: new Set([...then.called, ...otherwise.called]),
      }
    } else {
      const sent = callOf(step)
      const as = 'as' in step ? step.as : undefined
      if (sent && moves(world, sent.call)) yield* moved(walk, sent, at, before)
      before = {
        ...before,
        given: as === undefined ? before.given : new Set([...before.given, as]),
        called: sent ? new Set([...before.called, sent.call]) : before.called,
      }
    }
  }
  return before
}

function distinct(ways: Before['ways']): Before['ways'] {
  return [...new Map(ways.map((way) => [JSON.stringify(way), way])).values()].slice(0, waysMax)
}

/** Returns the content of a prompt: the paths passed for the parameters that its texts and rows read. */
function askedBy(world: World, { confirm, with: given = {} }: Extract<Step, { confirm: string }>): Asked {
  const prompt = world.find('prompt', confirm)
  const read = new Set(prompt?.facts.values.flatMap(({ value }) => [...pathsIn(value)]).map((path) => path.split('.')[1]))
  const shows = Object.entries(given).flatMap(([name, value]) =>
    prompt === undefined || read.has(name) ? [...pathsIn(withoutCalls(value))] : [],
  )
  return { prompt: confirm, given: [...pathsIn(given)], shows }
}

/** Removes what functions compute: a fee computed from an amount does not show the amount. */
function withoutCalls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withoutCalls)
  const kept = Object.entries(value).filter(([name]) => !isFunctionName(name))
  return kept.length === 0 ? null : Object.fromEntries(kept.map(([name, part]) => [name, withoutCalls(part)]))
}

function* moved(
  walk: Walk,
  { call, args = {} }: Extract<Step, { call: string }>,
  at: string,
  { ways, called }: Before,
): Generator<LintProblem> {
  const { world, entry } = walk
  if (called.has(call)) yield world.report('actions', entry, at, `${call} occurs twice: one press would move the money twice`)
  if (ways.some((way) => way.length === 0)) {
    yield world.report('actions', entry, at, `${call} moves money, but at least one path to it has no "confirm"`)
    return
  }
  for (const way of ways) {
    for (const name of amountsOf(world, call)) {
      const paths = [...pathsIn(args[name])]
      if (paths.length === 0 || paths.some((path) => way.some(({ shows }) => shows.includes(path)))) continue
      const isGiven = paths.some((path) => way.some(({ given }) => given.includes(path)))
      const why = isGiven ? `is given "${paths[0]}" and does not show it` : `is not given "${paths[0]}", so it cannot show the amount`
      yield world.report('actions', entry, below(`${at}/args`, name), `the prompt ${named(way)} before ${call} ${why}`)
    }
    if (!showsReceiver(walk, call, args, way))
      yield world.report('actions', entry, at, `the prompt ${named(way)} before ${call} does not show the destination of the money`)
  }
}

const named = (way: readonly Asked[]) => way.map(({ prompt }) => `"${prompt}"`).join(', ')

/** Whether a prompt shows the receiver that the call gets, or one from the server: the address of a row, the masked card. */
function showsReceiver({ world, types }: Walk, call: string, args: Readonly<Record<string, unknown>>, way: readonly Asked[]): boolean {
  const receivers = receiversOf(world, call)
  if (receivers.length === 0) return true
  const given = new Set(receivers.flatMap((arg) => [...pathsIn(args[arg])]))
  return way.some(({ shows }) => shows.some((path) => given.has(path) || withoutNull(typeOfPath(path, types).type).receiver === true))
}

/** Finds answers that are read before their call. */
function* readLate({ world, entry, later }: Walk, step: Step, at: string, { given }: Before): Generator<LintProblem> {
  const { then: _, else: __, ...own } = step as { then?: unknown; else?: unknown }
  const condition = 'if' in step ? pathsIn({ $: step.if }) : new Set<string>()
  for (const path of [...pathsIn(own), ...condition]) {
    const name = /^result\.([\w-]+)/.exec(path)?.[1]
    if (name !== undefined && later.has(name) && !given.has(name))
      yield world.report('actions', entry, at, `"${path}" is read before the step that sets it`)
  }
}

function namesIn(steps: readonly Step[]): string[] {
  return steps.flatMap((step) =>
    'if' in step ? [...namesIn(step.then), ...namesIn(step.else ?? [])] : 'as' in step && step.as !== undefined ? [step.as] : [],
  )
}

/** Paths of password and code fields. */
function secretsOf(world: World, entry: Entry): ReadonlySet<string> {
  const forms =
    entry.doc.kind === 'form'
      ? [entry.doc]
      : world.entries.flatMap(({ doc, shownBy }) => (shownBy.some((one) => one === entry) ? [doc as FormDoc] : []))
  return new Set(forms.flatMap(({ fields }) => fields.flatMap((field) => (isSecret(field) ? [`form.${field.name}`] : []))))
}
const isSecret = (field: FieldDoc | undefined) => field?.type === 'password' || field?.type === 'code'

const secretIn = (value: unknown, secrets: ReadonlySet<string>) => [...pathsIn(value)].filter((path) => secrets.has(path))

/** Finds secrets in steps. Only calls may take them, in arguments that the contract marks as secret. */
function* leaked({ world, entry, secrets }: Walk, step: Step, at: string): Generator<LintProblem> {
  if ('if' in step) return
  const sent = callOf(step)
  if (sent) {
    const wanted = world.call(sent.call)?.input.properties ?? {}
    const isSaid = Object.values(wanted).some(({ secret }) => secret)
    for (const [arg, value] of Object.entries(sent.args ?? {}))
      for (const path of secretIn(value, secrets))
        if (isSaid && wanted[arg]?.secret !== true) {
          const suggestion = Object.keys(wanted).find((name) => wanted[name]?.secret)
          yield world.report(
            'actions',
            entry,
            below(`${at}/args`, arg),
            `"${path}" is a secret, but "${arg}" of ${sent.call} does not accept secrets`,
            {
              suggestion,
            },
          )
        }
    return
  }
  for (const path of secretIn(step, secrets))
    yield world.report('actions', entry, at, `"${path}" is a secret and may only be an argument of a call`)
}

/** Finds secrets in displayed values: props, texts and options outside actions. A validation may compare a secret. */
function* shown(world: World, entry: Entry, secrets: ReadonlySet<string>): Generator<LintProblem> {
  if (secrets.size === 0) return
  for (const { value, role, action, pointer } of entry.own.values)
    if (action === undefined && role !== 'arg' && role !== 'with')
      for (const path of secretIn(value, secrets))
        yield world.report('actions', entry, pointer, `"${path}" is a secret and may only be an argument of a call`)
}

/** Finds calls that need a login where the visitor is not logged in. */
function* loggedOut({ world, entry }: Walk, step: Extract<Step, { if: unknown }>, at: string): Generator<LintProblem> {
  const loggedIn = 'session.logged_in'
  const branch = conjuncts(step.if).some((part) => isSame(negated(part), loggedIn))
    ? 'then'
    : isSame(step.if, loggedIn)
      ? 'else'
      : undefined
  if (branch === undefined) return
  for (const [i, inside] of (step[branch] ?? []).entries()) {
    const sent = callOf(inside)
    if (sent && world.call(sent.call)?.auth === 'user')
      yield world.report('actions', entry, `${at}/${branch}/${i}`, `${sent.call} requires a login, but is only reachable without one`)
  }
}
