import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { viewStage } from '#widgets/parts/view-fixture.tsx'
import { RecordTable } from '#widgets/record-table/RecordTable.tsx'

vi.mock('#renderer/widget-api.ts', () => ({
  useEngineText: () => (key: string) => key,
  useFormat: () => ({ amount: (text: string) => text, fiat: (usd: string) => `$${usd}`, dateTime: String, ago: String }),
}))
vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

const stage = viewStage(RecordTable, {
  caption: 'Requests',
  columns: [
    { label: 'No.', member: 'id' },
    { label: 'Who', member: 'name' },
  ],
  total: 9,
  more: true,
  emptyTitle: 'Nothing waits',
})
const rows = [
  { id: 7, name: 'Ann' },
  { id: 8, name: 'Ben' },
  { id: 9, name: 'Chen' },
]
const press = (key: string, more: KeyboardEventInit = {}) =>
  act(() => {
    ;(document.activeElement ?? document.body).dispatchEvent(
      new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }),
    )
  })
const focused = () => document.activeElement?.textContent

test('arrow keys go through the rows from wherever one is, and one stop of the tabulator leads in', () => {
  stage.show({ rows })
  press('ArrowDown')
  expect(focused()).toBe('7')
  press('ArrowDown')
  press('End')
  expect(focused()).toBe('9')
  press('ArrowDown')
  expect(focused()).toBe('9')
  press('Home')
  press('ArrowDown', { ctrlKey: true })
  expect(focused()).toBe('7')
  expect([...stage.box.querySelectorAll<HTMLElement>('tbody button')].map(({ tabIndex }) => tabIndex)).toEqual([0, -1, -1])
  act(() => (document.activeElement as HTMLElement).click())
  expect(stage.events).toEqual([['select', 7]])
})

test('rows that lead nowhere are no buttons, and arrows leave them alone', () => {
  stage.show({ rows }, { listens: false })
  press('ArrowDown')
  expect(stage.box.querySelectorAll('tbody button').length).toBe(0)
  expect(document.activeElement).toBe(document.body)
})

test('fewer rows than before leave the stop on the last', () => {
  stage.show({ rows })
  press('ArrowDown')
  press('End')
  stage.show({ rows: rows.slice(0, 1) })
  expect([...stage.box.querySelectorAll<HTMLElement>('tbody button')].map(({ tabIndex }) => tabIndex)).toEqual([0])
})

test('waits, says that there is nothing, and brings more', () => {
  stage.show({}, { status: 'loading' })
  expect(stage.box.firstElementChild?.getAttribute('aria-busy')).toBe('true')
  expect(stage.box.textContent).not.toContain('Nothing waits')
  stage.show({ rows: [] })
  expect(stage.box.textContent).toContain('Nothing waits')
  expect(stage.box.querySelector('table')).toBeNull()
  stage.show({ rows })
  act(() => stage.box.querySelector<HTMLElement>('div > button')!.click())
  expect(stage.events).toEqual([['more', undefined]])
})
