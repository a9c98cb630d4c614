import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { NodeStatus } from '#renderer/widget-api.ts'
import { MessageList } from '#widgets/message-list/MessageList.tsx'
import { type Message, messageLimits } from '#widgets/message-list/messages.rules.ts'
import { viewStage } from '#widgets/parts/view-fixture.tsx'

vi.mock('#renderer/widget-api.ts', async () => ({
  ...(await import('#widgets/parts/fields/field-fixture.tsx')).widgetApi,
  ...(await import('#renderer/core/format.ts')),
  useClock: () => 1_789_210_000_000,
  useFormat: () => ({ date: String }),
  useUnsent: () => (what: string, id: string) => void unsent.push([what, id]),
}))
const unsent: [what: string, id: string][] = vi.hoisted(() => [])
vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

/** A layout of rows of 50 px in a window of 200 px, because this DOM has none. */
const row = 50
const lines = () => [...page.box.querySelectorAll<HTMLElement>('[data-message]')]
const restore: (() => void)[] = []
function layout() {
  const measures: Record<string, (this: HTMLElement) => number> = {
    offsetTop() {
      return lines().indexOf(this) * row
    },
    offsetHeight: () => row,
    clientHeight: () => 200,
    scrollHeight: () => lines().length * row,
  }
  for (const [name, get] of Object.entries(measures)) {
    const before = Object.getOwnPropertyDescriptor(HTMLElement.prototype, name)
    Object.defineProperty(HTMLElement.prototype, name, { get, configurable: true })
    restore.push(() => {
      if (before) Object.defineProperty(HTMLElement.prototype, name, before)
      else Reflect.deleteProperty(HTMLElement.prototype, name)
    })
  }
}

interface Props {
  messages?: Message[]
  more?: boolean
  loadingMore?: boolean
}
const page = viewStage(MessageList, { label: 'Talk' })
const { show, events } = page
beforeEach(layout)
afterEach(() => {
  for (const each of restore.splice(0)) each()
})

const said = (id: number, more: Partial<Message> = {}): Message => ({
  id,
  at: 1_789_200_000_000 + id * 60_000,
  name: 'Ann',
  text: `message ${id}`,
  ...more,
})
/** Newest first, from `to` down to `from`. */
const said_ = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => said(to - i))
const log = () => page.box.querySelector<HTMLElement>('[role=log]')!
const ids = () => lines().map((one) => Number(one.dataset.message))
function scrollTo(top: number) {
  act(() => {
    log().scrollTop = top
    log().dispatchEvent(new Event('scroll'))
  })
}
/** px from the top of the window to a message. */
const placeOf = (id: number) => ids().indexOf(id) * row - log().scrollTop
const newest = () =>
  [...page.box.querySelectorAll('button')].find((one) => /messages_(fresh|newest)/.test(one.textContent + (one.ariaLabel ?? '')))

test('begins at the newest, which stands last', () => {
  show({ messages: said_(1, 20) })
  expect(ids()).toEqual(Array.from({ length: 20 }, (_, i) => i + 1))
  expect(log().scrollTop).toBe(20 * row)
  expect(newest()).toBeUndefined()
})

test('at the bottom a new message comes into sight', () => {
  show({ messages: said_(1, 20) })
  show({ messages: said_(1, 21) })
  expect(log().scrollTop).toBe(21 * row)
  expect(newest()).toBeUndefined()
  expect(log().getAttribute('aria-live')).toBe('polite')
})

test('further up nothing moves, and how many came is said; a press leads there', () => {
  show({ messages: said_(1, 20) })
  scrollTo(500)
  show({ messages: said_(1, 22) })
  expect(log().scrollTop).toBe(500)
  expect(newest()?.textContent).toBe('widget.messages_fresh 2')
  show({ messages: [said(23, { mine: true }), ...said_(1, 22)] })
  expect(newest()?.textContent).toBe('widget.messages_fresh 2')
  act(() => newest()!.click())
  expect(log().scrollTop).toBe(23 * row)
  expect(newest()).toBeUndefined()
})

test('the top asks for older ones once, and what is read keeps its place when they come', () => {
  show({ messages: said_(21, 40), more: true })
  expect(events).toEqual([])
  scrollTo(200)
  scrollTo(100)
  expect(events).toEqual([['more', undefined]])
  const before = placeOf(23)
  show({ messages: said_(21, 40), more: true, loadingMore: true })
  show({ messages: said_(1, 40), more: true })
  expect(placeOf(23)).toBe(before)
  expect(log().scrollTop).toBe(100 + 20 * row)
  expect(log().getAttribute('aria-live')).toBe('off')
})

test('older ones on top and a new one below at once', () => {
  show({ messages: said_(21, 40), more: true })
  scrollTo(150)
  const before = placeOf(25)
  show({ messages: said_(11, 41), more: true })
  expect(placeOf(25)).toBe(before)
  expect(newest()?.textContent).toBe('widget.messages_fresh 1')
})

