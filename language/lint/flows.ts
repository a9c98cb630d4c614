import type { FlowAnswer, FlowDoc, FlowExpectation, FlowPush, FlowWho, ScreenDoc } from '#language/documents/documents.ts'
import { nearest } from '#language/documents/nearest.ts'
import { members } from '#language/lint/judge.ts'
import { saidIn, textsOf } from '#language/lint/texts.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import { below } from '#language/text/position.ts'
import type { LintProblem } from '#language/types/catalog.ts'
import { paramTypes } from '#language/types/types.ts'

/**
 * Checks the names in flows: routes with their parameters, screens, nodes and fields, calls with arguments and problems, texts, languages.
 */
export const flows: Check = function* (world) {
  for (const entry of world.entries) {
    if (entry.doc.kind === 'flow') yield* judged({ world, entry, doc: entry.doc, targets: targetsOf(world, entry.doc) })
  }
}

interface Place {
  world: World
  entry: Entry
  doc: FlowDoc
  /** Nodes and fields of every screen that the flow visits. */
  targets: ReadonlySet<string>
}

function* judged(place: Place): Generator<LintProblem> {
  const { doc, world } = place
  yield* person(place, doc.as, '/as')
  if (doc.language !== undefined) yield* known(place, 'language', doc.language, world.languages, '/language')
  for (const [call, answer] of Object.entries(doc.answers ?? {})) yield* answered(place, call, answer, below('/answers', call))
  for (const [i, step] of doc.steps.entries()) {
    const at = `/steps/${i}`
    if ('open' in step) yield* opened(place, step.open, step.params ?? {}, at)
    else if ('as' in step) yield* person(place, step.as, `${at}/as`)
    else if ('fill' in step) yield* target(place, step.fill, `${at}/fill`)
    else if ('press' in step) yield* target(place, step.press, `${at}/press`)
    else if ('choose' in step) {
      yield* target(place, step.choose, `${at}/choose`)
      yield* words(place, step.option, `${at}/option`)
    } else if ('answer' in step) yield* answered(place, step.answer, step.with, at, '/answer', '/with')
    else if ('push' in step) yield* pushed(place, step, at)
    else if ('expect' in step) yield* expected(place, step.expect, `${at}/expect`)
  }
  if (!doc.steps.some((step) => 'expect' in step))
    yield world.report('flows', place.entry, '/steps', 'the flow expects nothing, so it cannot fail', { severity: 'warn' })
}

function* expected(place: Place, wanted: FlowExpectation, at: string): Generator<LintProblem> {
  const { world } = place
  if (wanted.node !== undefined) yield* target(place, wanted.node, `${at}/node`)
  else if (wanted.state !== undefined || wanted.value !== undefined || wanted.rows !== undefined || wanted.row !== undefined)
    yield world.report('flows', place.entry, at, 'state, value, rows and row require "node"')
  if (wanted.screen !== undefined) yield* known(place, 'screen', wanted.screen, world.ids('screen'), `${at}/screen`)
  if (wanted.called !== undefined) {
    yield* called(place, wanted.called, `${at}/called`)
    yield* args(place, wanted.called, wanted.args ?? {}, `${at}/args`)
  } else if (wanted.args !== undefined || wanted.times !== undefined)
    yield world.report('flows', place.entry, at, 'args and times require "called"')
  const not = wanted.notCalled
  if (typeof not === 'string') yield* called(place, not, `${at}/notCalled`)
  else for (const [i, call] of (not ?? []).entries()) yield* called(place, call, `${at}/notCalled/${i}`)
  for (const name of ['text', 'noText', 'toast', 'prompt'] as const) yield* words(place, wanted[name], `${at}/${name}`)
}

function* known(place: Place, what: string, name: string, names: readonly string[], at: string): Generator<LintProblem> {
  if (!names.includes(name))
    yield place.world.report('flows', place.entry, at, `there is no ${what} "${name}"`, { suggestion: nearest(name, names) })
}

function* called(place: Place, name: string, at: string): Generator<LintProblem> {
  yield* known(
    place,
    'call',
    name,
    place.world.catalog.calls.map((call) => call.name),
    at,
  )
}

function* args(place: Place, name: string, given: Record<string, unknown>, at: string): Generator<LintProblem> {
  const input = place.world.call(name)?.input.properties
  if (!input) return
  for (const arg of Object.keys(given)) {
    if (!Object.hasOwn(input, arg))
      yield place.world.report('flows', place.entry, below(at, arg), `${name} takes no "${arg}"`, {
        suggestion: nearest(arg, Object.keys(input)),
      })
  }
}

function* answered(place: Place, name: string, answer: FlowAnswer, at: string, callAt = '', answerAt = ''): Generator<LintProblem> {
  yield* called(place, name, `${at}${callAt}`)
  const call = place.world.call(name)
  if (!call) return
  if ('problem' in answer) {
    const codes = [...new Set([...call.problems, ...problemNames(place.world)])]
    if (codes.length > 0) yield* known(place, 'problem code', answer.problem, codes, `${at}${answerAt}/problem`)
    return
  }
  const properties = call.output.properties
  if (!properties || typeof answer.data !== 'object' || answer.data === null || Array.isArray(answer.data)) return
  for (const member of Object.keys(answer.data)) {
    if (!Object.hasOwn(properties, member))
      yield place.world.report('flows', place.entry, below(`${at}${answerAt}/data`, member), `${name} answers no "${member}"`, {
        suggestion: nearest(member, Object.keys(properties)),
      })
  }
}

