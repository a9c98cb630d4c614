import type { FieldDoc, FormDoc, ScreenDoc } from '#language/documents/documents.ts'
import { limits } from '#language/documents/limits.ts'
import { linkHost, mayOpen } from '#language/documents/links.rules.ts'
import { nearest } from '#language/documents/nearest.ts'
import type { StepPlace } from '#language/documents/walk.ts'
import { order } from '#language/expression/arithmetic.ts'
import { decimalOf } from '#language/expression/decimal.ts'
import { setPath } from '#language/expression/set-path.ts'
import { type Finding, members, mismatch } from '#language/lint/judge.ts'
import { recordsSet } from '#language/lint/lists.ts'
import { conjuncts, expressionsOf, operationsIn, pathsIn } from '#language/lint/trees.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import { below } from '#language/text/position.ts'
import type { LintProblem } from '#language/types/catalog.ts'
import { typeOfPath, typeOfValue } from '#language/types/paths.ts'
import { promptParams } from '#language/types/prompt-params.ts'
import { paramTypes, type Types, withoutNull } from '#language/types/types.ts'

/** Checks the names in steps: sources, sheets, prompts, and the targets of `set`. */
export const steps: Check = function* (world) {
  for (const entry of world.entries) {
    const screen = entry.doc.kind === 'form' ? onlyScreen(entry) : entry.doc.kind === 'screen' ? entry.doc : undefined
    const data = screen ? (screen.data ?? {}) : undefined
    if (data && entry.doc === screen && Object.keys(data).length > limits.dataSourcesPerScreenMax) {
      yield world.report('steps', entry, '/data', `a screen has at most ${limits.dataSourcesPerScreenMax} sources`)
    }
    for (const place of stepsOf(entry)) {
      if (place.depth === limits.actionDepthMax + 1)
        yield world.report('steps', entry, place.pointer, `steps are nested at most ${limits.actionDepthMax} levels deep`)
      yield* named(world, entry, place, data)
      if ('set' in place.step) {
        if (entry.doc.kind !== 'fragment') yield* withoutParams(world, entry, place, place.step.set)
        yield* written(world, entry, place, place.step.set)
        yield* recordsSet(world, entry, place)
      }
    }
  }
}

/** Steps of a screen with those of its fragments, which may name its parts; of other documents, their own. */
const stepsOf = (entry: Entry) => (entry.doc.kind === 'screen' ? entry.facts.steps : entry.own.steps)

/** Only a fragment sets what its parameters name. */
function* withoutParams(
  world: World,
  entry: Entry,
  { pointer }: StepPlace,
  set: Readonly<Record<string, unknown>>,
): Generator<LintProblem> {
  for (const path of Object.keys(set))
    if (path === '*' || path.startsWith('params.'))
      yield world.report('steps', entry, below(`${pointer}/set`, path), 'set writes to state, form and device only')
}

const onlyScreen = ({ shownBy }: Entry) => (shownBy.length === 1 ? shownBy[0]?.doc : undefined)

function* named(
  world: World,
  entry: Entry,
  { step, pointer }: StepPlace,
  data: Record<string, { pages?: boolean }> | undefined,
): Generator<LintProblem> {
  if (data && 'refresh' in step) {
    for (const [i, name] of step.refresh.entries()) {
      if (!Object.hasOwn(data, name))
        yield world.report('steps', entry, `${pointer}/refresh/${i}`, `there is no source "${name}"`, {
          suggestion: nearest(name, Object.keys(data)),
        })
    }
  }
  if (data && 'more' in step) {
    const paged = Object.keys(data).filter((name) => data[name]?.pages)
    if (!paged.includes(step.more))
      yield world.report('steps', entry, `${pointer}/more`, `there is no source "${step.more}" with pages`, {
        suggestion: nearest(step.more, paged) ?? paged[0],
      })
  }
  if ('open' in step && entry.doc.kind === 'screen') {
    const nodes = entry.facts.nodes.map(({ node }) => node.id)
    if (!nodes.includes(step.open))
      yield world.report('steps', entry, `${pointer}/open`, `the screen has no node "${step.open}"`, {
        suggestion: nearest(step.open, nodes),
      })
  }
  if ('confirm' in step) yield* prompted(world, entry, step.confirm, step.with ?? {}, pointer)
  if ('save' in step && typeof step.save.name === 'string' && !isFileName(step.save.name))
    yield world.report('steps', entry, `${pointer}/save/name`, `"${step.save.name}" is no name of a file, such as transactions.csv`)
  if ('link' in step && typeof step.link === 'string') yield* linked(world, entry, step.link, pointer)
}

