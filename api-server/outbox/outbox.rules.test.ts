import { expect, test } from 'vitest'
import { fill, oneLine, retryAt } from '#api-server/outbox/outbox.rules.ts'

test.each<[tries: number, afterMs: number | undefined]>([
  [1, 60_000],
  [2, 240_000],
  [3, 960_000],
  [4, 3_600_000],
  [5, 3_600_000],
  [6, undefined],
])('after %i attempts the next comes in %s ms', (tries, afterMs) => {
  expect(retryAt(tries, 1_000)).toBe(afterMs === undefined ? undefined : 1_000 + afterMs)
})

test.each<[template: string, values: Record<string, string>, text: string]>([
  ['{{code}} for {{who}}', { code: '123456', who: 'ann' }, '123456 for ann'],
  ['{{code}}', { code: '{{who}}', who: 'ann' }, '{{who}}'],
  ['{{toString}} {{gone}}', {}, '{{toString}} {{gone}}'],
  ['$& {{a}}', { a: '$1 $&' }, '$& $1 $&'],
])('%s', (template, values, text) => {
  expect(fill(template, values)).toBe(text)
})

test('text chosen by strangers stays on one short line', () => {
  expect(oneLine('Chrome\r\nBcc: x@y.z\u2028\u202E')).toBe('Chrome Bcc: x@y.z ')
  expect(oneLine('a'.repeat(500))).toHaveLength(120)
})
