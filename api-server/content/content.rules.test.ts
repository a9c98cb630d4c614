import { expect, test } from 'vitest'
import { articleRow, pageOf, type Translations, textIn, wholeArticle } from '#api-server/content/content.rules.ts'

const texts = (rows: Record<string, Record<string, string>>): Translations => new Map(Object.entries(rows))

test.each<[name: string, rows: Record<string, Record<string, string>>, text: string]>([
  ['own language', { ja: { title: 'J' }, en: { title: 'E' } }, 'J'],
  ['English when the language has no text', { ja: { summary: 'J' }, en: { title: 'E' } }, 'E'],
  ['any language when English has no text either', { ja: {}, th: { title: 'T' } }, 'T'],
  ['an empty text counts as a text', { ja: { title: '' }, en: { title: 'E' } }, ''],
  ['nothing at all', {}, ''],
])('text: %s', (_name, rows, text) => {
  expect(textIn(texts(rows), 'ja', 'title')).toBe(text)
})

test.each<[page: number, size: number, list: number[]]>([
  [1, 2, [1, 2]],
  [2, 2, [3, 4]],
  [3, 2, [5]],
  [4, 2, []],
  [100_000, 100, []],
  [1, 100, [1, 2, 3, 4, 5]],
])('page %i of %i', (page, size, list) => {
  expect(pageOf([1, 2, 3, 4, 5], page, size)).toEqual({ list, total: 5 })
})

test('a row of a list has no article text, a single article has it', () => {
  const article = {
    nid: 7,
    c_id: 1,
    type: 'news',
    cover: '/c.svg',
    time: 9,
    texts: texts({ en: { title: 'T', summary: 'S', content: '<p>C</p>' } }),
  }
  expect(articleRow(article, 'fr')).toEqual({ nid: 7, c_id: 1, title: 'T', summary: 'S', cover: '/c.svg', time: 9 })
  expect(wholeArticle(article, 'fr')).toEqual({ ...articleRow(article, 'fr'), content: '<p>C</p>' })
})
