// @vitest-environment happy-dom
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { RecordTable } from '#widgets/record-table/RecordTable.tsx'

vi.mock('#renderer/widget-api.ts', () => ({
  useEngineText: () => (key: string) => key,
  useFormat: () => ({ amount: (text: string) => text, fiat: (usd: string) => `$${usd}`, dateTime: String, ago: String }),
}))
vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

type Rows = Record<string, unknown>[] | undefined
const events: unknown[] = []
let app: Root
let box: HTMLElement

function show(rows: Rows, more: { opens?: boolean; status?: 'ready' | 'loading' } = {}) {
  const { opens = true, status = 'ready' } = more
  const props = {
    root: { 'data-node': 'table' },
    props: {
      caption: 'Requests',
      columns: [
        { label: 'No.', member: 'id' },
        { label: 'Who', member: 'name' },
      ],
      rows,
      total: 9,
      more: true,
      emptyTitle: 'Nothing waits',
    },
    emit: (event: string, value?: unknown) => events.push(value === undefined ? event : [event, value]),
    listens: () => opens,
    ...{ busy: false, enabled: true, status, retry: () => undefined, slots: {} },
  } as unknown as Parameters<typeof RecordTable>[0]
  act(() => app.render(<RecordTable {...props} />))
}
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

beforeEach(() => {
  events.length = 0
  box = document.createElement('div')
  document.body.replaceChildren(box)
  app = createRoot(box)
})
afterEach(() => act(() => app.unmount()))

test('arrow keys go through the rows from wherever one is, and one stop of the tabulator leads in', () => {
  show(rows)
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
  expect([...box.querySelectorAll<HTMLElement>('tbody button')].map(({ tabIndex }) => tabIndex)).toEqual([0, -1, -1])
  act(() => (document.activeElement as HTMLElement).click())
  expect(events).toEqual([['select', 7]])
})

test('rows that lead nowhere are no buttons, and arrows leave them alone', () => {
  show(rows, { opens: false })
  press('ArrowDown')
  expect(box.querySelectorAll('tbody button').length).toBe(0)
  expect(document.activeElement).toBe(document.body)
})

test('fewer rows than before leave the stop on the last', () => {
  show(rows)
  press('ArrowDown')
  press('End')
  show(rows.slice(0, 1))
  expect([...box.querySelectorAll<HTMLElement>('tbody button')].map(({ tabIndex }) => tabIndex)).toEqual([0])
})

test('waits, says that there is nothing, and brings more', () => {
  show(undefined, { status: 'loading' })
  expect(box.firstElementChild?.getAttribute('aria-busy')).toBe('true')
  expect(box.textContent).not.toContain('Nothing waits')
  show([])
  expect(box.textContent).toContain('Nothing waits')
  expect(box.querySelector('table')).toBeNull()
  show(rows)
  act(() => box.querySelector<HTMLElement>('div > button')!.click())
  expect(events).toEqual(['more'])
})
