import { expect, test } from 'vitest'
import { promptParams } from '#language/types/prompt-params.ts'

const text = { $t: 'assets.sum' }
const rows: [string, unknown, string[]][] = [
  ['nothing', { title: text }, []],
  ['a path', { title: text, text: { $: 'params.name' } }, ['name']],
  ['a path in a tree', { title: text, text: { $: { cat: [{ var: 'params.name' }, '!'] } } }, ['name']],
  ['an expression', { rows: [{ label: text, value: { $: "format('percent', params.spread)" } }] }, ['spread']],
  [
    'arguments of a text',
    { rows: [{ label: text, value: { ...text, amount: { $: 'params.pay' }, coin: { $: 'params.from' } } }] },
    ['pay', 'from'],
  ],
  ['a condition', { rows: [{ label: text, value: '1', show: 'has(params.tag) and not params.hidden' }] }, ['tag', 'hidden']],
  ['a condition with another name for a missing one', { text: { $: 'params.a ?? params.b' } }, ['a', 'b']],
  ['named values', { values: { sum: 'params.amount + params.fee' }, text: { $: 'values.sum' } }, ['amount', 'fee']],
  ['a record and a place in a list', { text: { $: 'params.list[params.at].name' } }, ['list', 'at']],
  ['one twice', { title: { $: 'params.a' }, text: { $: 'params.a' } }, ['a']],
  ['a text that only looks like one', { title: { $t: 'params.title' }, text: { $: "cat('see params.name', values.params.x)" } }, []],
  ['an unfinished expression', { text: { $: 'params.' }, rows: [{ label: text, value: { $: 'params.to +' } }] }, ['to']],
  ['a value that is not a prompt', [null, 3], []],
]
test.each(rows)('a prompt reads %s', (_name, prompt, names) => {
  expect(promptParams(prompt)).toEqual(names)
})
