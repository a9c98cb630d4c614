import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { MemoryRouter } from 'react-router-dom'
import { beforeEach, expect, test, vi } from 'vitest'
import { keptVisits, type Visit, visitsName } from '#renderer/engine/kept.ts'
import { EngineContext } from '#renderer/react/context.ts'
import { usePlaces } from '#renderer/react/layers/usePlaces.ts'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
beforeEach(() => keptVisits().clear())

interface Who {
  logged_in: boolean
  uid: string
}
const ann: Who = { logged_in: true, uid: '7' }

/** A customer on their third page, with a tab chosen and a list scrolled on each. @param who then uses the device */
async function after(who: Who) {
  const visits = ['a', 'b', 'c'].map(
    (key): Visit => ({
      key,
      path: `/${key}`,
      number: 1,
      kept: { state: { tab: `of ${key}`, note: 'mine' }, places: { list: [0, 900] }, returned: true },
    }),
  )
  for (const { key, kept } of visits) keptVisits().set(key, kept)
  const shown = visits[2]!
  let session = ann
  let wake = () => {}
  const engine = {
    outer: {
      get: () => session,
      subscribe: (_: string, run: () => void) => {
        wake = run
        return () => undefined
      },
    },
  }
  const Page = () => {
    usePlaces(shown, shown)
    return null
  }
  const root = createRoot(document.createElement('div'))
  await act(async () =>
    root.render(
      <MemoryRouter>
        <EngineContext value={engine as never}>
          <Page />
        </EngineContext>
      </MemoryRouter>,
    ),
  )
  const stored = () => JSON.parse(sessionStorage.getItem(visitsName) ?? '[]')
  expect(stored()).toHaveLength(3)
  session = who
  await act(async () => wake())
  const found = { kept: Object.fromEntries(keptVisits()), shown: shown.kept, stored: stored() }
  await act(async () => root.unmount())
  return found
}

const nothing = { state: {}, places: {}, returned: true }
test.each<[string, Who]>([
  ['who looks at the page after a logout', { logged_in: false, uid: '' }],
  ['who logs in as somebody else', { logged_in: true, uid: '8' }],
])('%s finds no tab, value or scroll of the one before, nor does a reload', async (_, who) => {
  expect(await after(who)).toEqual({ kept: { c: nothing }, shown: nothing, stored: [['c', nothing]] })
})

test('a session that is only renewed keeps them', async () => {
  const { kept, shown } = await after({ ...ann })
  expect([Object.keys(kept), shown.state]).toEqual([['a', 'b', 'c'], { tab: 'of c', note: 'mine' }])
})
