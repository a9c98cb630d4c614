import { expect, test } from 'vitest'
import { type Change, lintWith } from '#language/testdata/linted.ts'

const list = 'schemas/screens/orders/list.json'
const place = 'schemas/screens/orders/place.json'
const go = (to: string) => ({ go: to })
const enter = (file: Change[0], steps: unknown): Change => [file, '/enter', steps]
const said = (...changes: Change[]) =>
  lintWith(changes)
    .filter(({ check }) => check === 'enter-circles')
    .map(({ file, pointer, severity, message }) => [file, pointer, severity, message])

test('two screens whose enter steps go to each other are refused', () => {
  expect(said(enter(list, [go('pages/place')]), enter(place, [{ set: { 'state.step': 'x' } }, go('pages/orders')]))).toEqual([
    [place, '/enter/1/go', 'error', '"enter" leads in a circle: orders.place → orders.list → orders.place'],
  ])
})

test('a screen that goes to itself is refused', () => {
  expect(said(enter(place, [go('pages/place')]))).toEqual([
    [place, '/enter/0/go', 'error', '"enter" leads in a circle: orders.place → orders.place'],
  ])
})

test('a circle with a condition is told', () => {
  const guarded = [{ if: { has: 'state.step' }, then: [go('pages/orders')] }]
  expect(said(enter(list, [go('pages/place')]), enter(place, guarded))).toMatchObject([
    [place, '/enter/0/then/0/go', 'warn', expect.stringContaining('exclude each other')],
  ])
})

test('a way that ends is none', () => {
  expect(said(enter(list, [go('pages/place')]))).toEqual([])
})