/** A valid file name: with an extension, without characters that an operating system refuses, and within the maximum length. */
const isFileName = (name: string) =>
  name.length <= limits.savedNameMax && /^[^\\/:*?"<>|\p{C}.\s][^\\/:*?"<>|\p{C}]*\.[A-Za-z0-9]{1,8}$/u.test(name)

function* prompted(world: World, entry: Entry, id: string, given: Record<string, unknown>, pointer: string): Generator<LintProblem> {
  const prompt = world.find('prompt', id)
  if (!prompt) {
    yield world.report('steps', entry, `${pointer}/confirm`, `there is no prompt "${id}"`, { suggestion: nearest(id, world.ids('prompt')) })
    return
  }
  const read = new Set(promptParams(prompt.doc))
  for (const name of read)
    if (!Object.hasOwn(given, name))
      yield world.report('steps', entry, pointer, `the prompt "${id}" reads "params.${name}", which is not given`)
  for (const name of Object.keys(given)) {
    if (!read.has(name))
      yield world.report('steps', entry, below(`${pointer}/with`, name), `the prompt "${id}" does not read "${name}"`, {
        suggestion: nearest(name, read),
        severity: 'warn',
      })
  }
}

function* linked(world: World, entry: Entry, url: string, pointer: string): Generator<LintProblem> {
  const hosts = world.app?.links ?? []
  const host = linkHost(url)
  if (host === undefined) yield world.report('steps', entry, `${pointer}/link`, 'a link must be an https address, without a user name')
  else if (!mayOpen(url, hosts)) {
    yield world.report('steps', entry, `${pointer}/link`, `"${host}" is not among the hosts of app.links`, {
      suggestion: nearest(host, hosts),
    })
  }
}

function* written(world: World, entry: Entry, place: StepPlace, set: Readonly<Record<string, unknown>>): Generator<LintProblem> {
  const types = world.typesAt(entry, place)
  for (const [path, value] of Object.entries(set)) {
    if (!Object.hasOwn(types, path.split('.', 1)[0] as string)) continue
    const at = below(`${place.pointer}/set`, path)
    const { type: wanted, problems } = typeOfPath(path, types)
    for (const { message, suggestion } of problems) yield world.report('steps', entry, at, `nothing to set: ${message}`, { suggestion })
    const given = withoutNull(typeOfValue(value, types).type)
    // Members of a record may be absent; `recordsSet` checks those that are given.
    const why = problems.length === 0 && setPath(path).by === undefined ? mismatch(given, wanted) : undefined
    const word = typeof given.const === 'string' && wanted.enum ? nearest(given.const, wanted.enum.map(String)) : undefined
    if (why !== undefined) yield world.report('steps', entry, at, `"${path}": ${why}`, { suggestion: word })
  }
}

/** Checks that `go` steps, outcomes and quick entries lead to an existing route, with the parameters of its screen. */
export const targets: Check = function* (world) {
  for (const entry of world.entries) {
    for (const place of stepsOf(entry)) {
      const { step, pointer } = place
      if ('go' in step && typeof step.go === 'string')
        yield* target(world, entry, step.go, step.params, world.typesAt(entry, place), pointer, 'go')
      if ('go' in step && step.beside) yield* beside(world, entry, place, step)
    }
    if (entry.doc.kind === 'quick-entries') {
      for (const [i, { to, params }] of entry.doc.entries.entries())
        yield* target(world, entry, to, params, entry.types, `/entries/${i}`, 'to')
    }
    if (entry.doc.kind === 'screen' || entry.doc.kind === 'form') {
      for (const [code, { go }] of Object.entries(entry.doc.errors ?? {})) {
        if (go !== undefined) yield* target(world, entry, go, undefined, entry.types, `/errors/${code}`, 'go')
      }
    }
  }
}

/** A page opens beside a wide screen only, and replaces nothing. */
function* beside(world: World, entry: Entry, { pointer }: StepPlace, { replace }: { replace?: boolean }): Generator<LintProblem> {
  if (replace) yield world.report('steps', entry, `${pointer}/beside`, 'a page that opens beside this one replaces nothing')
  if (entry.doc.kind === 'screen' && !entry.doc.wide)
    yield world.report('steps', entry, `${pointer}/beside`, 'this screen is not "wide", so no page opens beside it')
}

