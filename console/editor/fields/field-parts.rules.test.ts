import { expect, test } from 'vitest'
import { optionIdsOf, partsOfField } from '#console/editor/fields/field-parts.rules.ts'
import { metaSchemas } from '#language/documents/meta.ts'

const meta = metaSchemas().form
const own = meta.properties!.fields!.items!
const parts = (field: Record<string, unknown>) => {
  const { asked, answer, limits, more } = partsOfField(field, own, meta, ['text-field'], ['exits'])
  return [asked, answer, limits, more].map((list) => list.map(({ name, control }) => `${name} ${control.kind}`))
}

test.for([
  ['string', [], ['default line'], ['minLength number', 'maxLength number']],
  ['decimal', [], ['default decimal'], ['min decimal', 'max decimal', 'step decimal']],
  ['integer', [], ['default decimal'], ['min decimal', 'max decimal', 'step decimal']],
  ['enum', ['options list'], ['default choice'], []],
  ['list', ['options list'], ['default list'], ['min number', 'max number']],
  ['boolean', [], ['default switch'], []],
  ['date', [], ['default date'], ['min date', 'max date']],
  ['password', [], [], ['minLength number', 'maxLength number']],
  ['code', [], [], ['minLength number', 'maxLength number']],
  ['file', [], [], []],
  ['rows', [], [], ['min number', 'max number']],
] as const)('a field of type %s has the options %j, the start %j and the limits %j', ([type, options, answer, limits]) => {
  const [asked, begins, bounds, more] = parts({ name: 'a', type, options: [{ id: 'x', label: 'X' }] })
  expect(asked).toEqual(['label words', 'hint words', 'type choice', 'widget choice', ...options])
  expect([begins, bounds]).toEqual([answer, limits])
  expect(more!.slice(0, 2)).toEqual(['group choice', 'draft switch'])
})

test('every member of the language has a place in the form of its type', () => {
  const apart = ['name', 'required', 'rules', 'show', 'enable', 'props', 'on', 'fields', 'page']
  const shown = new Set(
    ['string', 'decimal', 'enum'].flatMap((type) => parts({ name: 'a', type }).flatMap((list) => list.map((one) => one.split(' ')[0]))),
  )
  expect(Object.keys(own.properties!).filter((name) => !shown.has(name) && !apart.includes(name))).toEqual([])
})

test('a member without effect on the type is shown, so that it can be removed', () => {
  expect(parts({ name: 'a', type: 'boolean', min: '1' })[3]).toContain('min line')
})

test('the starting value of a choice is one of its written options', () => {
  expect(optionIdsOf([{ id: 'a', label: 'A' }, { id: 2, label: 'B' }, 'x'])).toEqual(['a', 2])
  expect(optionIdsOf({ $: 'data.list' })).toBeUndefined()
})
