import { expect, test } from 'vitest'
import { limits } from '#language/documents/limits.ts'
import { createEnterChain, type EnterChain } from '#renderer/actions/enter-chain.ts'

/** Two screens whose `enter` steps lead to each other. @returns the circle that is found */
function rounds(chain: EnterChain): string | undefined {
  for (let n = 0; n <= limits.enterMovesMax; n++) {
    for (const screen of ['a', 'b']) {
      const entry = chain.begin(screen)
      if ('circle' in entry) return entry.circle
      chain.moved(true)
    }
  }
  return undefined
}

test('a circle is told after a few rounds, and may be tried again', () => {
  const chain = createEnterChain()
  expect(rounds(chain)).toBe('a → b → a')
  expect(rounds(chain)).toBe('a → b → a')
})

test('a screen that a person enters begins anew, however often it is visited', () => {
  const chain = createEnterChain()
  for (let n = 0; n < 50; n++) {
    expect(chain.begin('a')).toEqual({ mayMove: true })
    chain.moved(false)
  }
})

test('a screen that leads to one without enter steps may be visited as often', () => {
  const chain = createEnterChain()
  for (let n = 0; n < 50; n++) {
    expect(chain.begin('a')).toEqual({ mayMove: true })
    chain.moved(true)
    chain.end()
  }
})

test('after a circle home is entered once without moves; at other times it moves as its steps say', () => {
  const chain = createEnterChain()
  chain.home()
  expect(chain.begin('a')).toEqual({ mayMove: true })
  chain.moved(true)
  expect(rounds(chain)).toBeDefined()
  chain.home()
  expect(chain.begin('a')).toEqual({ mayMove: false })
  expect(chain.begin('a')).toEqual({ mayMove: true })
})

test('the page of a circle that was left by another way asks nothing of home', () => {
  const chain = createEnterChain()
  rounds(chain)
  chain.begin('c')
  chain.home()
  expect(chain.begin('a')).toEqual({ mayMove: true })
})
