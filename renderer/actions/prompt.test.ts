import { expect, test } from 'vitest'
import type { PromptDoc } from '#language/documents/documents.ts'
import { scopeOf } from '#language/expression/expression.ts'
import { compilePrompt, promptTexts } from '#renderer/actions/prompt.ts'

const doc = {
  kind: 'prompt',
  id: 'order',
  format: 1,
  title: { $t: 'title' },
  rows: [
    { label: { $t: 'price' }, value: { $: 'params.price' }, show: { '===': [{ var: 'params.kind' }, 'limit'] } },
    { label: { $t: 'stop' }, value: { $: 'params.stop' }, show: { has: 'params.stop' } },
    { label: { $t: 'amount' }, value: { $: 'params.amount' } },
  ],
} as unknown as PromptDoc

const rowsFor = (params: object) => promptTexts(compilePrompt(doc), scopeOf({ params }), (key) => key, { ok: 'OK', cancel: 'Cancel' }).rows

test.each([
  ['a row whose guard is open', { kind: 'limit', price: '10', amount: '2' }, ['price: 10', 'amount: 2']],
  ['a row whose guard is closed, and one whose path is missing', { kind: 'market', amount: '2' }, ['amount: 2']],
  ['all of them', { kind: 'limit', price: '10', stop: '9', amount: '2' }, ['price: 10', 'stop: 9', 'amount: 2']],
])('%s', (_, params, rows) => {
  expect(rowsFor(params).map(({ label, value }) => `${label}: ${value}`)).toEqual(rows)
})

test('texts that are not written have the words of the app, and what is missing is empty', () => {
  const texts = promptTexts(compilePrompt(doc), scopeOf({ params: {} }), (key) => key, { ok: 'OK', cancel: 'Cancel' })
  expect(texts).toMatchObject({
    title: 'title',
    text: '',
    ok: 'OK',
    cancel: 'Cancel',
    danger: false,
    rows: [{ label: 'amount', value: '' }],
  })
})

test('a row with a list stands once for each element', () => {
  const rows = [
    { each: { var: 'params.changes' }, label: { $: 'item.name' }, value: { $: 'item.to' }, show: { '!==': [{ var: 'item.to' }, ''] } },
    { label: { $t: 'by' }, value: 'ann' },
  ]
  const changed = { ...doc, rows } as unknown as PromptDoc
  const shown = (changes: unknown) =>
    promptTexts(compilePrompt(changed), scopeOf({ params: { changes } }), (key) => key, { ok: 'OK', cancel: 'Cancel' }).rows
  const list = [
    { name: 'price', to: '5' },
    { name: 'kept', to: '' },
    { name: 'most', to: '9' },
  ]
  expect(shown(list).map(({ label, value }) => `${label} ${value}`)).toEqual(['price 5', 'most 9', 'by ann'])
  expect(shown(undefined).map(({ label }) => label)).toEqual(['by'])
})
