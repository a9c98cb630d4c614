import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Logic, NodeDoc } from '#language/documents/documents.ts'
import { limits } from '#language/documents/limits.ts'
import { compile, ExpressionProblem, type Scope, scopeOf } from '#language/expression/expression.ts'
import { operators } from '#language/expression/operators.ts'
import { lintWith } from '#language/testdata/linted.ts'
import { compileNode } from '#renderer/core/compile.ts'
import { createRegistry } from '#renderer/core/registry.ts'
import { RowScope } from '#renderer/core/scope.ts'
import { badInputs, nameOf } from '#tests/support/bad-inputs.ts'
import { coreMs } from '#tests/support/core-ms.ts'
import { sized } from '#tests/support/house/sizes.ts'

const registry = createRegistry([])
const answerMsMax = 5
const forbidden = new Set<PropertyKey>(['__proto__', 'constructor', 'prototype', '__defineGetter__', '__lookupGetter__'])

/** Counts reads of prototypes, at any depth. */
function watched<T extends object>(value: T, seen: string[]): T {
  return new Proxy(value, {
    get(target, name) {
      if (forbidden.has(name) && !Array.isArray(target)) seen.push(String(name))
      const part: unknown = Reflect.get(target, name)
      return typeof part === 'object' && part !== null ? watched(part, seen) : part
    },
    getPrototypeOf(target) {
      return Reflect.getPrototypeOf(target)
    },
  })
}

const data = { x: 'abc', info: { text: 'Hello', list: [1, 2, 3] }, rows: [{ id: 1, price: '2' }] }
const around = (seen: string[]): Scope =>
  scopeOf({ data: watched(data, seen), state: watched({ tab: 'hot' }, seen), session: watched({ kyc: 1 }, seen) })

/** Compiles an expression as a prop of a node, as the app does. Undefined when the node is refused. */
function inBrowser(logic: Logic): ((scope: Scope) => unknown) | undefined {
  const node: NodeDoc = { id: 'a', widget: 'text', props: { text: { $: logic as never } }, show: logic }
  const compiled = compileNode(node, registry)
  const [[, value] = []] = compiled.moving
  if (value)
    return (scope) =>
      value.read(
        scope,
        (key) => key,
        () => undefined,
      )
  return Object.hasOwn(compiled.fixed, 'text') ? () => compiled.fixed.text : undefined
}

