import { expect, test } from 'vitest'
import { machine } from '#contract/rules/machine.rules.ts'

const lamp = machine({ off: { press: 'on' }, on: { press: 'off', dim: 'on', drop: 'broken', step: 'broken' }, broken: {} })

test('an action leads where the table says, and nowhere else', () => {
  expect(lamp.states).toEqual(['off', 'on', 'broken'])
  expect(lamp.next('off', 'press')).toBe('on')
  expect(lamp.next('off', 'drop')).toBeUndefined()
  expect(lamp.next('broken', 'press')).toBeUndefined()
  // @ts-expect-error a state that the table does not have
  expect(lamp.next('lost', 'press')).toBeUndefined()
})

test('a pair of states that two actions connect is one move', () => {
  expect(lamp.moves).toEqual([
    ['off', 'on'],
    ['on', 'off'],
    ['on', 'on'],
    ['on', 'broken'],
  ])
  expect([lamp.allows('on', 'on'), lamp.allows('off', 'off'), lamp.allows('off', 'broken')]).toEqual([true, false, false])
  expect(lamp.states.filter((state) => lamp.isEnd(state))).toEqual(['broken'])
})

test('a table cannot lead to a state that it does not have', () => {
  // @ts-expect-error `lost` has no row
  expect(machine({ off: { press: 'lost' } }).moves).toEqual([['off', 'lost']])
})
