import type { FieldDoc, FormDoc } from '#language/documents/documents.ts'
import { nearest } from '#language/documents/nearest.ts'
import { order } from '#language/expression/arithmetic.ts'
import { decimalOf } from '#language/expression/decimal.ts'
import { conjuncts, expressionsOf, operationsIn, pathsIn } from '#language/lint/trees.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import { below } from '#language/text/position.ts'
import type { LintProblem } from '#language/types/catalog.ts'

/** A prompt that goes stale sooner than it rests against a double tap can never be agreed to by most. */
const promptLastsMsMin = 3_000
/** Screens that lead into the app: whoever is not logged in must reach them. */
const loginScreens = ['common.login', 'common.register', 'common.forgot']

/** What can never be reached, filled in, sent or ended. */
export const deadEnds: Check = function* (world) {
  for (const entry of world.entries) {
    if (entry.doc.kind === 'form') yield* inForm(world, entry, entry.doc)
    if (entry.doc.kind === 'prompt' && entry.doc.stale_after_ms !== undefined && entry.doc.stale_after_ms < promptLastsMsMin)
      yield world.report('dead-ends', entry, '/stale_after_ms', `nobody reads a prompt in less than ${promptLastsMsMin} ms`)
    if (entry.doc.kind === 'screen') yield* inScreen(world, entry)
    yield* retried(world, entry)
  }
  if (!world.routes) return
  const { entry, routes } = world.routes
  for (const [path, { screen, auth, kyc }] of Object.entries(routes)) {
    const at = below('/routes', path)
    if (auth && loginScreens.includes(screen))
      yield world.report('dead-ends', entry, `${at}/auth`, `"${path}" leads to the login and asks for one itself`)
    if (kyc !== undefined && !auth)
      yield world.report('dead-ends', entry, `${at}/kyc`, `"${path}" asks how far the identity is verified, but not for a login`, {
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
      yield world.report('dead-ends', entry, `${at}/show`, `"${field.name}" shows only by what is entered in it`)
    // A field with rules is judged by them; one that must be ticked is an agreement.
    const isJudged = (field.rules ?? []).length > 0 || (field.type === 'boolean' && field.required === true)
    const isRead = [...sent, ...readOutside].some((path) => path === own || path.startsWith(`${own}.`) || path.includes(`[${own}]`))
    if (!isRead && !isJudged)
      yield world.report('dead-ends', entry, `${at}/name`, `what is entered in "${field.name}" is neither sent nor read`)
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
  if (isOver(min, max)) yield world.report('dead-ends', entry, `${at}/min`, `the least, ${min}, is over the greatest, ${max}`)
  if (minLength !== undefined && maxLength !== undefined && minLength > maxLength)
    yield world.report('dead-ends', entry, `${at}/minLength`, `the least length, ${minLength}, is over the greatest, ${maxLength}`)
  if (isOver('0', step) || (step !== undefined && isEqual(step, '0')))
    yield world.report('dead-ends', entry, `${at}/step`, 'a step is more than 0')
  const ids = Array.isArray(options) ? options.flatMap((one) => (isOption(one) ? [one.id] : [])) : undefined
  if (ids?.length === 0) yield world.report('dead-ends', entry, `${at}/options`, 'there is nothing to choose')
  const value = field.default
  if (typeof value !== 'string' && typeof value !== 'number') return
  if (ids && !ids.includes(String(value)))
    yield world.report('dead-ends', entry, `${at}/default`, `"${value}" is none of ${ids.join(', ')}`, {
      suggestion: nearest(String(value), ids),
    })
  const isLong = typeof value === 'string' && ((maxLength !== undefined && value.length > maxLength) || (minLength ?? 0) > value.length)
  if (isOver(min, value) || isOver(value, max) || isLong)
    yield world.report('dead-ends', entry, `${at}/default`, `"${value}" is not within the bounds of the field`)
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
      yield world.report('dead-ends', entry, `/data/${name}/pages`, `nothing loads more than the first page of "${name}"`, {
        suggestion: `{"more": "${name}"}`,
      })
  }
}

/** `retry: "confirm"` asks a prompt again, so there must be one. */
function* retried(world: World, entry: Entry): Generator<LintProblem> {
  if (entry.doc.kind !== 'screen' && entry.doc.kind !== 'form') return
  const forms = entry.doc.kind === 'screen' ? world.entries.filter(({ shownBy }) => shownBy.some((one) => one === entry)) : []
  const asks = [entry, ...forms].some(({ facts }) => facts.steps.some(({ step }) => 'confirm' in step))
  for (const [code, outcome] of Object.entries(entry.doc.errors ?? {})) {
    const at = below('/errors', code)
    if (outcome.retry !== undefined && !asks) yield world.report('dead-ends', entry, `${at}/retry`, 'there is no prompt to ask again')
  }
}