describe('hostile expressions are refused with their place, or answered in a few milliseconds', () => {
  const lines = badInputs('expression').map((line) => {
    const { value } = line
    const logic = typeof value === 'string' && /^[[{]/.test(value) ? (JSON.parse(value) as Logic) : (value as Logic)
    return [nameOf(line).slice(0, 140), logic, typeof value !== 'string' || value.length < 2_000] as const
  })
  test('the table is complete', () => {
    expect(lines.length).toBeGreaterThanOrEqual(19)
  })
  test.each(lines)('%s', (_, logic, shallow) => {
    const seen: string[] = []
    let refused = false
    try {
      const compiled = compile(logic)
      compiled.evaluate(around([]))
      expect(coreMs(() => compiled.evaluate(around([])))).toBeLessThan(answerMsMax)
      const { value } = compiled.evaluate(around(seen))
      expect(typeof value).not.toBe('function')
      expect(inBrowser(logic)?.(around(seen))).toEqual(value)
    } catch (problem) {
      expect(problem).toBeInstanceOf(ExpressionProblem)
      refused = true
    }
    expect(seen).toEqual([])
    if (!shallow) return expect(refused).toBe(true)
    const errors = lintWith([['schemas/screens/home.json', '/body/0/show', logic]]).filter(({ severity }) => severity === 'error')
    if (refused)
      expect(errors.map(({ pointer, message }) => [pointer.startsWith('/body/0/show'), message.length > 5])).toContainEqual([true, true])
  })
})

const path = fc.constantFrom(
  'data.x',
  'data.info.text',
  'data.info.list',
  'data.rows',
  'data.rows.0.price',
  'data.rows[state.n].price',
  'data.none.y',
  'state.n',
  'state.t',
  'session.kyc',
)
const leaf = fc.oneof(
  path.map((text): Logic => ({ var: text })),
  path.map((text): Logic => ({ has: text })),
  fc.constantFrom<Logic>(0, 1, -3, 2.5, '', '0', '-1.50', '99999999999999999999.5', 'abc', 'name', 'down', null, true, false),
)
const element = fc.constantFrom<Logic>(
  { var: '' },
  { var: 'price' },
  { var: 'id' },
  { '+': [{ var: 'id' }, 1] },
  { cat: [{ var: 'price' }, 'x'] },
  { '>': [{ var: 'price' }, 1] },
)
const plain = Object.keys(operators).filter(
  (op) => !operators[op]?.body && !['var', 'has', 'where', 'whereIn', 'search', 'rename'].includes(op),
)
/** Chains of the given depth with short branches: nearly all are valid up to the limit, and refused beyond it. */
const chain = fc
  .tuple(leaf, fc.array(fc.tuple(fc.constantFrom(...plain), leaf, leaf, fc.nat(3)), { maxLength: 40 }))
  .map(([start, links]) =>
    links.reduce<Logic>((logic, [op, a, b, where]) => {
      const { min = 1, max = 1, words } = operators[op] ?? {}
      const count = Math.min(max, Math.max(min, 2))
      const args: Logic[] = [a, b, logic].slice(0, count)
      if (count > 0) args[where % count] = logic
      for (const [at, known] of Object.entries(words ?? {}))
        if (Number(at) < args.length) args[Number(at)] = known === 'name' ? 'price' : (known[0] ?? '')
      return { [op]: args }
    }, start),
  )
const iterated = fc
  .tuple(fc.constantFrom('map', 'filter', 'all', 'none', 'some'), path, element, chain)
  .map(([op, list, body, rest]): Logic => ({ if: [{ [op]: [{ var: list }, body] }, rest, 1] }))
/** As received from the server. */
const members = fc
  .record({
    data: fc.record({
      x: fc.oneof(fc.string({ maxLength: 5 }), fc.integer(), fc.constant(null)),
      info: fc.record({ text: fc.string({ maxLength: 20 }), list: fc.array(fc.integer(), { maxLength: 5 }) }),
      rows: fc.array(fc.record({ id: fc.nat(5), price: fc.constantFrom('1', '0.5', 'x', '60000') }), { maxLength: 8 }),
    }),
    state: fc.record({ n: fc.nat(5), t: fc.string({ maxLength: 3 }) }),
    session: fc.record({ kyc: fc.nat(2) }),
  })
  .map((made) => JSON.parse(JSON.stringify(made)) as typeof made)

function largest(value: unknown): { text: number; items: number } {
  if (typeof value === 'string') return { text: value.length, items: 0 }
  if (!Array.isArray(value)) return { text: 0, items: 0 }
  const inside = value.map(largest)
  return { text: Math.max(0, ...inside.map(({ text }) => text)), items: Math.max(value.length, ...inside.map(({ items }) => items)) }
}

test('random trees on random data: app and server give the same result, within the budget', () => {
  let evaluated = 0
  fc.assert(
    fc.property(fc.oneof({ weight: 3, arbitrary: chain }, { weight: 1, arbitrary: iterated }), members, (logic, values) => {
      let server: ReturnType<typeof compile> | undefined
      try {
        server = compile(typeof logic === 'string' ? { '!!': [logic] } : logic)
      } catch (problem) {
        expect(problem).toBeInstanceOf(ExpressionProblem)
      }
      if (typeof logic === 'string' || logic === null) return
      // The app gets the document from the server and its rows from a list.
      const row = new RowScope(
        { ...scopeOf(JSON.parse(JSON.stringify(values)) as typeof values), subscribe: () => () => undefined },
        null,
        0,
      )
      const browser = inBrowser(JSON.parse(JSON.stringify(logic)) as Logic)
      expect(browser === undefined).toBe(server === undefined)
      if (!server || !browser) return
      evaluated += 1
      const outcome = server.evaluate(scopeOf(values))
      expect(browser(row)).toEqual(outcome.value)
      const { text, items } = largest(outcome.value)
      expect(text <= limits.expressionTextMax && items <= limits.repeatItemsMax).toBe(true)
    }),
    { numRuns: sized(5_000, 20_000), seed: 40 },
  )
  expect(evaluated).toBeGreaterThan(sized(1_250, 5_000))
})
