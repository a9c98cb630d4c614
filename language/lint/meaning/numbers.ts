import type { FormDoc } from '#language/documents/documents.ts'
import { callOf } from '#language/documents/nodes.ts'
import { typedOf } from '#language/lint/expressions.ts'
import { isId, lastOf } from '#language/lint/meaning/reads.ts'
import { expressionsIn, expressionsOf, operationsIn, pathOf, pathsIn } from '#language/lint/trees.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import { below } from '#language/text/position.ts'
import type { JsonSchema, LintProblem } from '#language/types/catalog.ts'
import { typeOfLogic, typeOfPath } from '#language/types/paths.ts'
import type { Types } from '#language/types/types.ts'
import { countedOf, differ } from '#language/types/units.ts'

/** Checks of numbers that have the right type and the wrong meaning. */

/** Reports a place in a list or an amount where an id is expected, and an id where an amount is expected. */
export const ids: Check = function* (world) {
  for (const entry of world.entries)
    for (const { place, type } of typedOf(world, entry)) {
      if (!('value' in place) || (place.role !== 'arg' && place.role !== 'param')) continue
      const { name, value, pointer } = place
      const why = isId(name) ? noId(value, type) : amountWanted(world, entry, place) ? idAsAmount(value) : undefined
      if (why !== undefined) yield world.report('ids', entry, pointer, `"${name}" takes ${why}`)
    }
}

function noId(value: unknown, type: JsonSchema): string | undefined {
  for (const { logic } of expressionsIn(value)) {
    const reads = typeof logic === 'string' ? [logic] : [...operationsIn(logic)].flatMap(({ op, args }) => (op === 'var' ? [args[0]] : []))
    if (reads.includes('index')) return 'an id, and "index" is the place in the list, which changes when a row comes or goes'
  }
  const counted = countedOf(type)
  // A time that the device makes is a usual id.
  if (!counted || counted.unit === 'ms') return undefined
  return `an id, and this is ${counted.unit === 'share' ? 'a share' : 'an amount'}`
}

function idAsAmount(value: unknown): string | undefined {
  const [only, ...others] = expressionsIn(value)
  const path = only && others.length === 0 ? pathOf(only.logic) : undefined
  return path !== undefined && isId(lastOf(path)) ? `an amount, and "${path}" is an id` : undefined
}

/** Whether the argument of a call, at this place, is one with a unit. */
function amountWanted(world: World, entry: Entry, { name, pointer, role }: { name: string; pointer: string; role: string }): boolean {
  if (role !== 'arg') return false
  const at = pointer.slice(0, -below('/args', name).length)
  const source = entry.doc.kind === 'screen' ? entry.doc.data?.[lastPart(at)] : undefined
  const step = entry.own.steps.find((one) => one.pointer === at)?.step
  const call = step ? callOf(step)?.call : at.startsWith('/data/') ? source?.call : undefined
  const wanted = call === undefined ? undefined : world.call(call)?.input.properties?.[name]
  return wanted !== undefined && (countedOf(wanted) !== undefined || wanted.decimal === true)
}
const lastPart = (pointer: string) => pointer.slice(pointer.lastIndexOf('/') + 1)

/** Reports a share of 0 to 1 that is compared with a percentage, and a percentage that is sent as a share. */
export const shares: Check = function* (world) {
  for (const entry of world.entries) {
    for (const { logic, types, pointer } of logicsOf(world, entry))
      for (const { op, args, pointer: inside } of operationsIn(logic)) {
        if (!['<', '<=', '>', '>=', '==='].includes(op)) continue
        const literal = args.map(numberOf).find((one) => one !== undefined)
        if (literal === undefined || literal <= 10) continue
        if (args.some((arg) => typeof arg === 'object' && countedOf(typeOfLogic(arg, types).type)?.unit === 'share'))
          yield world.report('shares', entry, pointer + inside, `a share is 0 to 1, and this compares it with ${literal}`, {
            suggestion: String(literal / 100),
          })
      }
    yield* sentPercents(world, entry)
  }
}

function* sentPercents(world: World, entry: Entry): Generator<LintProblem> {
  if (entry.doc.kind !== 'form') return
  for (const { step, pointer } of entry.own.steps) {
    if (!('call' in step)) continue
    for (const [arg, value] of Object.entries(step.args ?? {})) {
      if (world.call(step.call)?.input.properties?.[arg]?.unit !== 'share') continue
      const [only] = expressionsIn(value)
      const name = only && pathOf(only.logic)?.startsWith('form.') ? pathOf(only.logic)?.slice(5) : undefined
      const max = numberOf((entry.doc as FormDoc).fields.find((field) => field.name === name)?.max)
      if (max !== undefined && max > 1)
        yield world.report(
          'shares',
          entry,
          below(`${pointer}/args`, arg),
          `"${arg}" is a share of 0 to 1, and "form.${name}" goes to ${max}`,
          {
            suggestion: `form.${name} / 100`,
          },
        )
    }
  }
}

function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : undefined
}

/** The expressions of a document with the types at their places. */
function* logicsOf(world: World, entry: Entry): Generator<{ logic: unknown; types: Types; pointer: string }> {
  for (const place of entry.own.logics) yield { logic: place.logic, types: world.typesAt(entry, place), pointer: place.pointer }
  for (const place of entry.own.values)
    for (const { logic, pointer } of expressionsIn(place.value, place.pointer)) yield { logic, types: world.typesAt(entry, place), pointer }
}

