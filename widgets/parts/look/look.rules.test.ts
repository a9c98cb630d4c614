import { expect, test } from 'vitest'
import { type Look, type LookStep, looked, moved, sideways, stepOfKey, straight } from '#widgets/parts/look/look.rules.ts'

const far: Look = { turn: 90, zoom: 2.25, x: 40, y: -30 }

test.each<[Look, LookStep, Look]>([
  [straight, 'right', { ...straight, turn: 90 }],
  [straight, 'left', { ...straight, turn: 270 }],
  [{ ...straight, turn: 270 }, 'right', straight],
  [far, 'left', { turn: 0, zoom: 2.25, x: 0, y: 0 }],
  [straight, 'larger', { ...straight, zoom: 1.5 }],
  [{ ...straight, zoom: 7 }, 'larger', { ...straight, zoom: 8 }],
  [far, 'smaller', { ...far, zoom: 1.5 }],
  [{ ...far, zoom: 1.5 }, 'smaller', { turn: 90, zoom: 1, x: 0, y: 0 }],
  [straight, 'smaller', straight],
  [far, 'whole', { turn: 90, zoom: 1, x: 0, y: 0 }],
])('%j %s', (look, step, next) => {
  expect(looked(look, step)).toEqual(next)
})

test('only what is larger than its room can be moved', () => {
  expect(moved(straight, 5, 5)).toEqual(straight)
  expect(moved(far, 5, -5)).toEqual({ ...far, x: 45, y: -35 })
})

test.each([
  [{ width: 300, height: 600 }, { width: 900, height: 600 }, 1.5],
  [{ width: 600, height: 300 }, { width: 600, height: 600 }, 1],
  [{ width: 400, height: 300 }, { width: 400, height: 300 }, 0.75],
  [{ width: 0, height: 0 }, { width: 400, height: 300 }, 1],
])('a picture of %j lying in %j', (picture, room, factor) => {
  expect(sideways(picture, room)).toBe(factor)
})

test.each([
  ['ArrowRight', 'next'],
  ['ArrowLeft', 'previous'],
  ['r', 'right'],
  ['l', 'left'],
  ['+', 'larger'],
  ['=', 'larger'],
  ['-', 'smaller'],
  ['0', 'whole'],
  ['a', undefined],
])('key %s', (key, step) => {
  expect(stepOfKey(key)).toBe(step)
})
