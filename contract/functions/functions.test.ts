import { describe, expect, test } from 'vitest'
import { callWith, kindOf } from '#contract/functions/define.ts'
import { functionOperators, functions } from '#contract/functions/registry.ts'
import { compile, learn, scopeOf } from '#language/expression/expression.ts'
import { isFunctionName } from '#language/expression/operator.ts'

learn(functionOperators)

describe.each(functions.map((one) => [one.name, one] as const))('%s', (name, one) => {
  const order = Object.keys(one.params)
  test('has a name that documents can write, and an example', () => {
    expect(isFunctionName(name)).toBe(true)
    expect(one.about).toMatch(/^[A-Z].*\.$/)
    expect(one.examples.length).toBeGreaterThan(0)
  })
  test.each(one.examples.map((example) => [JSON.stringify(example.args), example] as const))('of %s', (_, { args, gives }) => {
    expect(Object.keys(args)).toEqual(order)
    expect(one.run(args)).toBe(gives)
    // The same call by name in a document, with the arguments as paths.
    const compiled = compile({ [name]: order.map((param) => ({ var: `state.${param}` })) })
    expect(compiled.operators).toContain(name)
    expect(compiled.evaluate(scopeOf({ state: args }))).toEqual({ value: gives, missing: [] })
  })
  test('answers other arguments anew, whichever of them is another', () => {
    const run = functionOperators[name]?.run
    const given = order.map((param) => one.examples[0]?.args[param])
    for (const i of given.keys())
      for (const other of [given, given.with(i, '7'), given.with(i, 7), given, given.with(i, undefined)])
        expect(run?.(...other), `${order[i]}: ${String(other[i])}`).toBe(callWith(one, other))
  })
  test('is null for missing arguments and arguments of another kind', () => {
    const given = order.map((param) => one.examples[0]?.args[param])
    for (const [i] of order.entries()) {
      for (const bad of [undefined, null, {}, [], 'x', '1e5', ' 1', Number.NaN, Number.POSITIVE_INFINITY]) {
        const isText = kindOf(one.params[order[i] as string] ?? 'text') === 'text'
        if (isText && typeof bad === 'string') continue
        expect(callWith(one, given.with(i, bad as never)), `${order[i]}: ${String(bad)}`).toBeNull()
      }
    }
  })
})

test.each(functions.map((one) => [one.name, one] as const))('%s returns a short text or null, whatever the numbers', (_, one) => {
  for (const extreme of ['9007199254740991', '-9007199254740991', `1${'0'.repeat(59)}`, `0.${'0'.repeat(59)}1`]) {
    const given = Object.values(one.params)
      .map(kindOf)
      .map((kind) => (kind === 'integer' || kind === 'decimal' ? extreme : kind === 'boolean' ? true : 'x'))
    expect(String(callWith(one, given)).length, extreme).toBeLessThan(500)
  }
})

test('names are unique and in order', () => {
  const names = functions.map(({ name }) => name)
  expect(names).toEqual([...new Set(names)].sort())
})

test('an error of a function means "cannot be computed"', () => {
  const rate = functions.find(({ name }) => name === 'wallet.readableRate')!
  expect(callWith(rate, ['0'])).toBeNull()
})
