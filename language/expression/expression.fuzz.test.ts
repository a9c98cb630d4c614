import fc from 'fast-check'
import { expect, test } from 'vitest'
import { limits } from '#language/documents/limits.ts'
import { explain } from '#language/expression/explain.ts'
import { compile, ExpressionProblem, guard, scopeOf } from '#language/expression/expression.ts'
import { isFunctionName } from '#language/expression/operator.ts'
import { operators } from '#language/expression/operators.ts'
import { compileValue } from '#language/expression/value.ts'
import { toText } from '#language/text/infix.ts'

const names = ['id', 'price', 'name', 'constructor', '__proto__', 'toString', 'length', '0']
const path = fc
  .tuple(fc.constantFrom('data', 'state', 'form', 'item', 'feed', 'user', ''), fc.array(fc.constantFrom(...names), { maxLength: 3 }))
  .map(([root, rest]) => [root, ...rest].filter(Boolean).join('.'))
const leaf = fc.oneof(
  path.map((text) => ({ var: text })),
  fc.double(),
  fc.integer(),
  fc.constantFrom('', '0', '-1.50', '99999999999999999999.5', 'name', 'amount', 'down', null, true, false),
  fc.string({ maxLength: 8 }),
)
// Without domain functions, which another file of the same worker may have registered.
const own = Object.keys(operators).filter((name) => !isFunctionName(name))
const op = fc.constantFrom(...own, '==', 'log', 'method', 'read', 'toString')
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 7, withCrossShrink: true },
    leaf,
    fc.tuple(op, fc.array(tie('tree'), { maxLength: 4 })).map(([name, args]) => ({ [name]: args })),
    fc.tuple(op, tie('tree')).map(([name, arg]) => ({ [name]: arg })),
    fc.array(tie('tree'), { maxLength: 3 }),
  ),
}))
const rows = fc.array(fc.record({ id: fc.integer(), price: fc.constantFrom('1', '0.5', '60000'), name: fc.string({ maxLength: 5 }) }), {
  maxLength: 40,
})
const world = fc.record({
  data: fc.oneof(rows, fc.jsonValue({ maxDepth: 3 })),
  state: fc.jsonValue({ maxDepth: 2 }),
  form: fc.dictionary(fc.constantFrom(...names.slice(0, 3)), fc.jsonValue({ maxDepth: 1 })),
})

function compiledOf(logic: unknown) {
  try {
    return compile(logic)
  } catch (problem) {
    if (problem instanceof ExpressionProblem) return undefined
    throw problem
  }
}

function longest(value: unknown): number {
  if (typeof value === 'string') return value.length
  return Array.isArray(value) ? Math.max(0, ...value.map(longest)) : 0
}

test('random trees on random data give a value or a refusal, within the budget, and never a function', () => {
  let evaluated = 0
  fc.assert(
    fc.property(tree, world, (logic, members) => {
      const compiled = compiledOf(logic)
      if (!compiled) return
      evaluated += 1
      const scope = scopeOf(members as Record<string, unknown>)
      const outcome = compiled.evaluate(scope)
      expect(typeof outcome.value).not.toBe('function')
      expect(longest(outcome.value)).toBeLessThanOrEqual(limits.expressionTextMax)
      expect(compiled.evaluate(scope)).toEqual(outcome)
      const { open } = guard(compiled, scope)
      if (outcome.missing.length > 0 || outcome.stopped) expect(open).toBe(false)
      const clause = explain(logic, scope)
      expect(clause.deciding).toBe(true)
      expect(toText(logic).length).toBeGreaterThan(0)
    }),
    { numRuns: 3_000 },
  )
  expect(evaluated).toBeGreaterThan(200)
})

test('random values give a value or a refusal', () => {
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.jsonValue({ maxDepth: 1 }),
      tree.map((logic) => ({ $: logic })),
      fc.tuple(fc.constantFrom('market.title', 'x'), tie('value')).map(([key, arg]) => ({ $t: key, arg })),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', '$', '$t'), tie('value'), { maxKeys: 2 }),
    ),
  })).value
  fc.assert(
    fc.property(value, world, (written, members) => {
      let compiled: ReturnType<typeof compileValue>
      try {
        compiled = compileValue(written)
      } catch (problem) {
        expect(problem).toBeInstanceOf(ExpressionProblem)
        return
      }
      const scope = scopeOf(members as Record<string, unknown>)
      const first = compiled.evaluate(scope, (key) => key)
      if (compiled.static) expect(compiled.evaluate(scopeOf({}), (key) => key).value).toBe(first.value)
    }),
    { numRuns: 1_000 },
  )
})