/** Checks that a pushed row has the members of its list, and its key. */
function* pushed(place: Place, { push, change, row }: FlowPush, at: string): Generator<LintProblem> {
  const { world, entry } = place
  const carrying = world.catalog.topics.flatMap(({ name, rows }) => (rows ? [{ name, rows }] : []))
  yield* known(
    place,
    'topic with rows',
    push,
    carrying.map(({ name }) => name),
    `${at}/push`,
  )
  const rows = carrying.find(({ name }) => name === push)?.rows
  const properties = rows && world.call(rows.call)?.output.properties?.list?.items?.properties
  if (!rows || !properties) return
  if (row[rows.key] === undefined) yield world.report('flows', entry, `${at}/row`, `a row of "${push}" is identified by its "${rows.key}"`)
  for (const member of Object.keys(row)) {
    if (!Object.hasOwn(properties, member))
      yield world.report('flows', entry, below(`${at}/row`, member), `a row of ${rows.call} has no "${member}"`, {
        suggestion: nearest(member, Object.keys(properties)),
      })
    else if (change === 'remove' && member !== rows.key)
      yield world.report('flows', entry, below(`${at}/row`, member), `a removed row has only its "${rows.key}"`)
  }
}

/** Every problem has a text, so the texts give the list of problems. */
function problemNames({ texts, app, languages }: World): string[] {
  return Object.keys(texts[app?.defaultLanguage ?? languages[0] ?? '']?.problem ?? {})
}

function* person(place: Place, who: FlowWho, at: string): Generator<LintProblem> {
  if (who === 'visitor') return
  const account = place.world.call('user.info')?.output.properties
  if (!account) return
  for (const member of Object.keys(who.customer.info ?? {})) {
    if (!Object.hasOwn(account, member))
      yield place.world.report('flows', place.entry, below(`${at}/customer/info`, member), `an account has no "${member}"`, {
        suggestion: nearest(member, Object.keys(account)),
      })
  }
}

function* opened(place: Place, path: string, params: Record<string, unknown>, at: string): Generator<LintProblem> {
  const { world, entry } = place
  const route = world.route(path)
  if (!route) {
    if (world.routes)
      yield world.report('flows', entry, `${at}/open`, `there is no route "${path}"`, { suggestion: nearest(path, world.routePaths) })
    return
  }
  const screen = world.find('screen', route.screen)?.doc as ScreenDoc | undefined
  if (!screen) return
  const schema = {
    ...paramTypes(screen.params),
    required: Object.entries(screen.params ?? {}).flatMap(([param, { required }]) => (required ? [param] : [])),
  }
  for (const { kind, pointer, message, suggestion } of members(params, schema, {}, `${at}/params`)) {
    if (kind !== 'text' && kind !== 'ref')
      yield world.report('flows', entry, kind === 'missing' ? at : pointer, `${path}: ${message}`, { suggestion })
  }
}

function* words(place: Place, value: unknown, at: string): Generator<LintProblem> {
  const { world, entry } = place
  for (const { key, args, pointer } of saidIn(value, at)) {
    if (world.languages.some((language) => textsOf(world, language, key, args).length > 0)) continue
    const keys = Object.entries(world.texts[world.languages[0] ?? ''] ?? {}).flatMap(([area, texts]) =>
      Object.keys(texts).map((path) => `${area}.${path}`),
    )
    yield world.report('flows', entry, pointer, `there is no text "${key}"`, { suggestion: nearest(key, keys) })
  }
}

function* target(place: Place, name: string, at: string): Generator<LintProblem> {
  // `exits.0.price` is a field in the first row.
  if (!place.targets.has(name.replace(/\.\d+\./, '.')))
    yield place.world.report('flows', place.entry, at, `no screen that this flow visits has a node or field "${name}"`, {
      suggestion: nearest(name, place.targets),
    })
}

/** Nodes and fields of the screens that a flow opens or expects, of those that their steps lead to, and of the tab bar. */
function targetsOf(world: World, doc: FlowDoc): Set<string> {
  const shown = new Set<Entry>()
  const take = (id: string | undefined) => {
    const entry = id === undefined ? undefined : world.find('screen', id)
    if (entry) shown.add(entry)
  }
  for (const step of doc.steps) {
    if ('open' in step) take(world.route(step.open)?.screen)
    if ('expect' in step) take(step.expect.screen)
  }
  const forms = (screen: Entry) => world.entries.filter(({ doc, shownBy }) => doc.kind === 'form' && shownBy.some((one) => one === screen))
  for (const screen of [...shown]) {
    for (const { step } of [screen, ...forms(screen)].flatMap(({ facts }) => facts.steps))
      if ('go' in step && typeof step.go === 'string') take(world.route(step.go)?.screen)
  }
  const names = new Set<string>()
  for (const entry of [...shown].flatMap((screen) => [screen, ...forms(screen)]))
    for (const { node } of entry.facts.nodes) names.add(node.id)
  if (world.app) names.add(world.app.tabBar.id)
  return names
}
