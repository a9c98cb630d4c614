import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AreaField } from '#widgets/area-field/AreaField.tsx'
import { fieldStage } from '#widgets/parts/fields/field-fixture.tsx'
import { SelectField } from '#widgets/select-field/SelectField.tsx'

vi.mock('#renderer/widget-api.ts', async () => (await import('#widgets/parts/fields/field-fixture.tsx')).widgetApi)
vi.mock('#widgets/parts/SheetDialog.tsx', () => ({
  default: ({ open, children }: { open: boolean; children: React.ReactNode }) => (open ? <div role="dialog">{children}</div> : null),
}))
vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

const many = Array.from({ length: 13 }, (_, i) => ({ id: `b${i}`, label: `Bank ${i}` }))
const areas = [
  { id: 1, code: '86', iso: 'CN', name: 'China' },
  { id: 2, code: '1', iso: 'US', name: 'United States' },
  { id: 3, code: '1', iso: 'CA', name: 'Canada' },
]
let stage: ReturnType<typeof fieldStage>
const box = () => stage.find('button[role=combobox]')
const search = () => stage.find<HTMLInputElement>('[role=dialog] input')
const options = () => [...stage.box.querySelectorAll('[role=option]')].map((one) => one.textContent)
const open = async () => {
  stage.key('ArrowDown', box())
  await vi.waitFor(async () => {
    await act(async () => undefined)
    search()
  })
}
beforeEach(() => {
  stage = fieldStage()
})
afterEach(() => stage.end())

test('twelve are the phone’s own list, thirteen are searched', () => {
  stage.show(SelectField, { value: 'b1', props: { options: many.slice(0, 12) } })
  expect(stage.find<HTMLSelectElement>('select').value).toBe('b1')
  expect(stage.box.querySelector('[role=combobox]')).toBeNull()
  stage.show(SelectField, { value: 'b1', props: { options: many } })
  expect(stage.box.querySelector('select')).toBeNull()
  expect(box().textContent).toBe('Bank 1')
})

test('a required choice has no empty option once it is made, another can be taken back', () => {
  const props = { options: many.slice(0, 2) }
  const empties = () => stage.box.querySelectorAll('option[value=""]').length
  stage.show(SelectField, { value: '', props, field: { required: true } })
  expect(empties()).toBe(1)
  stage.show(SelectField, { value: 'b0', props, field: { required: true } })
  expect(empties()).toBe(0)
  stage.show(SelectField, { value: 'b0', props })
  expect(empties()).toBe(1)
})

test('arrows and Enter choose what was searched, and the box tells it', async () => {
  stage.show(SelectField, { value: '', props: { options: many }, field: { required: true } })
  expect([box().getAttribute('aria-expanded'), box().getAttribute('aria-required')]).toEqual(['false', 'true'])
  await open()
  expect(box().getAttribute('aria-expanded')).toBe('true')
  stage.type('bank 1', 'insertText', search())
  expect(options()).toEqual(['Bank 1', 'Bank 10', 'Bank 11', 'Bank 12'])
  stage.key('ArrowDown', search())
  const at = search().getAttribute('aria-activedescendant')
  expect(document.getElementById(at!)?.textContent).toBe('Bank 10')
  stage.key('Enter', search())
  expect(stage.state.value).toBe('b10')
  expect(box().textContent).toBe('Bank 10')
  expect(stage.box.querySelector('[role=dialog]')).toBeNull()
})

test('Enter where nothing matches chooses nothing, and that is said', async () => {
  stage.show(SelectField, { value: 'b1', props: { options: many } })
  await open()
  stage.type('zzz', 'insertText', search())
  stage.key('Enter', search())
  expect(stage.state.value).toBe('b1')
  expect(stage.find('[role=dialog] [role=status]').textContent).toBe('widget.pick_none')
})

test('an area sends its code alone; the one that was picked stays shown among those that share it', async () => {
  stage.show(AreaField, { value: '86', props: { options: areas } })
  expect(box().textContent).toBe('China +86')
  await open()
  const canada = [...stage.box.querySelectorAll<HTMLElement>('[role=option]')].find((one) => one.textContent === 'Canada +1')!
  act(() => canada.click())
  expect(stage.state.value).toBe('1')
  expect(box().textContent).toBe('Canada +1')
})

test('a default is shown before the areas have come', () => {
  stage.show(AreaField, { value: '86' })
  expect(box().textContent).toBe('+86')
})