test('a page that failed is asked for again when the top is reached again', () => {
  show({ messages: said_(21, 40), more: true })
  scrollTo(100)
  scrollTo(600)
  scrollTo(100)
  expect(events).toEqual([
    ['more', undefined],
    ['more', undefined],
  ])
})

test.each<[string, Props]>([
  ['all there is', { messages: said_(21, 40) }],
  ['a page on its way', { messages: said_(21, 40), more: true, loadingMore: true }],
])('asks for nothing: %s', (_, props) => {
  show(props)
  scrollTo(0)
  expect(events).toEqual([])
})

test('of a thousand messages few are drawn; the top reveals further ones before it asks, and the bottom lets them go', () => {
  const { page, drawnMax } = messageLimits
  show({ messages: said_(1, 1_000), more: true })
  expect(ids()).toHaveLength(page)
  for (let drawn = page; drawn <= drawnMax; drawn += page) {
    const before = placeOf(1_001 - drawn)
    scrollTo(0)
    expect(ids()).toHaveLength(drawn + page)
    expect(placeOf(1_001 - drawn)).toBe(0)
    expect(before).toBeLessThanOrEqual(0)
  }
  expect(events).toEqual([])
  scrollTo(log().scrollHeight)
  expect(ids()).toHaveLength(page)
  expect(ids().at(-1)).toBe(1_000)
})

test('a message that was just sent comes into sight wherever the reader is; its answer is no second one', () => {
  show({ messages: said_(1, 20) })
  scrollTo(300)
  const own: Message = { id: 'a', at: said(21).at, mine: true, text: 'hello' }
  show({ messages: [{ ...own, sending: 'pending' }, ...said_(1, 20)] })
  expect(log().scrollTop).toBe(21 * row)
  expect(lines().at(-1)?.dataset.state).toBe('pending')
  show({ messages: [{ ...own, sending: 'sent' }, ...said_(1, 20)] })
  show({ messages: [{ ...own, state: 'seen' }, ...said_(1, 20)] })
  expect(
    lines()
      .filter((one) => one.dataset.message === 'a')
      .map((one) => one.dataset.state),
  ).toEqual(['seen'])
})

test('a failed message says why, and can be sent once more or left', () => {
  const failed: Message = { id: 'a', at: said(2).at, mine: true, text: 'hello', sending: 'failed', sendingProblem: 'Too long' }
  show({ messages: [failed, said(1)] })
  expect(lines().at(-1)?.textContent).toContain('Too long')
  const buttons = () => [...page.box.querySelectorAll('button')].map((one) => one.textContent)
  for (const name of ['widget.retry', 'widget.message_discard'])
    act(() => [...page.box.querySelectorAll('button')].find((one) => one.textContent === name)!.click())
  expect(unsent).toEqual([
    ['resend', 'a'],
    ['discard', 'a'],
  ])
  show({ messages: [failed, said(1)] }, { enabled: false })
  expect(buttons()).not.toContain('widget.retry')
  show({ messages: [{ ...failed, sending: 'pending' }, said(1)] })
  expect(buttons()).not.toContain('widget.retry')
})

test('days stand between messages, and names over the first of a run only', () => {
  const day = 86_400_000
  show({ messages: [said(3), said(2), { ...said(1), at: said(1).at - day }] })
  expect(page.box.querySelectorAll('p > time')).toHaveLength(2)
  const names = lines().map((one) =>
    [...one.querySelectorAll('span')].some((span) => span.textContent === 'Ann' && span.className !== 'visually-hidden'),
  )
  expect(names).toEqual([true, true, false])
})

test('pictures of other hosts are not fetched', () => {
  show({ messages: [said(2, { picture: 'https://elsewhere.example/x.png' }), said(1, { picture: '/files/x.png' })] })
  expect([...page.box.querySelectorAll('img')].map((one) => one.getAttribute('src'))).toEqual(['/files/x.png'])
})

test.each<[NodeStatus, string | undefined, string]>([
  ['loading', 'true', ''],
  ['ready', undefined, 'widget.messages_none'],
  ['failed', undefined, 'widget.error_titlewidget.error_textwidget.retry'],
])('without messages, %s', (status, busy, words) => {
  show({ messages: undefined }, { status })
  expect([log().getAttribute('aria-busy') ?? undefined, log().textContent]).toEqual([busy, words])
})

test('a message has its time written as every time of the app', () => {
  show({ messages: [{ ...said(1), at: new Date(2026, 10, 29, 14, 5, 9).getTime() }] })
  const times = [...page.box.querySelectorAll('time')].map(({ textContent }) => textContent)
  expect(times.at(-1)).toBe('14:05')
})
