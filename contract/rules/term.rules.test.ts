import { expect, test } from 'vitest'
import { type TermKind, termFits, timeOf, timeText } from '#contract/rules/term.rules.ts'

test.each<[kind: TermKind, text: string, range: string, fits: boolean]>([
  ['decimal', '0.5', '> 0', true],
  ['decimal', '0', '> 0', false],
  ['decimal', '-1', '', false],
  ['decimal', '1e3', '', false],
  ['decimal', '.5', '', false],
  ['decimal', '05', '', false],
  ['decimal', 'many', '', false],
  ['decimal', '0.1234567890123', '', false],
  ['whole', '1.5', '', false],
  ['whole', '5', '>= 1, <= 5', true],
  ['whole', '6', '>= 1, <= 5', false],
  ['whole', '0', '>= 1, <= 5', false],
  ['percent', '99.9999999999', '>= 0, < 100', true],
  ['percent', '100', '>= 0, < 100', false],
  ['percent', '0', '>= 0, < 100', true],
  ['percent', '5 %', '', false],
  ['percent', '0.00000000001', '', false],
  ['time', '2026-12-31 08:00', '', true],
  ['time', '2026-12-31', '', false],
  ['time', '2026-02-30 08:00', '', false],
  ['time', '2026-13-01 08:00', '', false],
  ['time', 'soon', '', false],
])('%s %s within %s: %s', (kind, text, range, fits) => {
  expect(termFits(kind, text, range)).toBe(fits)
})

test('a time is read as it is written, in UTC', () => {
  expect(timeOf('2026-12-31 08:00')).toBe(1_798_704_000_000)
  expect(timeText(1_798_704_000_000)).toBe('2026-12-31 08:00')
})
