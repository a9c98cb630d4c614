import { describe, expect, test } from 'vitest'
import { filled, untranslated, withCopies, withoutMarks } from '#language/edit/words.ts'

const texts = () => ({
  en: {
    home: { title: 'Home', asset_one: 'One asset', asset_other: '{{count}} assets', rate: '1 = {{rate}}', ok: 'OK' },
    late: { x: 'Late' },
  },
  fr: {
    home: { title: 'Accueil', asset_one: 'Un actif', asset_other: '{{count}} actifs', asset_many: '…', rate: '1 = {{rate}}', ok: 'OK' },
  },
  ja: { home: { asset_other: '資産', rate: '1 = {{rate}}', ok: '[en] OK' }, late: { x: '遅い' } },
})

describe('untranslated texts', () => {
  test('is missing, a marked copy, or equal to the English text', () => {
    expect(untranslated(texts(), ['en', 'fr', 'ja']).map(({ language, area, path, is }) => `${language} ${area}.${path} ${is}`)).toEqual([
      'fr home.ok same',
      'fr late.x missing',
      'ja home.title missing',
      'ja home.ok copy',
    ])
  })
  test('a language without files lacks everything', () => {
    expect(untranslated(texts(), ['th']).map(({ is }) => is)).toEqual(Array(6).fill('missing'))
  })
})

describe('with copies', () => {
  const tags = new Map(['en', 'fr', 'ja', 'th'].map((one) => [one, one]))
  const whole = withCopies(texts(), tags)
  test('every language has every text, copies are marked', () => {
    expect(whole.fr?.late).toEqual({ x: '[en] Late' })
    expect(whole.ja?.home).toEqual({ title: '[en] Home', asset_other: '資産', rate: '1 = {{rate}}', ok: '[en] OK' })
    expect(untranslated(whole, ['fr', 'ja', 'th']).filter(({ is }) => is === 'missing')).toEqual([])
  })
  test.each([
    ['fr', ['one', 'many', 'other']],
    ['hk', ['other']],
    ['th', ['other']],
  ])('a counted text is copied in the plural forms of %s', (language, forms) => {
    const english = { home: { 'deep.up_one': 'One up', 'deep.up_other': '{{count}} up' } }
    const texts = forms.map((form) => [`deep.up_${form}`, form === 'one' ? '[en] One up' : '[en] {{count}} up'])
    expect(withCopies({ en: english }, new Map([...tags, ['hk', 'zh-HK']]))[language]?.home).toEqual(Object.fromEntries(texts))
  })
  test('the marks can be removed, and the given catalog is unchanged', () => {
    expect(withoutMarks(whole).ja?.home?.title).toBe('Home')
    expect(texts().ja.home).not.toHaveProperty('title')
  })
})

test('a file is filled in the order of the English one, and keeps its own texts', () => {
  const english = { a: 'A', deep: { one: '1', two: 'Two' }, b_one: 'B', b_other: 'Bs', c: 'C' }
  const own = { c: 'ç', b_other: 'ß', own: 'x' }
  const made = filled(own, english, new Set(['a', 'deep.one', 'deep.two']), 'fr')
  expect(Object.entries(made)).toEqual([
    ['a', '[en] A'],
    ['deep', { one: '[en] 1', two: '[en] Two' }],
    ['c', 'ç'],
    ['b_other', 'ß'],
    ['own', 'x'],
  ])
})

test.each([
  ['fr', { b_one: '[en] B', b_many: '[en] Bs', b_other: '[en] Bs', c: '[en] C' }],
  ['ja', { b_other: '[en] Bs', c: '[en] C' }],
  ['zh-HK', { b_other: '[en] Bs', c: '[en] C' }],
])('a counted text is filled in the plural forms of %s', (tag, made) => {
  expect(filled({}, { b_one: 'B', b_other: 'Bs', c: 'C' }, new Set(['b_one', 'b_other', 'c']), tag)).toEqual(made)
})
