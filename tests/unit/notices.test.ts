import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { kindOf, linkOf, noticeKindNames, noticeThings, sentenceOf } from '#contract/calls/notice.kinds.ts'
import { readParams } from '#renderer/core/route.ts'

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
const languages = readdirSync('locales')
const texts = new Map<string, Record<string, string>>(languages.map((language) => [language, read(`locales/${language}/notice.json`)]))
const routes: Record<string, { screen: string }> = read('schemas/routes.json').routes

const sentences = noticeKindNames.flatMap((kind) =>
  (kindOf(kind).words ?? [undefined]).map((word) => [sentenceOf({ kind, word }), kind] as const),
)

test.each(sentences)('%s is said in each language, with figures that its kind has', (sentence, kind) => {
  // Not shown: the symbol is for the link, and the coin stands with its amount.
  const named = kindOf(kind).figures.filter((name) => name !== 'symbol' && name !== 'coin')
  for (const language of languages) {
    const text = texts.get(language)![`sentence_${sentence}`] ?? ''
    const args = [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name!)
    expect([...new Set(args)].sort(), language).toEqual([...named].sort())
  }
})

test.each(noticeKindNames.filter((kind) => kindOf(kind).mail === 'alarm'))(
  '%s is about the security of the account, and is always sent',
  (kind) => {
    expect(kindOf(kind)).toMatchObject({ security: true, group: 'account' })
  },
)

test.each(noticeThings)('several of %s are counted, and one is named', (thing) => {
  for (const language of languages) {
    const all = texts.get(language)!
    expect(all[`about_${thing}`], language).toBeTruthy()
    expect(all[`several_${thing}_other`], language).toContain('{{count}}')
  }
})

test('there is no sentence without a kind', () => {
  const known = new Set(sentences.map(([sentence]) => `sentence_${sentence}`))
  for (const language of languages)
    expect(Object.keys(texts.get(language)!).filter((key) => key.startsWith('sentence_') && !known.has(key))).toEqual([])
})

test.each(noticeKindNames)('%s opens a page of the app, and an amount has its coin', (kind) => {
  const { figures } = kindOf(kind)
  const [route = '', query] = linkOf(kind, 7, { symbol: 'BTCUSDT' }).split('?')
  expect(Object.keys(routes)).toContain(route)
  const screen = read(`schemas/screens/${routes[route]!.screen.replace('.', '/')}.json`)
  expect(readParams(screen.params, new URLSearchParams(query)), 'no parameter is missing or wrong').not.toHaveProperty('wrong')
  expect(Object.keys(screen.params ?? {})).toEqual(expect.arrayContaining([...new URLSearchParams(query).keys()]))
  if (figures.some((name) => name === 'amount' || name === 'result')) expect(figures).toContain('coin')
})

test.each([
  ['a number', linkOf('liquidated', 12, {}), 'pages/transaction/position?id=12'],
  ['a figure', linkOf('option_won', 3, { symbol: 'BTCUSDT' }), 'pages/transaction/seconds_order?symbol=BTCUSDT&order=3'],
  ['nothing', linkOf('account_frozen', null, {}), 'pages/setting/security'],
  ['a figure that is no address', linkOf('option_won', 3, { symbol: 'A&b=1' }), 'pages/transaction/seconds_order?symbol=A%26b%3D1&order=3'],
])('a link names %s', (_, link, address) => expect(link).toBe(address))
