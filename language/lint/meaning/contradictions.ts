import type { ScreenDoc, ValidationDoc } from '#language/documents/documents.ts'
import { namedValuesOf } from '#language/documents/named-values.ts'
import type { NodePlace } from '#language/documents/walk.ts'
import { readsOf } from '#language/lint/circles.ts'
import { differ } from '#language/lint/impossible.ts'
import { textProblem } from '#language/lint/locales.ts'
import { isId, isWithin, lastOf, screensIn, stepsIn } from '#language/lint/meaning/reads.ts'
import { conjuncts, expressionsIn, isSame, negated, operationsIn, pathOf } from '#language/lint/trees.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import { canonical } from '#language/publish/canonical.ts'
import { below } from '#language/text/position.ts'
import type { LintProblem } from '#language/types/catalog.ts'

/** Checks of two places that say different things. */

/** Reports a named value of a screen that is nearly that of its form: one of the two was forgotten in a change. */
export const twoValues: Check = function* (world) {
  for (const entry of world.entries) {
    const own = namedValuesOf(entry.doc)
    for (const screen of entry.shownBy)
      for (const [name, logic] of Object.entries(namedValuesOf(screen.doc))) {
        if (!Object.hasOwn(own, name)) continue
        const [mine, theirs] = [whole(own[name], own), whole(logic, namedValuesOf(screen.doc))]
        if (canonical(mine) === canonical(theirs) || !isNear(mine, theirs)) continue
        yield world.report('two-values', screen, below('/values', name), `"${name}" is another formula in the form "${entry.doc.id}"`, {
          severity: 'warn',
        })
      }
  }
}

/** A formula with the named values that it reads put in, and without defaults of entered values. */
function whole(logic: unknown, named: Readonly<Record<string, unknown>>, depth = 0): unknown {
  if (depth > 8) return logic
  if (typeof logic === 'string') return whole({ var: logic }, named, depth)
  if (typeof logic !== 'object' || logic === null) return logic
  if (Array.isArray(logic)) return logic.map((part) => inside(part, named, depth))
  const [op = ''] = Object.keys(logic)
  const written = (logic as Record<string, unknown>)[op]
  const args: readonly unknown[] = Array.isArray(written) ? written : [written]
  const path = op === 'var' && typeof args[0] === 'string' ? args[0] : undefined
  const value = path?.startsWith('values.') ? named[path.slice(7)] : undefined
  if (value !== undefined) return whole(value, named, depth + 1)
  if (path !== undefined) return { var: path }
  const [asked, then, otherwise] = args
  // `if(has(form.num), form.num, 1)` is the entered value, and 1 as long as there is none.
  if (
    op === 'if' &&
    args.length === 3 &&
    typeof otherwise !== 'object' &&
    isCall(asked, 'has') &&
    pathOf(then) === [(asked as { has: unknown }).has].flat()[0]
  )
    return whole(then, named, depth)
  return { [op]: args.map((part) => inside(part, named, depth)) }
}

/** An operand: a text there is a literal. */
const inside = (part: unknown, named: Readonly<Record<string, unknown>>, depth: number) =>
  typeof part === 'object' ? whole(part, named, depth) : part
const isCall = (logic: unknown, op: string) => typeof logic === 'object' && logic !== null && Object.hasOwn(logic, op)

/** Whether two formulas differ in one operand or operator only, or read the same paths in another way. */
function isNear(a: unknown, b: unknown): boolean {
  if (differences(a, b) === 1) return true
  const [left, right] = [readsOf({ $: a }), readsOf({ $: b })].map((paths) => [...new Set(paths)].sort().join())
  return left === right && left !== ''
}

/** Number of leaves and operators in which two trees of one shape differ; a path to another record is another formula, and counts as many. */
function differences(a: unknown, b: unknown): number {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b ? 0 : 1
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return many
    return a.reduce<number>((all, part, i) => all + differences(part, b[i]), 0)
  }
  const [[opA, argsA] = ['', undefined], [opB, argsB] = ['', undefined]] = [Object.entries(a)[0], Object.entries(b)[0]]
  if (opA === 'var' && opB === 'var') return argsA === argsB ? 0 : recordOf(argsA) === recordOf(argsB) ? 1 : many
  if (opA === 'var' || opB === 'var') return many
  return (opA === opB ? 0 : 1) + differences(argsA, argsB)
}
const many = 100
const recordOf = (path: unknown) => String(path).slice(0, String(path).lastIndexOf('.'))

