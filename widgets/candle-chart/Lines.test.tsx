import { act, createRef } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Canvas, CanvasSettings } from '#widgets/candle-chart/canvas.ts'
import { Lines, type Moved } from '#widgets/candle-chart/Lines.tsx'
import type { ChartLine } from '#widgets/candle-chart/studies/study.ts'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
vi.mock('#renderer/widget-api.ts', () => ({ useEngineText: () => (key: string) => key }))

/** A pane of 100 px, with the price 200 at its top and 100 at its bottom. */
const canvas = {
  yOf(price: string, held = false) {
    const y = 200 - Number(price)
    return held ? Math.min(Math.max(y, 0), 100) : y < 0 || y > 100 ? undefined : y
  },
  priceAt: (y: number) => (y < 200 ? String(200 - y) : undefined),
} as Canvas
const settings: CanvasSettings = { mode: 'candles', volume: true, tick: '5', intraday: false, tag: 'en', price: (text) => text }
const stop: ChartLine = { id: 7, kind: 'stop', price: '150', label: 'Stop', movable: true }

let app: Root
let sent: Moved[]
const handle = () => document.querySelector<HTMLElement>('[data-line]')
const place = () => [handle()?.getAttribute('aria-valuetext'), handle()?.style.getPropertyValue('--y')]
const point = (type: string, clientY = 0) =>
  act(() => void handle()?.dispatchEvent(new PointerEvent(type, { clientY, pointerId: 1, bubbles: true })))
const press = (key: string) => act(() => void handle()?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })))

beforeEach(() => {
  sent = []
  const box = document.createElement('div')
  document.body.replaceChildren(box)
  let held = false
  HTMLElement.prototype.setPointerCapture = () => void (held = true)
  HTMLElement.prototype.hasPointerCapture = () => held
  app = createRoot(box)
  act(() =>
    app.render(
      <Lines canvas={canvas} settings={settings} onDrawn={createRef() as never} lines={[stop]} onLine={(line) => sent.push(line)} />,
    ),
  )
})
afterEach(() => act(() => app.unmount()))

test('a line is let go of where the pointer is, also out of sight', () => {
  expect(place()).toEqual(['150', '50px'])
  const dragged = handle()
  point('pointerdown', 50)
  point('pointermove', 60)
  expect(place()).toEqual(['140', '60px'])
  point('pointermove', 130)
  expect([handle(), ...place()]).toEqual([dragged, '70', '100px'])
  point('pointerup', 120)
  point('lostpointercapture', 120)
  expect(sent).toEqual([{ id: 7, kind: 'stop', price: '80' }])
  expect(place()).toEqual(['150', '50px'])
})

test('a press that moves nothing, a lost pointer and Escape leave the line where it is', () => {
  point('pointerdown', 58)
  point('pointerup', 58)
  point('pointerdown', 50)
  point('pointermove', 60)
  point('lostpointercapture', 60)
  expect(place()).toEqual(['150', '50px'])
  point('pointerdown', 50)
  point('pointermove', 60)
  press('Escape')
  point('pointerup', 60)
  expect([sent, ...place()]).toEqual([[], '150', '50px'])
})

test('keys move a line out of sight and back', () => {
  press('PageDown')
  press('PageDown')
  expect(place()).toEqual(['50', '100px'])
  press('PageUp')
  press('ArrowUp')
  expect(place()).toEqual(['105', '95px'])
  press('Enter')
  expect(sent).toEqual([{ id: 7, kind: 'stop', price: '105' }])
})