const timed = new Set(['<', '<=', '>', '>=', '+', '-'])

/** Reports milliseconds beside a number that can only be seconds, and times of sources that can only be seconds. */
export const durations: Check = function* (world) {
  for (const entry of world.entries) {
    for (const { logic, types, pointer } of logicsOf(world, entry))
      for (const { op, args, pointer: inside } of operationsIn(logic)) {
        if (!timed.has(op) || args.length !== 2) continue
        const literal = args.map(numberOf).find((one) => one !== undefined)
        if (literal === undefined || literal === 0) continue
        const isTime = args.some((arg) => typeof arg === 'object' && arg !== null && countedOf(typeOfLogic(arg, types).type)?.unit === 'ms')
        const isSeconds = Math.abs(literal) < 1_000 || (literal > 1.5e9 && literal < 2e9 && literal % 86_400_000 !== 0)
        if (isTime && isSeconds)
          yield world.report('durations', entry, pointer + inside, `this counts in milliseconds, and ${literal} looks like seconds`, {
            suggestion: `${literal * 1_000}`,
          })
      }
    if (entry.doc.kind !== 'screen') continue
    for (const [name, { keepMs, everyMs, debounceMs }] of Object.entries(entry.doc.data ?? {})) {
      if (keepMs !== undefined && keepMs > 1 && keepMs < 1_000)
        yield world.report('durations', entry, `/data/${name}/keepMs`, `${keepMs} milliseconds keep nothing: this looks like seconds`, {
          suggestion: `${keepMs * 1_000}`,
        })
      // The schema refuses it where it is written; a use of a fragment gives it as a parameter.
      if (everyMs !== undefined && everyMs < 1_000)
        yield world.report('durations', entry, `/data/${name}/everyMs`, `this counts in milliseconds, and ${everyMs} looks like seconds`, {
          suggestion: `${everyMs * 1_000}`,
        })
      if (keepMs !== undefined && everyMs !== undefined && keepMs >= everyMs)
        yield world.report(
          'durations',
          entry,
          `/data/${name}/keepMs`,
          `an answer is kept for ${keepMs} ms and asked for again every ${everyMs} ms: one of the two is wrong`,
        )
      if (debounceMs !== undefined && everyMs !== undefined && debounceMs >= everyMs)
        yield world.report(
          'durations',
          entry,
          `/data/${name}/debounceMs`,
          `this waits ${debounceMs} ms and loads again every ${everyMs} ms: one of the two is wrong`,
        )
    }
  }
}

/** Reports an amount that is rounded to the decimals of another coin. */
export const scales: Check = function* (world) {
  for (const entry of world.entries)
    for (const { logic, types, pointer } of logicsOf(world, entry))
      for (const { op, args, pointer: inside } of operationsIn(logic)) {
        const scale = op === 'round' && typeof args[1] === 'object' ? pathOf(args[1]) : undefined
        const parts = scale === undefined ? null : /^(.+)\.(\w+)_scale$/.exec(scale)
        const coin = parts ? countedOf(typeOfLogic(args[0], types).type)?.coin : undefined
        if (!parts || coin === undefined) continue
        const own = ['', '_code'].map((end) => `${parts[1]}.${parts[2]}${end}`)
        // A coin without decimals of its own in the record may be this one under another name.
        if (typeOfPath(`${coin.replace(/_code$/, '')}_scale`, types).problems.length > 0) continue
        if (!own.includes(coin) && own.every((one) => differ(coin, one)))
          yield world.report('scales', entry, pointer + inside, `an amount of "${coin}" is rounded to the decimals of "${own[0]}"`)
      }
}

/** Reports secrets that a form keeps on the device as a draft, because their field is an ordinary one. */
export const drafts: Check = function* (world) {
  for (const entry of world.entries) {
    if (entry.doc.kind !== 'form') continue
    const sent = new Set(
      entry.facts.steps.flatMap(({ step }) =>
        'call' in step
          ? Object.entries(step.args ?? {}).flatMap(([arg, value]) =>
              world.call(step.call)?.input.properties?.[arg]?.secret ? [...pathsIn(value)] : [],
            )
          : [],
      ),
    )
    for (const [i, { name, type, draft }] of entry.doc.fields.entries()) {
      if (type === 'password' || type === 'code' || draft === false) continue
      if (sent.has(`form.${name}`) || /(?:^|_)(?:password|passcode|pin|totp|cvv|cvc|secret)(?:_|$)/.test(name))
        yield world.report('drafts', entry, `/fields/${i}`, `"${name}" is a secret, and its draft would be kept on the device`, {
          suggestion: '"type": "password"',
        })
    }
  }
}

/** Reports lists that are always empty. */
export const emptyLists: Check = function* (world) {
  for (const entry of world.entries)
    for (const { logic, pointer } of expressionsOf(entry.own))
      for (const { op, args, pointer: inside } of operationsIn(logic)) {
        const count = op === 'first' || op === 'last' ? args[1] : op === 'slice' || op === 'prepend' ? args[2] : undefined
        if (numberOf(count) !== undefined && (numberOf(count) as number) < 1)
          yield world.report('empty-lists', entry, pointer + inside, `"${op}" with ${String(count)} is always an empty list`)
      }
}
