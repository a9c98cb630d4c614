import { describe, expect, test } from 'vitest'
import { compile, scopeOf } from '#language/expression/expression.ts'
import { isFunctionName } from '#language/expression/operator.ts'
import { operators } from '#language/expression/operators.ts'
import { reference, sample } from '#language/expression/reference.ts'
import { toText } from '#language/text/infix.ts'
import { parseLogic } from '#language/text/logic-text.ts'

test('every operator has a description with an example', () => {
  expect(Object.keys(reference).sort()).toEqual(
    Object.keys(operators)
      .filter((name) => !isFunctionName(name))
      .sort(),
  )
  expect(Object.entries(reference).filter(([, { examples }]) => examples.length === 0)).toEqual([])
})

describe.each(Object.entries(reference))('%s', (name, { examples }) => {
  test.each(examples)('%s', (text, value) => {
    const read = parseLogic(text)
    if (!read.ok) throw new Error(read.problem.message)
    const compiled = compile(read.logic)
    expect(compiled.operators).toContain(name)
    expect(compiled.evaluate(scopeOf(sample)).value ?? null).toEqual(value)
    expect(toText(read.logic)).toBe(text)
  })
})
