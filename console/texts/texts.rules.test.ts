import { expect, test } from 'vitest'
import { filtered, placeholdersOf, samePlaceholders, textRows } from '#console/texts/texts.rules.ts'

test.each([
  ['nothing', 'Balance', []],
  ['names in order, each once', '{{b}} of {{ a }}, {{b}}', ['a', 'b']],
  ['a format is not part of the name', '{{amount, number(x: 2)}}', ['amount']],
  ['one brace is text', '{a}', []],
])('placeholders: %s', (_what, text, names) => expect(placeholdersOf(text)).toEqual(names))

test.each([
  ['the same in another order', 'a.b', '{{x}} {{y}}', '{{y}} {{x}}', true],
  ['one is lost', 'a.b', '{{x}} {{y}}', '{{x}}', false],
  ['one is misspelt', 'a.b', '{{x}}', '{{xx}}', false],
  ['one too many', 'a.b', 'Hello', 'Hello {{x}}', false],
  ['a plural form without the count', 'a.b_one', '{{count}} rows', 'one row', true],
  ['a plural form without another name', 'a.b_one', '{{count}} of {{x}}', 'one', false],
])('same placeholders: %s', (_what, key, base, words, same) => expect(samePlaceholders(key, base, words)).toBe(same))

const languages = ['zh', 'en']
const before = { 'locales/en/home.json': '{"news":"News","hot":"Hot {{n}}"}', 'locales/zh/home.json': '{"news":"新闻","hot":"热门 {{n}}"}' }
const rows = (change: Record<string, string>) => textRows({ ...before, ...change }, before, languages, 'en')

test('keys stand in the order of the base language, with their area', () => {
  expect(rows({}).map(({ key, area }) => [key, area])).toEqual([
    ['home.news', 'home'],
    ['home.hot', 'home'],
  ])
  expect(rows({}).every(({ missing, odd, changed }) => missing.length + odd.length + changed.length === 0)).toBe(true)
})

test('tells what is missing, empty, changed, and whose placeholders are others', () => {
  const [news, hot, more] = rows({ 'locales/zh/home.json': '{"hot":"热门","news":"","more":"更多"}' })
  expect(news).toMatchObject({ key: 'home.news', missing: ['zh'], changed: ['zh'], odd: [] })
  expect(hot).toMatchObject({ key: 'home.hot', missing: [], odd: ['zh'], changed: ['zh'] })
  expect(more).toMatchObject({ key: 'home.more', missing: ['en'], changed: ['zh'], odd: [] })
})

test('a language without a plural form lacks nothing', () => {
  const files = {
    'locales/en/a.json': '{"n_one":"{{count}} row","n_other":"{{count}} rows"}',
    'locales/zh/a.json': '{"n_other":"{{count}} 行"}',
  }
  expect(textRows(files, files, languages, 'en').map(({ missing }) => missing)).toEqual([[], []])
})

test('a file that is no JSON has no keys and takes nothing with it', () => {
  expect(rows({ 'locales/zh/home.json': '{' }).map(({ missing }) => missing)).toEqual([['zh'], ['zh']])
})

test.each([
  ['by area', { area: 'wallet', search: '', filter: 'all' as const }, []],
  ['by words of any language', { area: '', search: '新', filter: 'all' as const }, ['home.news']],
  ['by key, whatever the letter case', { area: '', search: 'HOT', filter: 'all' as const }, ['home.hot']],
  ['nothing is changed', { area: '', search: '', filter: 'changed' as const }, []],
])('filter %s', (_what, wish, keys) => expect(filtered(rows({}), wish).map(({ key }) => key)).toEqual(keys))
