import { describe, expect, test } from 'vitest'
import { named, wordsOf } from '#flows/words.rules.ts'

const texts = {
  en: {
    shop: {
      hello: 'Hello {{name}}!',
      rows_one: '{{count}} row',
      rows_other: '{{count}} rows',
      link: 'Read <1>this</1> (now)',
      link_short: 'Read',
    },
  },
  fr: { shop: { hello: 'Bonjour {{name}} !' } },
}

describe('texts of a flow', () => {
  test.each([
    ['as they stand', 'Total (net)', 'en', 'the total (NET) of today', true],
    ['not others', 'Total', 'en', 'Sum', false],
    ['of a key', { $t: 'shop.hello', name: 'Ann' }, 'en', 'hello  Ann!', true],
    ['of a key, with another argument', { $t: 'shop.hello', name: 'Ann' }, 'en', 'Hello Ben!', false],
    ['of a key, with any argument', { $t: 'shop.hello' }, 'en', 'Hello Ben!', true],
    ['in the language of the flow', { $t: 'shop.hello', name: 'Ann' }, 'fr', 'Bonjour Ann !', true],
    ['not in another language', { $t: 'shop.hello', name: 'Ann' }, 'fr', 'Hello Ann!', false],
    ['in any plural', { $t: 'shop.rows', count: 3 }, 'en', '3 rows', true],
    ['of a context', { $t: 'shop.link', context: 'short' }, 'en', 'Read', true],
    ['not of another context', { $t: 'shop.link', context: 'long' }, 'en', 'Read', false],
    ['of a context without a text of its own', { $t: 'shop.link', context: 'long' }, 'en', 'Read this (now)', true],
    ['without marks', { $t: 'shop.link' }, 'en', 'Read this (now)', true],
  ])('%s', (_, value, language, shown, fits) => {
    expect(wordsOf(value, texts, language)?.test(shown)).toBe(fits)
  })
  test('a key without a text has none', () => {
    expect(wordsOf({ $t: 'shop.gone' }, texts, 'en')).toBeUndefined()
    expect(wordsOf({ $t: 'gone.hello' }, texts, 'ja')).toBeUndefined()
  })
  test('a message contains both the text and the key', () => {
    expect(named({ $t: 'shop.hello' }, texts, 'en')).toBe('"Hello {{name}}!" (shop.hello)')
    expect(named('Hello', texts, 'en')).toBe('"Hello"')
  })
})