/** Reports topics that carry rows of another product than the source loads. */
export const topicsOfOthers: Check = function* (world) {
  const area = (call: string) => call.slice(0, call.indexOf('.'))
  for (const entry of screensIn(world))
    for (const [name, { call, live }] of Object.entries(entry.doc.data ?? {})) {
      const rows = world.catalog.topics.find((topic) => topic.name === live)?.rows
      // The name of a call that is no text is a finding of the schemas.
      if (!rows || typeof call !== 'string' || area(rows.call) === area(call)) continue
      const right = world.catalog.topics.find((topic) => topic.rows?.call === call)?.name
      yield world.report('topics', entry, `/data/${name}/live`, `"${live}" tells of rows of ${rows.call}, and this source loads ${call}`, {
        suggestion: right,
      })
    }
}

/** Reports tones that say the opposite of a sign, and words that stand in another tone elsewhere. */
export const tones: Check = function* (world) {
  const said = new Map<string, { entry: Entry; pointer: string; tone: string }[]>()
  for (const entry of world.entries) {
    for (const { value, name, pointer } of entry.own.values)
      for (const { logic, pointer: at } of expressionsIn(value, pointer))
        if (name === 'tone' || /\/tone\/\$$/.test(at)) yield* opposite(world, entry, logic, at)
    for (const place of entry.own.nodes) if (place.fragment === undefined) collect(entry, place, said)
  }
  for (const [words, places] of said) {
    const counts = new Map<string, number>()
    for (const { tone } of places) counts.set(tone, (counts.get(tone) ?? 0) + 1)
    const [usual] = [...counts].sort((a, b) => b[1] - a[1])
    if (!usual || counts.size < 2 || usual[1] < 2) continue
    for (const { entry, pointer, tone } of places)
      if (tone !== usual[0])
        yield world.report('tones', entry, pointer, `"${words}" has the tone "${tone}" here and "${usual[0]}" elsewhere`, {
          severity: 'warn',
          suggestion: usual[0],
        })
  }
}

const meaningful = new Set(['up', 'down', 'warn', 'error', 'success'])

/** Notes the literal tone of each text of a node, by widget and text. */
function collect(entry: Entry, { node, pointer }: NodePlace, said: Map<string, { entry: Entry; pointer: string; tone: string }[]>): void {
  const walk = (value: unknown, at: string): void => {
    if (typeof value !== 'object' || value === null) return
    const { tone, text, label, title } = value as Record<string, unknown>
    const key = [text, label, title].map((one) => (one as { $t?: unknown } | undefined)?.$t).find((one) => typeof one === 'string')
    if (typeof key === 'string' && typeof tone === 'string' && meaningful.has(tone)) {
      const name = `${node.widget} ${key}`
      said.set(name, [...(said.get(name) ?? []), { entry, pointer: `${at}/tone`, tone }])
    }
    for (const [name, part] of Object.entries(value)) walk(part, below(at, name))
  }
  walk(node.props ?? {}, `${pointer}/props`)
}

function* opposite(world: World, entry: Entry, logic: unknown, at: string): Generator<LintProblem> {
  for (const { op, args, pointer } of operationsIn(logic)) {
    if (op !== 'if') continue
    for (let i = 0; i + 1 < args.length; i += 2) {
      const [test] = [...operationsIn(args[i])]
      if (!test || !Number.isFinite(Number(test.args[1])) || Number(test.args[1]) !== 0) continue
      const wrong = test.op.startsWith('<') ? 'up' : test.op.startsWith('>') ? 'down' : undefined
      if (wrong !== undefined && args[i + 1] === wrong)
        yield world.report(
          'tones',
          entry,
          at + pointer,
          `the tone "${wrong}" stands for a ${wrong === 'up' ? 'gain' : 'loss'}, and the condition for the opposite`,
          {
            suggestion: wrong === 'up' ? 'down' : 'up',
          },
        )
    }
  }
}

