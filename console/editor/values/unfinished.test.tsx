import { act } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { valueAt } from '#console/editor/document/pointer.ts'
import { editingStage } from '#console/editor/editing-fixture.tsx'
import { ConstantControl } from '#console/editor/values/ConstantControl.tsx'
import { FieldSet } from '#console/editor/values/Fields.tsx'
import { fieldsOf } from '#console/editor/values/fields.rules.ts'
import { JsonInput } from '#console/editor/values/JsonInput.tsx'
import { LogicInput } from '#console/editor/values/LogicInput.tsx'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

const file = 'schemas/validations/short.json'
const rule = {
  kind: 'validation',
  id: 'short',
  format: 1,
  level: 'error',
  params: { max: { type: 'integer', default: 3 } },
  test: { '<=': [{ len: { var: 'value' } }, { var: 'params.max' }] },
  message: { $t: 'form.short' },
}
let stage: Awaited<ReturnType<typeof editingStage>>
afterEach(() => stage.end())

const control = { id: 'c' }
const controls = {
  'an expression': {
    pointer: '/test',
    show: (value: unknown, put: (next: unknown) => void) => <LogicInput control={control} pointer="/test" logic={value} onChange={put} />,
    broken: 'len(value) <= ',
    mended: 'len(value) <= 5',
    becomes: 'len(value) <= 5',
  },
  'a rule that is emptied': {
    pointer: '/test',
    show: (value: unknown, put: (next: unknown) => void) => <LogicInput control={control} pointer="/test" logic={value} onChange={put} />,
    broken: '',
    mended: 'len(value) <= 5',
    becomes: 'len(value) <= 5',
  },
  JSON: {
    pointer: '/params/max/default',
    show: (value: unknown, put: (next: unknown) => void) => <JsonInput control={control} value={value} onChange={put} />,
    broken: '[1,',
    mended: '7',
    becomes: 7,
  },
}
test.each(Object.entries(controls))(
  '%s that cannot be read is kept as typed, is an error, and stays so on the next visit',
  async (_what, it) => {
    stage = await editingStage({ [file]: rule }, file)
    const draw = () => stage.show(({ doc, set }) => it.show(valueAt(doc, it.pointer), (next) => set(it.pointer, next)))
    const area = () => stage.find<HTMLTextAreaElement>('textarea')
    await draw()
    expect(stage.workspace().problems.filter(({ pointer }) => pointer === it.pointer)).toEqual([])

    await stage.type(area(), it.broken)
    await stage.saving()
    expect(stage.workspace().save.state).toBe('saved')
    expect(stage.saved[file]?.text).toContain(JSON.stringify(it.broken))
    expect(stage.workspace().problems).toMatchObject([{ severity: 'error', pointer: it.pointer, file }])
    await stage.leave()
    await draw()
    expect(area().value).toBe(it.broken)
    expect(area().getAttribute('aria-invalid')).toBe('true')

    await stage.type(area(), it.mended)
    expect(valueAt(stage.doc(), it.pointer)).toEqual(it.becomes)
    expect(stage.workspace().problems.filter(({ pointer }) => pointer === it.pointer)).toEqual([])
  },
)

test('a number that is none is kept as typed and is an error', async () => {
  const screen = {
    kind: 'screen',
    id: 'home.home',
    format: 1,
    body: [{ id: 'gap', widget: 'skeleton', props: { rows: 3 } }],
  }
  stage = await editingStage({ 'schemas/screens/home.json': screen }, 'schemas/screens/home.json')
  const schema = { type: 'object', properties: { rows: { type: 'integer', minimum: 1, maximum: 20 } } }
  const draw = () =>
    stage.show(({ doc }) => (
      <FieldSet fields={fieldsOf(schema)} pointer="/body/0/props" value={valueAt(doc, '/body/0/props') as Record<string, unknown>} />
    ))
  await draw()
  await stage.type(stage.find('input'), '3x')
  expect(stage.workspace().problems).toMatchObject([
    { severity: 'error', pointer: '/body/0/props/rows', message: 'this cannot be parsed: 3x' },
  ])
  await stage.leave()
  await draw()
  expect(stage.find<HTMLInputElement>('input').value).toBe('3x')
  await stage.type(stage.find('input'), '4')
  expect(valueAt(stage.doc(), '/body/0/props/rows')).toBe(4)
})

test('a choice over numbers writes the number', async () => {
  stage = await editingStage({ [file]: rule }, file)
  const chosen: unknown[] = []
  await stage.show(() => (
    <ConstantControl
      control={control}
      kind={{ kind: 'choice', options: [1, 2] }}
      pointer="/params/max/default"
      value={1}
      label="Columns"
      onChange={(next) => chosen.push(next)}
    />
  ))
  const list = stage.find<HTMLSelectElement>('select')
  expect([...list.options].map(({ value }) => value)).toEqual(['1', '2'])
  await act(async () => {
    list.value = '2'
    list.dispatchEvent(new Event('change', { bubbles: true }))
  })
  expect(chosen).toEqual([2])
})
