import { nearest } from '#language/documents/nearest.ts'
import { callOf } from '#language/documents/nodes.ts'
import { ExpressionProblem } from '#language/expression/expression.ts'
import { compileValue } from '#language/expression/value.ts'
import { mismatch } from '#language/lint/judge.ts'
import { sendOf } from '#language/lint/meaning/sends.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import { below } from '#language/text/position.ts'
import type { JsonSchema, LintProblem } from '#language/types/catalog.ts'
import { typeOfValue } from '#language/types/paths.ts'
import { type Types, withoutNull } from '#language/types/types.ts'

/**
 * Checks that sources and steps name calls of the contract with known and complete arguments, and that sources name calls that only read.
 */
export const calls: Check = function* (world) {
  for (const entry of world.entries) {
    if (entry.doc.kind === 'screen' || entry.doc.kind === 'fragment') {
      for (const [name, source] of Object.entries(entry.doc.data ?? {})) {
        const at = `/data/${name}`
        yield* judged(world, entry, source.call, source.args, entry.types, at, source.pages ? ['page', 'size'] : [])
        const call = world.call(source.call)
        if (call && !call.reads)
          yield world.report('calls', entry, `${at}/call`, `${source.call} changes or sends something; data accepts only calls that read`)
        const output = call?.output
        if (source.pages && output?.properties && !output.properties.list)
          yield world.report('calls', entry, `${at}/pages`, `${source.call} does not return pages`)
      }
    }
    // The call of a step in a fragment may be a parameter, so it is judged where the fragment is used.
    for (const place of entry.doc.kind === 'screen' ? entry.facts.steps : entry.own.steps) {
      const sent = callOf(place.step)
      const made = sent && 'call' in place.step ? sendOf(entry, sent.call)?.id : undefined
      if (sent)
        yield* judged(world, entry, sent.call, sent.args, world.typesAt(entry, place), place.pointer, made === undefined ? [] : [made])
      if ('export' in place.step) yield* exported(world, entry, place.step.export, place.pointer)
    }
  }
}

/** Checks that an `export` step names a call that answers a file. */
function* exported(world: World, entry: Entry, name: string, at: string): Generator<LintProblem> {
  const members = world.call(name)?.output.properties
  const lacking = ['name', 'text', 'rows', 'cut'].find((member) => members && !Object.hasOwn(members, member))
  if (lacking !== undefined)
    yield world.report('calls', entry, `${at}/export`, `${name} answers no file to save: its answer has no "${lacking}"`)
}

/** @param given arguments that the engine adds */
function* judged(
  world: World,
  entry: Entry,
  name: string,
  args: Record<string, unknown> | undefined,
  types: Types,
  at: string,
  given: readonly string[],
): Generator<LintProblem> {
  const isFragment = entry.doc.kind === 'fragment'
  if (typeof name !== 'string') {
    if (!isFragment) yield world.report('calls', entry, `${at}/call`, 'only a fragment may take the name of a call from a parameter')
    return
  }
  const call = world.call(name)
  if (!call) {
    yield world.report('calls', entry, `${at}/call`, `there is no call "${name}"`, {
      suggestion: nearest(
        name,
        world.catalog.calls.map((one) => one.name),
      ),
    })
    return
  }
  const properties = call.input.properties ?? {}
  for (const [arg, value] of Object.entries(args ?? {})) {
    const pointer = below(`${at}/args`, arg)
    const wanted = Object.hasOwn(properties, arg) ? properties[arg] : undefined
    if (!wanted) {
      if (arg === '*' && isFragment) continue
      if (call.input.properties || call.input.type === 'object')
        yield world.report('calls', entry, pointer, `${name} takes no "${arg}"`, { suggestion: nearest(arg, Object.keys(properties)) })
      continue
    }
    const type = withoutNull(typeOfValue(value, types).type)
    // Arguments are sent as text, so any scalar is valid for a text.
    const scalar = type.type === 'string' || type.type === 'integer' || type.type === 'number' || type.type === 'boolean'
    const words = wanted.enum && typeof type.const === 'string' && !wanted.enum.includes(type.const)
    if (words)
      yield world.report('calls', entry, pointer, `"${type.const}" is none of ${wanted.enum?.join(', ')}`, {
        suggestion: nearest(String(type.const), (wanted.enum ?? []).map(String)),
      })
    else if (typeof value !== 'object' && typeof wanted.pattern === 'string' && !new RegExp(wanted.pattern, 'u').test(String(value)))
      yield world.report('calls', entry, pointer, `${name}: ${JSON.stringify(value)} does not match ${wanted.pattern}`)
    else if (typeof value === 'object' && scalar && !canBe(type, wanted)) {
      const given = type.type === 'boolean' ? 'true or false' : `one of ${type.enum?.join(', ')}`
      yield world.report('calls', entry, pointer, `${name}: ${given} where ${wanted.enum?.join(', ') ?? wanted.pattern} is expected`)
    } else if (!scalar) {
      const why = mismatch(type, wanted)
      if (why) yield world.report('calls', entry, pointer, `${name}: ${why}`)
    }
  }
  for (const arg of call.input.required ?? []) {
    if (!given.includes(arg) && !(args && (Object.hasOwn(args, arg) || (isFragment && Object.hasOwn(args, '*')))))
      yield world.report('calls', entry, `${at}/call`, `${name} requires "${arg}"`)
  }
}

