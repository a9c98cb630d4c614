import { act } from 'react'
import { createHashRouter, RouterProvider } from 'react-router-dom'
import { afterEach, expect, test, vi } from 'vitest'
import { BackOfficePage } from '#console/back-office/BackOfficePage.tsx'
import type { FromBackOffice, ToBackOffice } from '#console/back-office/protocol.ts'
import { written } from '#console/frames/protocol.ts'
import { type ConsoleStage, consoleStage } from '#console/parts/console-fixture.tsx'
import type { ConsoleEvent } from '#language/publish/publishing.ts'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

let drawn: ConsoleStage
afterEach(async () => {
  await drawn.end()
  vi.restoreAllMocks()
})

/** The page at an address of the back office, and its frame, played by hand. */
async function stage(address: string) {
  const sent: ToBackOffice[] = []
  const frame = { postMessage: (message: object) => void sent.push(message as ToBackOffice) } as unknown as Window
  vi.spyOn(HTMLIFrameElement.prototype, 'contentWindow', 'get').mockReturnValue(frame)
  history.replaceState(null, '', `#/back-office${address}`)
  const router = createHashRouter([
    { path: '/back-office/*', Component: BackOfficePage },
    { path: '*', element: null },
  ])
  const hears: ((event: ConsoleEvent | null) => void)[] = []
  const onEvent = (hear: (event: ConsoleEvent | null) => void) => {
    hears.push(hear)
    return () => undefined
  }
  drawn = await consoleStage(<RouterProvider router={router} />, { me: { operator: { roles: ['reviewer'] } }, onEvent })
  const says = (message: FromBackOffice) =>
    window.dispatchEvent(new MessageEvent('message', { data: written(message), origin: location.origin, source: frame as never }))
  await act(async () => void says({ kind: 'ready' }))
  return {
    says,
    go: (to: string) => void router.navigate(`/back-office${to}`),
    /** As by the browser: a typed address, or the button that goes back. */
    goOutside(to: string) {
      history.replaceState(null, '', `#/back-office${to}`)
      window.dispatchEvent(new PopStateEvent('popstate', { state: null }))
    },
    now: () => router.state.location.pathname + router.state.location.search,
    sent,
    happens(event: ConsoleEvent | null) {
      for (const hear of hears) hear(event)
    },
    opened: () => sent.flatMap((one) => (one.kind === 'open' ? [one.address] : [])),
  }
}

test('page and frame follow each other', async () => {
  const { says, go, now, opened } = await stage('/recharges')
  await act(async () => void says({ kind: 'where', address: '/recharge?id=5' }))
  expect(now()).toBe('/back-office/recharge?id=5')
  expect(opened()).toEqual([])
  await act(async () => void go('/withdrawals'))
  expect(opened()).toEqual(['/withdrawals'])
  await act(async () => void says({ kind: 'where', address: '/withdrawals' }))
  expect(opened()).toEqual(['/withdrawals'])
})

test.each(['go', 'goOutside'] as const)(
  'an operator who goes back at once to the page that the frame has just left is taken there: %s',
  async (way) => {
    const { says, now, opened, ...ways } = await stage('/recharge?id=5')
    await act(async () => {
      says({ kind: 'where', address: '/' })
      ways[way]('/recharge?id=5')
    })
    expect(now()).toBe('/back-office/recharge?id=5')
    expect(opened()).toEqual(['/recharge?id=5'])
  },
)

test.each([
  ['/draft?id=12', '/draft/12/review'],
  ['/release?id=7', '/release/7'],
  ['/release?id=7/../operators', '/back-office/console_audit'],
  ['/operator?id=3', '/back-office/console_audit'],
])('a page outside of the back office is shown by the console: %s', async (address, place) => {
  const { says, now } = await stage('/console_audit')
  await act(async () => void says({ kind: 'leave', address }))
  expect(now()).toBe(place)
})

test('the frame hears of changes on the config server', async () => {
  const { happens, sent } = await stage('/console_audit')
  await act(async () => {
    happens({ about: 'operators', id: null })
    happens(null)
  })
  expect(sent.filter(({ kind }) => kind === 'changed')).toMatchObject([{ about: 'operators' }, { about: null }])
})