/** Reports a message that names another number than the rule that it explains. */
export const boundsSaid: Check = function* (world) {
  for (const entry of world.entries) {
    const { doc } = entry
    const rules: [test: unknown, message: unknown, pointer: string][] =
      doc.kind === 'validation'
        ? [[(doc as ValidationDoc).test, (doc as ValidationDoc).message, '']]
        : doc.kind !== 'form'
          ? []
          : [
              ...(doc.rules ?? []).map(({ test, message }, i): [unknown, unknown, string] => [test, message, `/rules/${i}`]),
              ...doc.fields.flatMap(({ rules: own = [] }, f) =>
                own.flatMap((rule, i): [unknown, unknown, string][] =>
                  typeof rule === 'object' && 'test' in rule ? [[rule.test, rule.message, `/fields/${f}/rules/${i}`]] : [],
                ),
              ),
            ]
    for (const [test, message, pointer] of rules) {
      const bounds = boundsIn(test)
      const named = numbersSaid(world, message)
      if (bounds.length === 0 || named.length === 0) continue
      const strange = named.find(
        (one) => one > 1 && !bounds.some((bound) => [bound, bound - 1, bound + 1, bound * 100].some((near) => Math.abs(near - one) < 1e-9)),
      )
      if (strange !== undefined)
        yield world.report(
          'bounds-said',
          entry,
          `${pointer}/message`,
          `the message says ${strange}, and the rule ${bounds.join(' and ')}`,
          { severity: 'warn' },
        )
    }
  }
}

/** Literal numbers with which a rule compares. */
function boundsIn(test: unknown): number[] {
  return [...operationsIn(test)].flatMap(({ op, args }) =>
    ['<', '<=', '>', '>=', '==='].includes(op)
      ? args.flatMap((arg) => (typeof arg === 'number' || (typeof arg === 'string' && /^\d+(\.\d+)?$/.test(arg)) ? [Number(arg)] : []))
      : [],
  )
}

/** Numbers that a message names, in its English text and in its literal arguments. */
function numbersSaid(world: World, message: unknown): number[] {
  if (typeof message !== 'object' || message === null || !('$t' in message)) return []
  const { $t: key, ...args } = message as Record<string, unknown>
  const text = textOf(world, String(key)) ?? ''
  const given = Object.values(args).flatMap((arg) =>
    typeof arg === 'number' || (typeof arg === 'string' && /^\d+(\.\d+)?$/.test(arg)) ? [Number(arg)] : [],
  )
  return [...given, ...numbersIn(text)]
}

function textOf({ texts }: World, key: string): string | undefined {
  const [area = '', ...rest] = key.split('.')
  return texts.en?.[area]?.[rest.join('.')]
}

/** Numbers in a text, whatever the sign before their decimals; none where a word such as "million" multiplies them. */
function numbersIn(text: string): number[] {
  const plain = text.replaceAll(/\{\{[^}]*\}\}|\$t\([^)]*\)/g, ' ')
  if (/\d\s*(?:million|thousand|万|萬|만|億|亿|억|ล้าน|mill)/i.test(plain)) return []
  return [...plain.matchAll(/\d+(?:[.,]\d+)*/g)].map(([number]) =>
    Number(/^\d{1,3}(?:[.,]\d{3})+$/.test(number) ? number.replaceAll(/[.,]/g, '') : number.replace(',', '.')),
  )
}

/** Reports parts that are never active where they show, and entries that lead only those away who see them. */
export const neverActive: Check = function* (world) {
  for (const entry of world.entries)
    for (const place of entry.own.nodes) {
      if (place.node.enable === undefined || place.fragment !== undefined) continue
      const own = conjuncts(place.node.enable)
      const shown: unknown[] = []
      for (let at: NodePlace | undefined = place; at; at = at.parent) if (at.node.show !== undefined) shown.push(...conjuncts(at.node.show))
      const isRuledOut = own.some((part) =>
        shown.some((other) => isSame(negated(part), other) || isSame(negated(other), part) || differ(part, other)),
      )
      if (isRuledOut)
        yield world.report(
          'never-active',
          entry,
          `${place.pointer}/enable`,
          `"${place.node.id}" is never active: it shows only when "enable" does not hold`,
        )
    }
  for (const entry of world.entries) {
    if (entry.doc.kind !== 'quick-entries') continue
    for (const [i, { show, to }] of entry.doc.entries.entries())
      if (conjuncts(show).some((part) => isSame(negated(part), 'session.logged_in')) && world.route(to)?.auth)
        yield world.report('never-active', entry, `/entries/${i}/show`, `only visitors see this entry, and "${to}" needs a login`)
  }
}

