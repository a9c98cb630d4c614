import { expect, test } from 'vitest'
import { cellAfter, filtered, placeholdersOf, samePlaceholders, textRows } from '#console/texts/texts.rules.ts'

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

const eight = ['en', 'zh', 'hk', 'th', 'ja', 'ko', 'fr', 'es']
const inEach = (words: (id: string) => string) =>
  Object.fromEntries(eight.map((id) => [`locales/${id}/a.json`, JSON.stringify({ sent: words(id) })]))
test.each(eight)('a placeholder that %s alone lost, or misspelt, is laid to nobody else', (wrong) => {
  const full = inEach((id) => `${id} {{amount}}`)
  for (const lost of ['nothing', '{{amuont}}', '{{amount}} {{fee}}'])
    expect(
      textRows(
        inEach((id) => (id === wrong ? lost : `${id} {{amount}}`)),
        full,
        eight,
        'en',
      )[0]?.odd,
    ).toEqual([wrong])
})

test('other words in English leave the other languages to be looked at, until they are written again', () => {
  const then = inEach((id) => `old ${id}`)
  const now = inEach((id) => (id === 'en' ? 'new' : id === 'ja' ? 'new too' : `old ${id}`))
  expect(textRows(then, then, eight, 'en')[0]?.stale).toEqual([])
  expect(textRows(now, then, eight, 'en')[0]?.stale).toEqual(['zh', 'hk', 'th', 'ko', 'fr', 'es'])
  const japaneseOnly = inEach((id) => (id === 'ja' ? 'new' : `old ${id}`))
  expect(textRows(japaneseOnly, then, eight, 'en')[0]?.stale).toEqual([])
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

test.for([
  ['ArrowUp', [1, 3], [0, 3]],
  ['ArrowUp', [0, 3], [0, 3]],
  ['ArrowDown', [1, 3], [2, 3]],
  ['ArrowDown', [4, 3], [4, 3]],
  ['ArrowLeft', [1, 3], [1, 2]],
  ['ArrowLeft', [1, 0], [1, 0]],
  ['ArrowRight', [1, 3], [1, 4]],
  ['ArrowRight', [1, 7], [1, 7]],
  ['Home', [1, 3], [1, 0]],
  ['End', [1, 3], [1, 7]],
  ['Enter', [1, 3], undefined],
  ['toString', [1, 3], undefined],
] as const)('%s from %s', ([key, [row, column], to]) => {
  expect(cellAfter(key, { row, column }, 5, 8)).toEqual(to && { row: to[0], column: to[1] })
})
