import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AuditPage } from '#console/audit/AuditPage.tsx'
import type { AuditFilter } from '#console/io/client.ts'
import { type Console, ConsoleContext } from '#console/io/console.ts'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

const asked: AuditFilter[] = []
const client = {
  audit: async ({ limit: _, ...filter }: AuditFilter & { limit: number }) => {
    asked.push(filter)
    return { rows: [], total: 0 }
  },
  auditCsv: (filter: AuditFilter) => `csv?${JSON.stringify(filter)}`,
  drafts: async () => [],
}
const context = { client, onEvent: () => () => undefined } as unknown as Console
let root: Root
let router: ReturnType<typeof createMemoryRouter>
beforeEach(() => {
  vi.useFakeTimers()
  asked.length = 0
  const box = document.createElement('div')
  document.body.replaceChildren(box)
  root = createRoot(box)
})
afterEach(async () => {
  await act(async () => root.unmount())
  vi.useRealTimers()
})
const pass = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)))
async function open(address: string) {
  router = createMemoryRouter([{ path: '/audit', element: <AuditPage /> }], { initialEntries: [address] })
  await act(async () =>
    root.render(
      <ConsoleContext value={context}>
        <RouterProvider router={router} />
      </ConsoleContext>,
    ),
  )
  await pass(0)
}
const boxOf = (name: string) => document.querySelector<HTMLInputElement>(`input[placeholder="${name}_hint"]`)!
/** Events of one moment: nothing is drawn between them. */
const type = (texts: Record<string, string>) =>
  act(async () => {
    for (const [name, text] of Object.entries(texts)) {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(boxOf(name), text)
      boxOf(name).dispatchEvent(new Event('input', { bubbles: true }))
    }
  })
const choose = (kind: string) =>
  act(async () => {
    const select = document.querySelector('select')!
    select.value = kind
    select.dispatchEvent(new Event('change', { bubbles: true }))
  })
/** The filter that is in force: in the address, in the last question, and in the file that is offered. */
function inForce() {
  const csv = document.querySelector('a[download]')!.getAttribute('href')!
  expect(JSON.parse(csv.slice('csv?'.length))).toEqual(asked.at(-1))
  return [router.state.location.search, asked.at(-1)]
}

test('a filter that is cleared while another one is typed is gone', async () => {
  await open('/audit?subject=draft%2012')
  expect(inForce()).toEqual(['?subject=draft%2012', { subject: 'draft 12' }])
  await type({ subject: '' })
  await pass(100)
  await type({ actor: 'ann' })
  await pass(1_000)
  expect(inForce()).toEqual(['?actor=ann', { actor: 'ann' }])
  expect([boxOf('subject').value, boxOf('actor').value]).toEqual(['', 'ann'])
})

test('so is one that is cleared in the same moment, and before a kind is chosen', async () => {
  await open('/audit?subject=draft%2012&actor=ann')
  await type({ subject: '', actor: '' })
  await pass(100)
  await choose('release')
  await pass(1_000)
  expect(inForce()).toEqual(['?kind=release', { action: 'release.' }])
  await choose('')
  await pass(1_000)
  expect(inForce()).toEqual(['', {}])
})

test('one that is cleared just after it was typed is gone', async () => {
  await open('/audit')
  await type({ subject: 'draft 7' })
  await pass(300)
  await type({ subject: '' })
  await pass(1_000)
  expect(inForce()).toEqual(['', {}])
})

test('a link without filters clears the boxes too', async () => {
  await open('/audit?subject=draft%2012')
  await type({ actor: 'an' })
  await act(async () => void (await router.navigate('/audit')))
  await pass(1_000)
  expect(boxOf('subject').value).toBe('')
})
