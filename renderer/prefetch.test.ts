import { expect, test, vi } from 'vitest'
import type { Engine } from '#renderer/engine/types.ts'
import { prefetchScreens } from '#renderer/prefetch.ts'

const loadScreen = vi.hoisted(() => vi.fn(async () => undefined))
vi.mock('#renderer/config/screens.ts', () => ({ loadScreen, compiledOf: () => undefined }))

const documents = { 'screen/home.home': {}, 'screen/assets.index': {}, 'prompt/leave': {} }
const engine = { config: { current: () => ({ documents }) } } as unknown as Engine

test.each([
  [undefined, ['home.home', 'assets.index']],
  [{}, ['home.home', 'assets.index']],
  [{ saveData: false }, ['home.home', 'assets.index']],
  [{ saveData: true }, []],
])('with the connection %j the screens %j are fetched ahead', async (connection, names) => {
  loadScreen.mockClear()
  vi.stubGlobal('navigator', { connection })
  await prefetchScreens(engine)
  expect(loadScreen.mock.calls).toEqual(names.map((name) => [engine, name]))
  vi.unstubAllGlobals()
})
