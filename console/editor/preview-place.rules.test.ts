import { expect, test } from 'vitest'
import { nodeAt, pointerIn, pointerOfNode } from '#console/editor/preview-place.rules.ts'

const doc = {
  kind: 'screen',
  id: 'a',
  body: [
    {
      id: 'page',
      widget: 'page',
      slots: { body: [{ id: 'row', widget: 'row', props: { title: 'x' } }, { use: 'help', as: 'one' }, { use: 'help' }] },
    },
    { id: 'other', widget: 'text', states: { empty: { id: 'none', widget: 'empty' } } },
  ],
}

test.for([
  ['', null],
  ['/body/0', 'page'],
  ['/body/0/slots/body', 'page'],
  ['/body/0/slots/body/0/props/title', 'row'],
  ['/body/0/slots/body/1', 'page'],
  ['/body/1/states/empty', 'none'],
  ['/gone/9', null],
] as const)('%s lies in %s', ([pointer, node]) => {
  expect(nodeAt(doc, pointer)).toBe(node)
})

test.for([
  ['row', '/body/0/slots/body/0'],
  ['none', '/body/1/states/empty'],
  ['one-title', '/body/0/slots/body/1'],
  ['title', '/body/0/slots/body/2'],
] as const)('%s is written at %s', ([node, pointer]) => {
  expect(pointerIn(doc, node)).toBe(pointer)
})

test('a field that names no widget is found as well', () => {
  const form = { kind: 'form', id: 'f', fields: [{ name: 'amount', type: 'decimal', label: { $t: 'a.b' } }] }
  expect(nodeAt(form, '/fields/0/label')).toBe('amount')
  expect(pointerIn(form, 'amount')).toBe('/fields/0')
})

test('a field is found by its name, in the file of its form', () => {
  const files = { 'schemas/forms/f.json': JSON.stringify({ kind: 'form', id: 'f', fields: [{ name: 'amount', widget: 'decimal-field' }] }) }
  expect(pointerOfNode(files, { document: 'form/f', node: 'amount' })).toEqual({ path: 'schemas/forms/f.json', pointer: '/fields/0' })
  expect(pointerOfNode(files, { document: 'form/g', node: 'amount' })).toBeUndefined()
})
