import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ViewProps } from '#renderer/widget-api.ts'
import { Search } from '#widgets/search/Search.tsx'

vi.mock('#renderer/widget-api.ts', () => ({ useEngineText: () => (key: string) => key }))
vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

type Props = ViewProps<{ value?: string; placeholder: string; label: string }, 'change' | 'submit'>
const events: [string, unknown][] = []
let app: Root
let box: HTMLElement

function show(value?: string) {
  const props: Props = {
    root: { 'data-node': 'find' },
    props: { value, placeholder: 'Search markets', label: 'Search' },
    emit: (event, text) => events.push([event, text]),
    busy: false,
    enabled: true,
    status: 'ready',
    retry: () => undefined,
    slots: {},
  }
  act(() => app.render(<Search {...props} />))
}
const input = () => box.querySelector('input')!
function type(text: string) {
  act(() => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(input(), text)
    input().dispatchEvent(new Event('input', { bubbles: true }))
  })
}

beforeEach(() => {
  vi.useFakeTimers()
  events.length = 0
  box = document.createElement('div')
  document.body.replaceChildren(box)
  app = createRoot(box)
})
afterEach(() => {
  act(() => app.unmount())
  vi.useRealTimers()
})

test('tells the text once, when typing has paused', () => {
  show()
  type('b')
  act(() => vi.advanceTimersByTime(100))
  type('bt')
  act(() => vi.advanceTimersByTime(149))
  expect(events).toEqual([])
  act(() => vi.advanceTimersByTime(1))
  expect(events).toEqual([['change', 'bt']])
})

test('Enter tells at once, and not a second time later', () => {
  show()
  type('eth')
  act(() => box.querySelector('form')!.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })))
  act(() => vi.advanceTimersByTime(500))
  expect(events).toEqual([
    ['change', 'eth'],
    ['submit', 'eth'],
  ])
})

test('clears, keeps focus, and has no clear button when there is nothing to clear', () => {
  show()
  expect(box.querySelector('button')).toBeNull()
  type('sol')
  act(() => vi.advanceTimersByTime(150))
  act(() => box.querySelector('button')!.click())
  expect(input().value).toBe('')
  expect(document.activeElement).toBe(input())
  expect(events.at(-1)).toEqual(['change', ''])
})

test('its own value coming back does not undo what was typed meanwhile', () => {
  show('')
  type('b')
  act(() => vi.advanceTimersByTime(150))
  type('bt')
  show('b')
  expect(input().value).toBe('bt')
  show('doge')
  expect(input().value).toBe('doge')
})

test('says nothing after it is gone', () => {
  show()
  type('b')
  act(() => app.render(null))
  act(() => vi.advanceTimersByTime(500))
  expect(events).toEqual([])
})
