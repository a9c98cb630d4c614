import { describe, expect, test } from 'vitest'
import type { FieldDoc, FormDoc, ValidationDoc } from '#language/documents/documents.ts'
import { compileForm } from '#renderer/core/forms/form.ts'
import { createRegistry } from '#renderer/core/registry.ts'

const registry = createRegistry<undefined>([])
const field = (name: string, more: Partial<FieldDoc> = {}): FieldDoc => ({ name, type: 'decimal', widget: 'x-field', label: name, ...more })
const compiled = (fields: FieldDoc[], more: object = {}) =>
  compileForm({ kind: 'form', id: 'f', format: 1, fields, submit: { label: 'Send', steps: [] }, ...more }, () => undefined, registry)
const names = (index: ReadonlyMap<string, readonly { name: string }[]>) =>
  Object.fromEntries([...index].map(([topic, fields]) => [topic, fields.map(({ name }) => name)]))

describe('what wakes what', () => {
  const form = compiled(
    [
      field('a'),
      field('b', { show: { '===': [{ var: 'form.a' }, 'x'] }, hint: { $: 'data.info.hint' } }),
      field('c', { max: { $: 'data.nets[form.a].max' }, rules: [{ test: { '>': [{ var: 'value' }, { var: 'form.b' }] }, message: 'no' }] }),
    ],
    { rules: [{ test: { '<': [{ var: 'form.a' }, { var: 'form.c' }] }, message: 'no', field: 'a' }] },
  )

  test('for drawing', () => {
    expect(names(form.draws)).toEqual({ 'form.a': ['b', 'c'], 'data.info': ['b'], 'data.nets': ['c'] })
  })

  test('for judging: each field once, and nobody for the entry itself', () => {
    expect(names(form.judges)).toEqual({ 'form.a': ['a', 'b', 'c'], 'data.nets': ['c'], 'form.b': ['c'], 'form.c': ['a'] })
  })
})

test.each<[string, Partial<FieldDoc>, boolean]>([
  ['text', { type: 'string' }, true],
  ['a password', { type: 'password' }, false],
  ['a password that says otherwise', { type: 'password', draft: true }, false],
  ['a code', { type: 'code' }, false],
  ['what says no', { draft: false }, false],
])('%s is kept on the device: %s', (_, more, kept) => {
  expect(compiled([field('a', more)]).fields[0]?.kept).toBe(kept)
})

test.each<[string, Partial<FieldDoc>]>([
  ['a validation that is not there', { rules: ['nowhere'] }],
  ['an expression that is refused', { show: { log: [1] } }],
])('a form with %s is not shown', (_, more) => {
  expect(() => compiled([field('a', more)])).toThrow()
})

test('a validation is compiled once for all fields that use it, with the arguments of each', () => {
  const validation: ValidationDoc = {
    kind: 'validation',
    id: 'least',
    format: 1,
    params: { least: { type: 'integer', default: 1 } },
    test: { '>=': [{ var: 'value' }, { var: 'params.least' }] },
    message: 'Too little',
  }
  const fields = [field('a', { rules: ['least'] }), field('b', { rules: [{ use: 'least', with: { least: { $: { var: 'form.a' } } } }] })]
  const doc: FormDoc = { kind: 'form', id: 'f', format: 1, fields, submit: { label: 'Send', steps: [] } }
  const [a, b] = compileForm(doc, () => validation, registry).fields.map(({ rules }) => rules[0])
  expect(b?.test).toBe(a?.test)
  expect([a?.with, a?.defaults, a?.reads]).toEqual([undefined, { least: 1 }, []])
  expect([b?.with?.deps, b?.defaults, b?.reads]).toEqual([['form.a'], { least: 1 }, ['a']])
})
