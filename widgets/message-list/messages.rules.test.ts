import { expect, test } from 'vitest'
import { arrivals, drawnFrom, inOrder, linesOf, type Message, messageLimits } from '#widgets/message-list/messages.rules.ts'

const minute = 60_000
const start = 1_700_000_000_000
const said = (id: number, more: Partial<Message> = {}): Message => ({ id, at: start + id * minute, name: 'Ann', ...more })
const ids = (messages: readonly Message[]) => messages.map(({ id }) => id)

test.each<[string, Message[], (string | number)[]]>([
  ['oldest first', [said(3), said(2), said(1)], [1, 2, 3]],
  ['a page that begins with the end of the one before', [said(3), said(2), said(2), said(1)], [1, 2, 3]],
  ['of one id the newer', [{ id: '2', at: start }, said(3), said(2), said(1)], [1, 3, '2']],
  ['nothing', [], []],
])('%s', (_, messages, wanted) => {
  expect(ids(inOrder(messages))).toEqual(wanted)
})

const dayOf = (ms: number) => String(Math.floor((ms - start) / (60 * minute)))
const shape = (messages: Message[]) =>
  linesOf(messages, dayOf).map((line) =>
    line.kind === 'day' ? `day ${dayOf(line.at)}` : `${line.first ? '[' : ''}${line.message.id}${line.last ? ']' : ''}`,
  )

test.each<[string, Message[], string[]]>([
  ['one run', [said(1), said(2), said(3)], ['day 0', '[1', '2', '3]']],
  ['another author', [said(1), said(2, { name: 'Ben' }), said(3, { mine: true })], ['day 0', '[1]', '[2]', '[3]']],
  ['own messages are one author, whatever the name', [said(1, { mine: true }), said(2, { mine: true, name: 'Me' })], ['day 0', '[1', '2]']],
  ['a silence of more than five minutes', [said(1), said(6), said(12)], ['day 0', '[1', '6]', '[12]']],
  ['a day ends a run', [said(58), said(59), said(60)], ['day 0', '[58', '59]', 'day 1', '[60]']],
  ['none', [], []],
])('%s', (_, messages, wanted) => {
  expect(shape(messages)).toEqual(wanted)
})

test('seconds and milliseconds are the same moment', () => {
  expect(
    shape([
      { id: 1, at: start / 1_000 },
      { id: 2, at: start + 1_000 },
    ]),
  ).toEqual(['day 0', '[1', '2]'])
})

test.each<[string, number[], Message[], { fresh: number; sent: boolean }]>([
  ['two from others', [1], [said(1), said(2), said(3)], { fresh: 2, sent: false }],
  ['an own one of another device', [1], [said(1), said(2, { mine: true })], { fresh: 0, sent: false }],
  ['just sent', [1], [said(1), said(2, { mine: true, sending: 'pending' })], { fresh: 0, sent: true }],
  ['older ones are not new', [3], [said(1), said(2), said(3)], { fresh: 0, sent: false }],
  ['older ones and a new one', [3], [said(1), said(2), said(3), said(4)], { fresh: 1, sent: false }],
  ['the server took a pending one', [1, 9], [said(1), said(2, { mine: true, state: 'sent' })], { fresh: 0, sent: false }],
  ['another conversation', [7, 8], [said(1), said(2)], { fresh: 0, sent: false }],
  ['the first ever', [], [said(1)], { fresh: 0, sent: false }],
])('%s', (_, before, messages, wanted) => {
  expect(arrivals(new Set(before.map(String)), messages)).toEqual(wanted)
})

const many = Array.from({ length: 1_000 }, (_, i) => said(i))
test.each<[string, Message[], string | undefined, number]>([
  ['the last page of many', many, undefined, 1_000 - messageLimits.page],
  ['all of a few', many.slice(0, 10), undefined, 0],
  ['from the oldest that was drawn on', many, '500', 500],
  ['one that is gone', many, 'gone', 1_000 - messageLimits.page],
])('%s', (_, messages, oldest, from) => {
  expect(drawnFrom(messages, oldest)).toBe(from)
})
