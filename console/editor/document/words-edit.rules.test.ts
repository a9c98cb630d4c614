import { expect, test } from 'vitest'
import { pointerOfKey, proposedKey, refuseKey, withWords } from '#console/editor/document/words-edit.rules.ts'

const en = '{\n  "hot": "Trending",\n  "deep": {\n    "one": "1"\n  }\n}\n'
const files = { 'locales/en/home.json': en }

test.for([
  ['home.hot', '/hot'],
  ['home.deep.one', '/deep/one'],
  ['home.deep.two', '/deep/two'],
  ['home.new', '/new'],
  ['home.a.b', '/a.b'],
])('%s stands at %s', ([key, pointer]) => {
  expect(pointerOfKey(key as string, JSON.parse(en))).toBe(pointer)
})

test('other words change their line and nothing else', () => {
  expect(withWords(files, 'home.hot', 'en', 'Hot "now"')).toEqual({
    path: 'locales/en/home.json',
    text: en.replace('Trending', 'Hot \\"now\\"'),
  })
  expect(withWords(files, 'home.hot', 'en', undefined).text).not.toContain('hot')
  expect(withWords(files, 'home.new', 'en', 'New').text).toContain('"new": "New"')
})
test('an area that a language does not have becomes a file', () => {
  expect(withWords(files, 'home.hot', 'fr', 'Tendance')).toEqual({ path: 'locales/fr/home.json', text: '{\n  "hot": "Tendance"\n}\n' })
})

test.for([
  ['home.new_key', null],
  ['home.hot', 'taken'],
  ['home', 'shape'],
  ['home.a b', 'shape'],
  ['Home.a', 'shape'],
  ['', 'shape'],
] as const)('a new key "%s": %s', ([key, refusal]) => {
  expect(refuseKey(key, { 'home.hot': 'x' })).toBe(refusal)
})

test.for([
  ['Deposit now, please my friend', 'home.deposit_now_please_my'],
  ['Hot', 'home.hot_2'],
  ['加入', 'home.text'],
] as const)('words "%s" propose %s', ([words, key]) => {
  expect(proposedKey('home', words, { 'home.hot': 'x' })).toBe(key)
})
