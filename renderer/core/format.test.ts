import { describe, expect, test } from 'vitest'
import { createFormats } from '#renderer/core/format.ts'

const en = createFormats('en', () => 'just now')
const now = Date.UTC(2026, 10, 20, 12)

describe('numbers', () => {
  test.each([
    ['1234567.891', '1.2M'],
    ['1000001', '1.0M'],
    ['1000000', '1.0M'],
    ['999950', '1.0M'],
    ['999949.99', '999.9K'],
    ['-999950', '−1.0M'],
    ['1234567890.1', '1234.6M'],
    ['12345.6', '12.3K'],
    ['1000.01', '1.0K'],
    ['1000', '1000.0000'],
    ['0.12345678', '0.1235'],
    ['-2500000', '−2.5M'],
    ['not a number', 'not a number'],
    ['1e400', '1e400'],
  ])('compact %s is %s', (text, shown) => expect(en.compact(text)).toBe(shown))

  test.each([
    ['50000', '0.01', '50,000.00'],
    ['50000.126', '0.01', '50,000.13'],
    ['0.1', undefined, '0.1'],
    ['12345678901234567890.12345678', '0.00000001', '12,345,678,901,234,567,890.12345678'],
  ])('price %s at tick %s is %s', (text, tick, shown) => expect(en.price(text, tick)).toBe(shown))

  test.each<[ratio: string, option: boolean | { min?: number; max?: number; signed?: boolean }, shown: string]>([
    ['0.0123', true, '+1.23%'],
    ['-0.0123', true, '−1.23%'],
    ['0', true, '0.00%'],
    ['0.5', false, '50.00%'],
    ['0.5', { max: 0 }, '50%'],
    ['0.12345', { min: 0, max: 1 }, '12.3%'],
    ['0.12345', { max: 4 }, '12.345%'],
    ['0.1', { min: 1 }, '10.0%'],
    ['0.00012', { min: 2, max: 4 }, '0.012%'],
    ['0.12345', { max: 1, signed: true }, '+12.3%'],
    ['-0.12355', { max: 2, signed: true }, '−12.36%'],
    ['-0.0001', { max: 1 }, '0.0%'],
    ['0.12345', { signed: true }, '+12.35%'],
    ['0.12345', {}, '12.35%'],
  ])('percent %s with %j is %s', (text, option, shown) => expect(en.percent(text, option)).toBe(shown))

  test.each([
    ['1234.5', '+1,234.5'],
    ['-0.10', '−0.10'],
    ['0.00', '0.00'],
    ['-0', '0'],
    ['not a number', 'not a number'],
  ])('signed %s is %s', (text, shown) => expect(en.signed(text)).toBe(shown))
  test.each(['en', 'es', 'fr', 'th', 'ja', 'ko', 'zh-Hans-CN', 'zh-Hant-HK', 'ar-EG'])(
    'what is rounded to zero has no sign in %s',
    (tag) => {
      const format = createFormats(tag, () => '')
      const eur = { code: 'EUR', rate: '0.9' }
      for (const least of ['-0.0000000001', '-0', '-0.00'])
        expect([
          ...[format.amount(least, { max: 2, min: 2 }), format.signed(least, { max: 2, min: 2 }), format.price(least, '0.01')],
          ...[format.rate(least), format.percent(least), format.percent(least, true), format.compact(least)],
          ...[format.fiat(least, eur), format.fiat(least), format.fiat(least, { code: 'JPY', rate: '150' })],
        ]).toEqual([
          ...[format.amount('0.00'), format.amount('0.00'), format.price('0', '0.01')],
          ...[format.rate('0'), format.percent('0'), format.percent('0'), format.compact('0')],
          ...[format.fiat('0', eur), format.fiat('0'), format.fiat('0', { code: 'JPY', rate: '150' })],
        ])
    },
  )
  test.each<[written: string, shown: string]>([
    [en.price('-0.004', '0.01'), '0.00'],
    [en.price('-0.005', '0.01'), '−0.01'],
    [en.percent('-0.00004'), '0.00%'],
    [en.percent('-0.00005'), '−0.01%'],
    [en.compact('-0.00004'), '0.0000'],
    [en.fiat('-0.0000004'), '$0.00'],
    [en.fiat('-0.000001'), '−$0.000001'],
    [en.signed('0.004', { max: 2 }), '0.00'],
    [en.signed('-0.004', { max: 2 }), '0.00'],
  ])('%s is %s', (written, shown) => expect(written).toBe(shown))
  test('digits of another script are no zeros', () => expect(createFormats('ar-EG', () => '').percent('0.015')).toContain('١'))
  test('signed in another language', () => expect(createFormats('fr', () => '').signed('1234.5', { min: 2 })).toBe('+1\u202f234,50'))

  test('fiat uses the rate, and says dollars only where none is chosen', () => {
    expect(en.fiat('10', { code: 'EUR', rate: undefined })).toBe('–')
    expect(en.fiat('10', { code: 'EUR', rate: 'x' })).toBe('–')
    expect(en.fiat('10', { code: 'EUR', rate: '0.9' })).toBe('€9.00')
    expect(en.fiat('10')).toBe('$10.00')
    expect(en.fiat('0.000123')).toBe('$0.000123')
    expect(createFormats('ja', () => '').fiat('2', { code: 'JPY', rate: '150' })).toContain('300')
  })
})

describe('times', () => {
  test.each([
    [now - 299_000, 'just now'],
    [now + 5_000, 'just now'],
    [now - 300_000, '5 minutes ago'],
    [now - 3_599_000, '59 minutes ago'],
    [now - 3_600_000, '1 hour ago'],
    [now - 86_400_000, '1 day ago'],
    [now - 2_591_000_000, '29 days ago'],
    [(now - 7_200_000) / 1_000, '2 hours ago'],
  ])('%s is %s', (time, shown) => expect(en.ago(time, now)).toBe(shown))

  test.each([
    [now - 2_591_000_000, '29 days ago'],
    [now - 2_592_000_000, '1 month ago'],
    [now - 31_535_000_000, '12 months ago'],
    [now - 31_536_000_000, '1 year ago'],
    [now - 70_000_000_000, '2 years ago'],
  ])('%s is %s where the date is off', (time, shown) => expect(en.ago(time, now, 'relative')).toBe(shown))

  test('after thirty days comes the date, zero padded', () => {
    expect(en.ago(now - 2_592_000_000, now)).toMatch(/^2026-10-2\d$/)
    expect(en.dateTime(now)).toMatch(/^2026-11-\d\d \d\d:00:00$/)
  })
})
