import { act } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { viewStage } from '#widgets/parts/view-fixture.tsx'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
const screen = vi.hoisted(() => ({ matches: true }))
vi.mock('#renderer/widget-api.ts', () => ({ useEngineText: () => (key: string) => key, useWide: () => screen.matches }))
const { Split } = await import('#widgets/split/Split.tsx')

const slot = (text: string, count = 1) => ({ count, all: () => text })
const slots = { main: slot('chart'), side: slot('book'), end: slot('ticket'), below: slot('', 0) }
const stage = viewStage(Split)
const handles = () => [...stage.box.querySelectorAll<HTMLElement>('[role="separator"]')]
const widths = () => handles().map((handle) => Number(handle.getAttribute('aria-valuenow')))
const press = (handle: HTMLElement | undefined, key: string) =>
  act(() => void handle?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })))
const point = (handle: HTMLElement | undefined, type: string, clientX: number, button = 0) =>
  act(() => void handle?.dispatchEvent(new PointerEvent(type, { clientX, button, pointerId: 1, bubbles: true, cancelable: true })))

beforeEach(() => {
  screen.matches = true
  HTMLElement.prototype.setPointerCapture = () => undefined
})

test('columns have the widths that are kept, within their bounds', () => {
  stage.show({ widths: [400, 10] }, { slots })
  expect(stage.box.textContent).toBe('chartbookticket')
  expect(widths()).toEqual([400, 240])
  expect(handles().map((handle) => handle.getAttribute('aria-label'))).toEqual(['widget.split_second', 'widget.split_third'])
})

test('a key moves a handle and says both widths', () => {
  stage.show({}, { slots })
  press(handles()[0], 'ArrowLeft')
  press(handles()[1], 'End')
  press(handles()[1], 'a')
  expect(stage.events).toEqual([
    ['resize', [336, 320]],
    ['resize', [336, 560]],
  ])
  expect(widths()).toEqual([336, 560])
})

test('a drag is followed at once and told once, at its end', () => {
  stage.show({ widths: [300, 300] }, { slots })
  const handle = handles()[1]
  point(handle, 'pointerdown', 900)
  expect(document.activeElement).toBe(handle)
  point(handle, 'pointermove', 880)
  expect(widths()).toEqual([300, 320])
  point(handle, 'pointermove', 850)
  expect(stage.events).toEqual([])
  point(handle, 'pointerup', 850)
  point(handle, 'pointermove', 700)
  expect(stage.events).toEqual([['resize', [300, 350]]])
  expect(widths()).toEqual([300, 350])
})

test('a press without a move and another button change nothing', () => {
  stage.show({}, { slots })
  point(handles()[0], 'pointerdown', 900)
  point(handles()[0], 'pointerup', 900)
  point(handles()[0], 'pointerdown', 900, 2)
  point(handles()[0], 'pointermove', 800)
  expect(stage.events).toEqual([])
})

test('a double click gives the usual width back', () => {
  stage.show({ widths: [500, 400] }, { slots })
  act(() => void handles()[0]?.dispatchEvent(new MouseEvent('dblclick', { bubbles: true })))
  expect(stage.events).toEqual([['resize', [320, 400]]])
})

test('other widths of the document end what was dragged', () => {
  stage.show({ widths: [300, 300] }, { slots })
  press(handles()[0], 'End')
  stage.show({ widths: [250, 260] }, { slots })
  expect(widths()).toEqual([250, 260])
})

test('nothing is moved where the document does not listen, for an empty column, or below each other', () => {
  stage.show({}, { slots, listens: false })
  expect(handles()).toEqual([])
  stage.show({}, { slots: { ...slots, side: slot('', 0) } })
  expect(handles().map((handle) => handle.getAttribute('aria-label'))).toEqual(['widget.split_third'])
})

test('on a phone the parts stand in the order of the document, without handles', () => {
  screen.matches = false
  stage.show({ narrow: ['end', 'main', 'side'] }, { slots })
  expect(stage.box.textContent).toBe('ticketchartbook')
  expect(handles()).toEqual([])
  expect(stage.box.querySelector('[data-pair]')).toBeNull()
})

const positions = { ...slots, below: slot('positions') }
const placed = () => [...stage.box.querySelectorAll<HTMLElement>('[data-place]')].map((one) => [one.dataset.place, one.textContent])

test('on a phone ticket and book stand beside each other, and a folded part is left out', () => {
  screen.matches = false
  stage.show({ narrow: ['main', 'end', 'side', 'below'], pair: true, folded: ['main'] }, { slots: positions })
  expect(stage.box.textContent).toBe('ticketbookpositions')
  expect(placed()).toEqual([
    ['first', 'ticket'],
    ['second', 'book'],
  ])
  stage.show({ narrow: ['main', 'end', 'side', 'below'], pair: true, folded: [] }, { slots: positions })
  expect(stage.box.textContent).toBe('chartticketbookpositions')
})

test('in a wide window nothing is folded, and what stands below comes after the ticket for the keyboard', () => {
  stage.show({ folded: ['main'], pair: true }, { slots: positions })
  expect(stage.box.textContent).toBe('chartbookticketpositions')
  expect(placed()).toEqual([])
  expect(handles()).toHaveLength(2)
})
