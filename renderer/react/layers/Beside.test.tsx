import { act, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Engine } from '#renderer/engine/types.ts'
import { createUi } from '#renderer/engine/ui.ts'
import { EngineContext } from '#renderer/react/context.ts'
import type { View } from '#renderer/react/view.ts'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
vi.mock('#renderer/react/ScreenLoader.tsx', () => import('#renderer/react/layers/beside-fixture.tsx'))
const { Beside } = await import('#renderer/react/layers/Beside.tsx')

let root: Root
let closed: number
let entry: 'open' | 'login'
const wakes = new Set<() => void>()
const close = () => void closed++
const engine = {
  ui: createUi(1_500),
  say: (key: string) => key,
  match: (path: string) => (path === 'pages/b' ? { path, route: { screen: 'b' } } : undefined),
  gate: { entry: () => entry, go: () => undefined },
  outer: { get: () => undefined, subscribe: (_: string, wake: () => void) => wakes.add(wake) && (() => wakes.delete(wake)) },
} as unknown as Engine<View>
const show = (part: ReactNode) => act(async () => root.render(<EngineContext value={engine}>{part}</EngineContext>))
const box = () => document.querySelector<HTMLElement>('.beside')
const pressEscape = (target: Element | null, prepare?: (event: KeyboardEvent) => void) => {
  const event = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true })
  prepare?.(event)
  return act(async () => void target?.dispatchEvent(event))
}

beforeEach(() => {
  document.body.innerHTML = '<button id="press">Close</button><div id="root"></div>'
  closed = 0
  entry = 'open'
  wakes.clear()
  root = createRoot(document.getElementById('root') as HTMLElement)
  document.getElementById('press')?.focus()
})
afterEach(() => act(async () => root.unmount()))

test('it shows the page with its parameters, takes the focus and gives it back', async () => {
  await show(<Beside address="/pages/b?id=7" close={close} />)
  expect(box()?.textContent).toBe('b ?id=7 true')
  expect(box()?.getAttribute('aria-label')).toBe('engine.beside')
  expect(document.activeElement).toBe(box())
  await show(null)
  expect(box()).toBeNull()
  expect(document.activeElement?.id).toBe('press')
  expect(closed).toBe(0)
})

test('back of the page and Escape inside close it', async () => {
  await show(<Beside address="/pages/b" close={close} />)
  await act(async () => document.getElementById('inside')?.click())
  expect(closed).toBe(1)
  await pressEscape(document.getElementById('inside'))
  expect(closed).toBe(2)
})

test('Escape elsewhere, or where something else took it, leaves it open', async () => {
  await show(<Beside address="/pages/b" close={close} />)
  await pressEscape(document.getElementById('press'))
  await pressEscape(document.getElementById('inside'), (event) => event.preventDefault())
  expect(closed).toBe(0)
})

test('it ends with the session that the page needs', async () => {
  await show(<Beside address="/pages/b" close={close} />)
  entry = 'login'
  await act(async () => {
    for (const wake of wakes) wake()
  })
  expect(box()).toBeNull()
  expect(closed).toBe(1)
})

test('an address without a page shows nothing', async () => {
  await show(<Beside address="/pages/none" close={close} />)
  expect(box()).toBeNull()
})
