import { expect, test } from 'vitest'
import { type NoticeAsk, noticeOf } from '#widgets/feed-notice/feed-notice.rules.ts'

const fresh: NoticeAsk = { state: 'connected', ageMs: 0, simulated: false }

test.each<[string, Partial<NoticeAsk>, string]>([
  ['fresh real prices need no notice', {}, 'none'],
  ['simulated prices are labelled', { simulated: true }, 'simulated'],
  ['3 s are not old', { ageMs: 3_000 }, 'none'],
  ['above 3 s they are', { ageMs: 3_001 }, 'old'],
  ['10 s do not pause trading', { ageMs: 10_000 }, 'old'],
  ['above 10 s they do', { ageMs: 10_001 }, 'blocked'],
  ['age comes before the label', { ageMs: 4_000, simulated: true }, 'old'],
  ['a lost connection comes before age', { state: 'down', ageMs: 60_000, simulated: true }, 'down'],
  ['coming back after a loss', { state: 'connecting', ageMs: 6_000 }, 'down'],
  ['the first opening is no loss', { state: 'connecting', ageMs: undefined }, 'none'],
  ['the first opening keeps the label', { state: 'connecting', ageMs: undefined, simulated: true }, 'simulated'],
  ['never connected', { state: 'down', ageMs: undefined }, 'down'],
])('%s', (_, change, notice) => {
  expect(noticeOf({ ...fresh, ...change })).toBe(notice)
})
