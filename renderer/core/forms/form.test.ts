import { describe, expect, test } from 'vitest'
import type { FieldDoc } from '#language/documents/documents.ts'
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
