import { afterEach, beforeEach, expect, test, vi } from 'vitest'

let state: Record<string, unknown> | null
const load = async () => {
  vi.resetModules()
  return import('#renderer/engine/kept.ts')
}
beforeEach(() => {
  state = { key: 'a' }
  vi.stubGlobal('sessionStorage', undefined)
  vi.stubGlobal('history', {
    get state() {
      return state
    },
    replaceState: (next: Record<string, unknown>) => {
      state = next
    },
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

test('a page that is opened begins afresh, and the way back finds what was kept', async () => {
  const { arrive } = await load()
  const first = arrive(undefined, '/market', false)
  first.kept.state.group = 'metal'
  state = { key: 'b' }
  const second = arrive(first, '/market', false)
  expect([second.kept, second.number]).toEqual([{ state: {}, places: {}, returned: false }, 2])
  state = { key: 'a' }
  const again = arrive(second, '/market', false)
  expect([again.kept, again.number]).toEqual([{ state: { group: 'metal' }, places: {}, returned: true }, 3])
})

test('an entry that takes the place of another on its page goes on with the visit, and on another page does not', async () => {
  const { arrive, keptVisits } = await load()
  const first = arrive(undefined, '/quote', false)
  first.kept.state.depth = 'trades'
  state = { key: 'b' }
  const other = arrive(first, '/quote', true)
  expect([other.number, other.kept]).toEqual([1, { state: { depth: 'trades' }, places: {}, returned: false }])
  expect(keptVisits().get('b')).toBe(first.kept)
  state = { key: 'c' }
  expect(arrive(other, '/home', true)).toMatchObject({ number: 2, kept: { state: {} } })
})

test('the entry of a layer is the same visit', async () => {
  const { arrive } = await load()
  const first = arrive(undefined, '/market', false)
  state = { key: 'a', layer: 1 }
  expect(arrive(first, '/market', false)).toBe(first)
})

test('an address that was typed gets a key of its own', async () => {
  const { arrive } = await load()
  state = null
  const typed = arrive(undefined, '/market', false)
  // With an index: without it back from the next page would lead home.
  expect(state).toEqual({ idx: 0, key: typed.key })
  expect(typed.key.length).toBe(36)
})

test.each([
  ['[["a",{"state":{"group":"metal"},"places":{}}]]', true],
  ['not json', false],
  ['7', false],
  [null, false],
])('a reload finds what was stored: %s', async (stored, returned) => {
  vi.stubGlobal('sessionStorage', { getItem: (name: string) => (name === 'tessera.visits' ? stored : null) })
  const { arrive } = await load()
  expect(arrive(undefined, '/market', false).kept).toEqual({ state: returned ? { group: 'metal' } : {}, places: {}, returned })
})