function* target(
  world: World,
  entry: Entry,
  to: string,
  params: Record<string, unknown> | undefined,
  types: Types,
  pointer: string,
  name: string,
): Generator<LintProblem> {
  if (!world.routes) return
  const route = world.route(to)
  if (!route) {
    yield world.report('targets', entry, `${pointer}/${name}`, `there is no route "${to}"`, { suggestion: nearest(to, world.routePaths) })
    return
  }
  const screen = world.find('screen', route.screen)?.doc as ScreenDoc | undefined
  if (!screen) return
  const schema = {
    ...paramTypes(screen.params),
    required: Object.entries(screen.params ?? {}).flatMap(([param, { required }]) => (required ? [param] : [])),
  }
  for (const { pointer: at, message, suggestion } of members(params ?? {}, schema, types, `${pointer}/params`).filter(isWrong)) {
    yield world.report('targets', entry, at, `${to}: ${message}`, { suggestion })
  }
}

const isWrong = ({ kind }: Finding) => kind !== 'text' && kind !== 'ref'

/** A prompt that expires before its buttons become active, which guards against a double tap, could hardly ever be confirmed. */
const promptLastsMsMin = 3_000
/** Screens before the login, which must be reachable without one, as must the route that the app names as its login. */
const loginScreens = ['common.login', 'common.register', 'common.forgot']

/** Reports what can never be reached, filled in, sent or ended. */
export const deadEnds: Check = function* (world) {
  for (const entry of world.entries) {
    if (entry.doc.kind === 'form') yield* inForm(world, entry, entry.doc)
    if (entry.doc.kind === 'prompt' && entry.doc.stale_after_ms !== undefined && entry.doc.stale_after_ms < promptLastsMsMin)
      yield world.report('dead-ends', entry, '/stale_after_ms', `a prompt cannot be read in less than ${promptLastsMsMin} ms`)
    if (entry.doc.kind === 'screen') yield* inScreen(world, entry)
    yield* retried(world, entry)
  }
  if (!world.routes) return
  const { entry, routes } = world.routes
  const loginRoute = world.app?.constants.loginRoute
  const login = typeof loginRoute === 'string' ? world.route(loginRoute) : undefined
  for (const [path, route] of Object.entries(routes)) {
    const { screen, auth, kyc } = route
    const at = below('/routes', path)
    if (auth && (route === login || loginScreens.includes(screen)))
      yield world.report('dead-ends', entry, `${at}/auth`, `"${path}" is the login page and requires a login itself`)
    for (const [name, asks] of [
      ['loginRoute', auth],
      ['verifyRoute', kyc],
    ] as const)
      if (asks && world.app && typeof world.app.constants[name] !== 'string')
        yield world.report(
          'dead-ends',
          entry,
          `${at}/${name === 'loginRoute' ? 'auth' : 'kyc'}`,
          `"${path}" sends people to another page first, and the app does not say where: add "${name}" to "constants" of schemas/app.json`,
        )
    if (kyc !== undefined && !auth)
      yield world.report('dead-ends', entry, `${at}/kyc`, `"${path}" requires a verification level, but no login`, {
        suggestion: '"auth": true',
      })
  }
}

function* inForm(world: World, entry: Entry, doc: FormDoc): Generator<LintProblem> {
  const names = doc.fields.map(({ name }) => name)
  const sent = sentFrom(doc)
  const readOutside = new Set(
    entry.shownBy.flatMap(({ facts }) => [...expressionsOf(facts)].flatMap(({ logic }) => [...pathsIn({ $: logic })])),
  )
  for (const [i, field] of doc.fields.entries()) {
    const at = `/fields/${i}`
    yield* bounded(world, entry, field, at)
    const own = `form.${field.name}`
    if (field.show !== undefined && conjuncts(field.show).some((part) => pathsIn({ $: part }).has(own)))
      yield world.report('dead-ends', entry, `${at}/show`, `"${field.name}" is visible only after it is filled`)
    // The rules use a field that has them; a field that must be ticked is an agreement.
    const isJudged = (field.rules ?? []).length > 0 || (field.type === 'boolean' && field.required === true)
    const isRead = [...sent, ...readOutside].some((path) => path === own || path.startsWith(`${own}.`) || path.includes(`[${own}]`))
    if (!isRead && !isJudged) yield world.report('dead-ends', entry, `${at}/name`, `the value of "${field.name}" is neither sent nor read`)
  }
  for (const { logic, pointer } of expressionsOf(entry.own)) {
    for (const { op, args, pointer: inside } of operationsIn(logic)) {
      if ((op === 'valid' || op === 'dirty') && typeof args[0] === 'string' && !names.includes(args[0]))
        yield world.report('dead-ends', entry, pointer + inside, `the form has no field "${args[0]}"`, {
          suggestion: nearest(args[0], names),
        })
    }
  }
}

