import { expect, test } from 'vitest'
import { fill, oneLine } from '#api-server/outbox/outbox.rules.ts'

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
