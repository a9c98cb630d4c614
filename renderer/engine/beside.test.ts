import { expect, test } from 'vitest'
import { createBeside } from '#renderer/engine/beside.ts'
import type { Engine } from '#renderer/engine/types.ts'

function stage() {
  const log: string[] = []
  let visit = 7
  const outer = {
    isBeside: false,
    say: (key: string) => key,
    gate: { go: (address: string, replace: boolean) => void log.push(`gate ${address} ${replace}`) },
    back: () => void log.push('outer back'),
    go: () => void log.push('outer go'),
    visit: () => visit,
  } as unknown as Engine
  return { log, leaveOuter: () => void visit++, ...createBeside(outer, () => void log.push('close')) }
}

test('back closes the page, and moves nothing else', () => {
  const { engine, log } = stage()
  engine.back()
  expect(log).toEqual(['close'])
  expect([engine.isBeside, engine.say('a')]).toEqual([true, 'a'])
})

test('another page opens in the whole window, also when it may open beside a screen', () => {
  const { engine, log } = stage()
  engine.go('pages/a', { id: 3 }, false, true)
  expect(log).toEqual(['close', 'gate /pages/a?id=3 false'])
})

test('its visit ends with the page, not with a move of the screen beside it', () => {
  for (const leave of ['back', 'end'] as const) {
    const { engine, end, leaveOuter } = stage()
    const began = engine.visit()
    leaveOuter()
    expect(engine.visit()).toBe(began)
    if (leave === 'back') engine.back()
    else end()
    expect(engine.visit()).not.toBe(began)
  }
})
