import type { ScreenDoc, SourceDoc } from '#language/documents/documents.ts'
import { nearest } from '#language/documents/nearest.ts'
import { mismatch } from '#language/lint/judge.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import { below } from '#language/text/position.ts'
import type { CallManifest, JsonSchema, LintProblem } from '#language/types/catalog.ts'
import { typeOfValue } from '#language/types/paths.ts'
import { rowsIn } from '#language/types/types.ts'

type Send = NonNullable<SourceDoc['send']>

const anyUuid = '00000000-0000-4000-8000-000000000000'

/** How the screens that show a document send a call: with a row of a source. Undefined where one of them has no such source. */
export function sendOf({ doc, shownBy }: Entry, call: string): Send | undefined {
  const screens: Pick<ScreenDoc, 'data'>[] = doc.kind === 'screen' || doc.kind === 'fragment' ? [doc] : shownBy.map((one) => one.doc)
  const found = screens.map(({ data = {} }) => Object.values(data).find(({ send }) => send?.call === call)?.send)
  return found.every((one) => one !== undefined) ? found[0] : undefined
}

/**
 * Checks that a source with `send` is a list, that its call may be sent again with the same key, and that the row which is shown until the
 * server answers has the members of the rows of the list.
 */
export const sends: Check = function* (world) {
  for (const entry of world.entries) {
    const { doc } = entry
    if (doc.kind === 'screen' || doc.kind === 'fragment') {
      const calls = new Set<string>()
      for (const [name, source] of Object.entries(doc.data ?? {})) {
        const { send } = source
        if (!send) continue
        const at = `/data/${name}/send`
        const problem = (pointer: string, message: string, suggestion?: string) =>
          world.report('sends', entry, pointer, message, { suggestion })
        if (calls.has(send.call)) yield problem(`${at}/call`, `another source of this document sends ${send.call} already`)
        calls.add(send.call)
        const call = world.call(send.call)
        if (!call) {
          const names = world.catalog.calls.flatMap((one) => (one.keyed === 'data' ? [one.name] : []))
          yield problem(`${at}/call`, `there is no call "${send.call}"`, nearest(send.call, names))
          continue
        }
        if (call.keyed === undefined) yield problem(`${at}/call`, `${call.name} takes no key: sent again, it could be stored twice`)
        if (call.keyed === 'money')
          yield problem(`${at}/call`, `${call.name} moves money: nothing may look done before the server has agreed`)
        const secret = Object.entries(call.input.properties ?? {}).find(([, type]) => type.secret)
        if (secret) yield problem(`${at}/call`, `"${secret[0]}" of ${call.name} is a secret, and unsent rows are kept on the device`)
        yield* identified(call, send, at, problem)
        const answer = world.call(source.call)
        const rows = answer && rowsIn(answer.output)
        if (answer && !rows) yield problem(at, `${source.call} answers no list in which a row could stand`)
        if (rows?.properties) yield* row(world, entry, { source: name, answers: source.call, send, call, rows, at })
        if (doc.kind === 'screen' && !isSent(world, entry, call.name))
          yield world.report('sends', entry, `${at}/call`, `no step here sends ${call.name}`, { severity: 'warn' })
      }
    }
    yield* steps(world, entry)
  }
}

function* identified(
  call: CallManifest,
  { id }: Send,
  at: string,
  problem: (pointer: string, message: string, suggestion?: string) => LintProblem,
): Generator<LintProblem> {
  const { properties = {} } = call.input
  const type = Object.hasOwn(properties, id) ? properties[id] : undefined
  if (!type) yield problem(`${at}/id`, `${call.name} takes no "${id}"`, nearest(id, Object.keys(properties)))
  else if (
    type.type !== 'string' ||
    type.enum ||
    Number(type.maxLength ?? anyUuid.length) < anyUuid.length ||
    (typeof type.pattern === 'string' && !new RegExp(type.pattern, 'u').test(anyUuid))
  )
    yield problem(`${at}/id`, `"${id}" of ${call.name} takes no id such as ${anyUuid}`)
}

interface RowPlace {
  source: string
  answers: string
  send: Send
  call: CallManifest
  rows: JsonSchema
  at: string
}

function* row(world: World, entry: Entry, { source, answers, send, call, rows, at }: RowPlace): Generator<LintProblem> {
  const { properties = {}, required = [] } = rows
  const { id, optimistic = {} } = send
  const report = (pointer: string, message: string, suggestion?: string) => world.report('sends', entry, pointer, message, { suggestion })
  if (!Object.hasOwn(properties, id))
    yield report(`${at}/id`, `rows of ${answers} have no "${id}", so nothing tells which of them was sent here`)
  const types = world.typesAt(entry, { source })
  for (const [name, value] of Object.entries(optimistic)) {
    const pointer = below(`${at}/optimistic`, name)
    const wanted = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (name === id) yield report(pointer, `the device gives the row its "${id}"`)
    else if (!wanted) yield report(pointer, `rows of ${answers} have no "${name}"`, nearest(name, Object.keys(properties)))
    else {
      const why = mismatch(typeOfValue(value, types).type, wanted)
      if (why) yield report(pointer, `"${name}": ${why}`)
    }
  }
  const given = new Set([id, ...Object.keys(optimistic), ...Object.keys(call.input.properties ?? {})])
  const lacking = required.filter((name) => !given.has(name)).map((name) => `"${name}"`)
  if (lacking.length > 0) yield report(at, `until the server answers the row has no ${lacking.join(', ')}: give it in "optimistic"`)
}

/** Whether a step of a screen, or of a form in it, sends a call. */
function isSent(world: World, screen: Entry, call: string): boolean {
  const forms = world.entries.filter(({ shownBy }) => shownBy.some(({ doc }) => doc === screen.doc))
  return [screen, ...forms].some(({ facts }) => facts.steps.some(({ step }) => 'call' in step && step.call === call))
}

/** Steps that send a row have no answer, and steps about rows need a source with such rows. */
function* steps(world: World, entry: Entry): Generator<LintProblem> {
  const report = (pointer: string, message: string) => world.report('sends', entry, pointer, message)
  for (const { step, pointer } of entry.own.steps) {
    if ('call' in step) {
      const send = sendOf(entry, step.call)
      if (send && step.as !== undefined)
        yield report(`${pointer}/as`, `the row shows at once, before ${step.call} has an answer: there is no result to name`)
      if (send && Object.hasOwn(step.args ?? {}, send.id))
        yield report(below(`${pointer}/args`, send.id), `the device makes "${send.id}" for each row that it sends`)
    }
    const kind = 'resend' in step ? 'resend' : 'discard' in step ? 'discard' : undefined
    if (kind && entry.doc.kind === 'screen' && !Object.values(entry.doc.data ?? {}).some(({ send }) => send))
      yield report(`${pointer}/${kind}`, 'no source of this screen has "send"')
  }
}