/** Whether a computed argument can have a word that the call accepts. */
function canBe(type: JsonSchema, wanted: JsonSchema): boolean {
  const words = type.type === 'boolean' ? [true, false] : type.enum
  if (!words || wanted.type === 'boolean') return true
  const { pattern } = wanted
  return words.some((word) =>
    wanted.enum
      ? wanted.enum.map(String).includes(String(word))
      : typeof pattern !== 'string' || new RegExp(pattern, 'u').test(String(word)),
  )
}

/** Checks that every outcome belongs to a code that a call may answer. */
export const outcomes: Check = function* (world) {
  for (const entry of world.entries) {
    if (entry.doc.kind !== 'screen' && entry.doc.kind !== 'form') continue
    const errors = entry.doc.errors ?? {}
    const screen = entry.doc.kind === 'screen' ? entry.doc : entry.shownBy.length === 1 ? entry.shownBy[0]?.doc : undefined
    const sources = Object.keys(screen?.data ?? {})
    const fields = Object.keys(entry.types.form?.properties ?? {})
    const possible = new Set<string>()
    for (const { step } of entry.facts.steps) {
      const call = world.call(callOf(step)?.call ?? '')
      for (const code of call?.problems ?? []) possible.add(code)
    }
    for (const [code, { refresh = [], field, message, toast }] of Object.entries(errors)) {
      if (field !== undefined && fields.length > 0 && !fields.includes(field))
        yield world.report('outcomes', entry, `${below('/errors', code)}/field`, `the form has no field "${field}"`, {
          suggestion: nearest(field, fields),
        })
      if (message !== undefined && field === undefined && toast !== undefined && toast !== true)
        yield world.report(
          'outcomes',
          entry,
          `${below('/errors', code)}/message`,
          'nothing shows this message: the toast has a text of its own, and there is no "field"',
        )
      if (code !== '*' && possible.size > 0 && !possible.has(code)) {
        yield world.report('outcomes', entry, below('/errors', code), `no call here answers "${code}"`, {
          suggestion: nearest(code, possible),
          severity: nearest(code, possible) === undefined ? 'warn' : 'error',
        })
      }
      for (const [i, name] of refresh.entries()) {
        if (screen && !sources.includes(name))
          yield world.report('outcomes', entry, `${below('/errors', code)}/refresh/${i}`, `there is no source "${name}"`, {
            suggestion: nearest(name, sources),
          })
      }
    }
  }
}

/** Checks that `keep` and `debounceMs` are used with changing arguments only, and `keep` not for money. */
export const sources: Check = function* (world) {
  for (const entry of world.screens) {
    const paying = moneyCallOf(world, entry)
    for (const [name, source] of Object.entries(entry.doc.data ?? {})) {
      for (const member of ['keep', 'debounceMs'] as const) {
        if (source[member] && !changes(source.args))
          yield problem(world, entry, `/data/${name}/${member}`, `"${member}" has no effect here: the arguments never change`)
      }
      if (!source.keep) continue
      const why = [source.live].flat().includes('balance')
        ? 'it contains the balance'
        : paying !== undefined
          ? `this screen sends ${paying}`
          : undefined
      if (why) yield problem(world, entry, `/data/${name}/keep`, `the answer to previous arguments must not be kept: ${why}`)
    }
  }
}

const problem = (world: World, entry: Entry, pointer: string, message: string): LintProblem =>
  world.report('sources', entry, pointer, message)

function changes(args: unknown): boolean {
  try {
    return compileValue(args ?? {}).deps.length > 0
  } catch (error) {
    // Another check reports this.
    if (error instanceof ExpressionProblem) return true
    throw error
  }
}

/** A money call in the screen or in a form that it shows. */
function moneyCallOf(world: World, screen: Entry): string | undefined {
  const forms = world.entries.filter(({ shownBy }) => shownBy.some((one) => one === screen))
  for (const { facts } of [screen, ...forms]) {
    for (const { step } of facts.steps) {
      const sent = callOf(step)
      if (sent && world.call(sent.call)?.keyed === 'money') return sent.call
    }
  }
  return undefined
}