/** Paths that steps, rules and other fields read. */
function sentFrom({ fields, rules, submit }: FormDoc): Set<string> {
  const others = fields.map(({ show, ...rest }) => ({ ...rest, show: { $: show ?? null } }))
  const tests = (rules ?? []).map(({ test, ...rest }) => ({ ...rest, test: { $: test } }))
  const steps = JSON.stringify(submit.steps)
  const named = [...steps.matchAll(/form\.[A-Za-z_]\w*/g), ...JSON.stringify(others).matchAll(/form\.[A-Za-z_]\w*/g)].map(([path]) => path)
  return new Set([...named, ...pathsIn(tests)])
}

function* bounded(world: World, entry: Entry, field: FieldDoc, at: string): Generator<LintProblem> {
  const { min, max, minLength, maxLength, step, options } = field
  if (isOver(min, max)) yield world.report('dead-ends', entry, `${at}/min`, `the minimum ${min} is greater than the maximum ${max}`)
  if (minLength !== undefined && maxLength !== undefined && minLength > maxLength)
    yield world.report(
      'dead-ends',
      entry,
      `${at}/minLength`,
      `the minimum length ${minLength} is greater than the maximum length ${maxLength}`,
    )
  if (isOver('0', step) || (step !== undefined && isEqual(step, '0')))
    yield world.report('dead-ends', entry, `${at}/step`, 'a step must be greater than 0')
  const ids = Array.isArray(options) ? options.flatMap((one) => (isOption(one) ? [one.id] : [])) : undefined
  if (ids?.length === 0) yield world.report('dead-ends', entry, `${at}/options`, 'there are no options')
  const value = field.default
  if (typeof value !== 'string' && typeof value !== 'number') return
  if (ids && !ids.includes(String(value)))
    yield world.report('dead-ends', entry, `${at}/default`, `"${value}" is none of ${ids.join(', ')}`, {
      suggestion: nearest(String(value), ids),
    })
  const isLong = typeof value === 'string' && ((maxLength !== undefined && value.length > maxLength) || (minLength ?? 0) > value.length)
  if (isOver(min, value) || isOver(value, max) || isLong)
    yield world.report('dead-ends', entry, `${at}/default`, `"${value}" is outside of the bounds of the field`)
}

export const isOption = (value: unknown): value is { id: string } =>
  typeof value === 'object' && value !== null && typeof (value as { id?: unknown }).id === 'string'

const literal = (value: unknown) => (typeof value === 'number' || typeof value === 'string' ? decimalOf(String(value)) : undefined)
function isOver(a: unknown, b: unknown): boolean {
  const [left, right] = [literal(a), literal(b)]
  return left !== undefined && right !== undefined && order(left, right) > 0
}
const isEqual = (a: unknown, b: unknown) => !isOver(a, b) && !isOver(b, a) && literal(a) !== undefined

function* inScreen(world: World, entry: Entry): Generator<LintProblem> {
  if (entry.doc.kind !== 'screen') return
  const sheets = entry.facts.nodes.flatMap(({ node }) => (node.widget.split('@', 1)[0] === 'sheet' ? [node.id] : []))
  const nodes = entry.facts.nodes.map(({ node }) => node.id)
  for (const { step, pointer } of entry.own.steps) {
    if ('open' in step && nodes.includes(step.open) && !sheets.includes(step.open))
      yield world.report('dead-ends', entry, `${pointer}/open`, `"${step.open}" is no sheet`, { suggestion: nearest(step.open, sheets) })
  }
  const more = new Set(entry.facts.steps.flatMap(({ step }) => ('more' in step ? [step.more] : [])))
  for (const [name, source] of Object.entries(entry.doc.data ?? {})) {
    if (source.pages && !more.has(name))
      yield world.report('dead-ends', entry, `/data/${name}/pages`, `nothing loads further pages of "${name}"`, {
        suggestion: `{"more": "${name}"}`,
      })
  }
}

/** Checks that there is a prompt for `retry: "confirm"`. */
function* retried(world: World, entry: Entry): Generator<LintProblem> {
  if (entry.doc.kind !== 'screen' && entry.doc.kind !== 'form') return
  const forms = entry.doc.kind === 'screen' ? world.entries.filter(({ shownBy }) => shownBy.some((one) => one === entry)) : []
  const asks = [entry, ...forms].some(({ facts }) => facts.steps.some(({ step }) => 'confirm' in step))
  for (const [code, outcome] of Object.entries(entry.doc.errors ?? {})) {
    const at = below('/errors', code)
    if (outcome.retry !== undefined && !asks) yield world.report('dead-ends', entry, `${at}/retry`, 'there is no prompt before it')
  }
}
