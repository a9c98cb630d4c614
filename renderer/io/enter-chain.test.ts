import { expect, test } from 'vitest'
import { limits } from '#language/limits.ts'
import { createEnterChain } from '#renderer/io/enter-chain.ts'

test('a circle is told after a few rounds, and may be tried again', () => {
  const chain = createEnterChain()
  const rounds = (): string | undefined => {
    for (let n = 0; n <= limits.enterMovesMax; n++) {
      const circle = chain.begin('a') ?? chain.begin('b')
      if (circle) return circle
    }
    return undefined
  }
  expect([rounds(), rounds()]).toEqual(['a → b → a', 'a → b → a'])
})

test('a screen that stands begins anew, however often it is visited', () => {
  const chain = createEnterChain()
  for (let n = 0; n < 50; n++) {
    expect(chain.begin('a')).toBeUndefined()
    chain.stayed()
  }
})