/** Reports a level of verification that nobody has on a screen, because each of its routes asks for more. */
export const levelsOfRoutes: Check = function* (world) {
  const least = new Map<string, number>()
  for (const { screen, kyc = 0 } of Object.values(world.routes?.routes ?? {})) least.set(screen, Math.min(least.get(screen) ?? 9, kyc))
  for (const entry of world.screens) {
    const level = least.get(entry.doc.id) ?? 0
    if (level === 0) continue
    for (const { logic, pointer } of entry.own.logics)
      for (const part of conjuncts(logic)) {
        const [test] = [...operationsIn(part)]
        if (!test || pathOf(test.args[0]) !== 'session.kyc' || typeof test.args[1] !== 'number') continue
        const most = test.op === '<' ? test.args[1] - 1 : test.op === '<=' || test.op === '===' ? test.args[1] : undefined
        if (most !== undefined && most < level)
          yield world.report(
            'levels-of-routes',
            entry,
            pointer,
            `every route to this screen asks for level ${level}, so nobody of level ${most} is here`,
          )
      }
  }
}

/** Reports prompts that show another value than the call behind them sends. */
export const otherThanAsked: Check = function* (world) {
  for (const entry of world.entries) {
    const named = { ...screenValues(entry), ...namedValuesOf(entry.doc) }
    for (const action of entry.own.actions) {
      let asked: Readonly<Record<string, unknown>> = {}
      for (const { step, pointer } of stepsIn(action.steps, action.pointer)) {
        if ('confirm' in step) asked = step.with ?? {}
        if (!('call' in step) || world.call(step.call)?.keyed !== 'money') continue
        for (const [arg, value] of Object.entries(step.args ?? {})) {
          const shown = Object.hasOwn(asked, arg) ? pathsOf(asked[arg], named) : []
          const sent = pathsOf(value, named)
          if (shown.length === 0 || sent.length === 0 || sent.some((path) => path.startsWith('result.'))) continue
          // A name stands for an id, and the same member of another record for the same thing.
          if (isId(arg) || sent.some((path) => isId(lastOf(path)) || shown.some((one) => lastOf(one) === lastOf(path)))) continue
          if (!shown.some((one) => sent.some((other) => isWithin(one, other) || isWithin(other, one))))
            yield world.report(
              'other-than-asked',
              entry,
              below(`${pointer}/args`, arg),
              `the prompt shows "${shown[0]}" as "${arg}", and the call sends "${sent[0]}"`,
            )
        }
      }
    }
  }
}

const screenValues = ({ shownBy }: Entry) => (shownBy.length === 1 && shownBy[0] ? namedValuesOf(shownBy[0].doc as ScreenDoc) : {})

/** Paths that a value reads, through the named values. */
function pathsOf(value: unknown, named: Readonly<Record<string, unknown>>): readonly string[] {
  return expressionsIn(value).flatMap(({ logic }) => readsOf({ $: whole(logic, named) }))
}

const saidBefore = new WeakMap<World['texts'], readonly LintProblem[]>()

/** Reports texts of a language that name another number than the English one. Kept, because editing a document does not change the texts. */
export const numbersOfLanguages: Check = ({ texts, languages }) => {
  const before = saidBefore.get(texts)
  const found = before ?? [...ofOtherNumbers(texts, languages)]
  if (!before) saidBefore.set(texts, found)
  return found
}

function* ofOtherNumbers(texts: World['texts'], languages: readonly string[]): Generator<LintProblem> {
  const english = texts.en ?? {}
  for (const language of languages) {
    if (language === 'en') continue
    for (const [area, words] of Object.entries(texts[language] ?? {}))
      for (const [key, text] of Object.entries(words)) {
        const original = english[area]?.[key]
        if (original === undefined) continue
        const [own, theirs] = [text, original].map((one) =>
          numbersIn(one)
            .map((number) => Math.abs(number))
            .sort((a, b) => a - b),
        )
        if (!own || !theirs || own.length === 0 || own.length !== theirs.length || own.join() === theirs.join()) continue
        yield textProblem(
          'numbers-of-languages',
          language,
          area,
          key,
          `"${area}.${key}" says ${own.join(', ')} in ${language}, and the English text ${theirs.join(', ')}`,
        )
      }
  }
}
