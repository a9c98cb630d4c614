import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Console, ConsoleContext } from '#console/io/console.ts'
import { OutboxPage } from '#console/outbox/OutboxPage.tsx'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

/** Each search has two pages of one row, which is named by the search. */
const client = {
  outbox: async ({ search, before }: { search: string; before?: number }) => ({
    rows: [
      {
        id: before ? 1 : 2,
        to: `${search || 'all'} ${before ? 'older' : 'newest'}`,
        channel: 'sms',
        kind: 'code',
        status: 'sent',
        created: 1,
      },
    ],
    before: before ? null : 2,
  }),
}
const me = { operator: { roles: ['administrator'] } }
let root: Root
beforeEach(async () => {
  vi.useFakeTimers()
  const box = document.createElement('div')
  document.body.replaceChildren(box)
  root = createRoot(box)
  const told = { client, me, onEvent: () => () => undefined } as unknown as Console
  await act(async () =>
    root.render(
      <ConsoleContext value={told}>
        <OutboxPage />
      </ConsoleContext>,
    ),
  )
  await pass(10)
})
afterEach(async () => {
  await act(async () => root.unmount())
  vi.useRealTimers()
})
const pass = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)))
const rows = () =>
  [...document.querySelectorAll('[role=row], tr')].flatMap(
    ({ textContent }) => /(?:all|ann) (?:newest|older)/.exec(textContent ?? '')?.[0] ?? [],
  )
async function search(text: string) {
  await act(async () => {
    const input = document.querySelector('input')!
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(input, text)
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })
  await pass(1_000)
  await pass(10)
}
async function more() {
  const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'more')!
  await act(async () => button.click())
  await pass(10)
}

test('a search that is cleared leaves none of its rows', async () => {
  expect(rows()).toEqual(['all newest'])
  await search('ann')
  await more()
  expect(rows()).toEqual(['ann newest', 'ann older'])
  await search('')
  expect(rows()).toEqual(['all newest'])
})

test('older rows that come after another search began do not stand under it', async () => {
  await search('ann')
  let answer: (rows: Awaited<ReturnType<typeof client.outbox>>) => void = () => undefined
  const late = await client.outbox({ search: 'ann', before: 2 })
  vi.spyOn(client, 'outbox').mockImplementationOnce(
    () =>
      new Promise((resolve) => {
        answer = resolve
      }),
  )
  await more()
  await search('')
  await act(async () => answer(late))
  await pass(10)
  expect(rows()).toEqual(['all newest'])
})
