import { expect, test } from 'vitest'
import {
  copiedText,
  keysIn,
  newText,
  pointerOfKey,
  proposedKey,
  refuseKey,
  withOwnKeys,
  withoutUnused,
  withWords,
} from '#console/editor/document/words-edit.rules.ts'

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

test('texts of a removed part go with it in all languages and forms, unless a document still shows them', () => {
  const files = {
    'locales/en/a.json': JSON.stringify({
      hello: 'Hello',
      hello_again: 'Again',
      count_one: '{{count}}',
      count_other: '{{count}}',
      kept: 'K',
    }),
    'locales/fr/a.json': JSON.stringify({ hello: 'Salut', count_one: '{{count}}', count_many: '{{count}}', count_other: '{{count}}' }),
  }
  const texts = {
    en: { a: JSON.parse(files['locales/en/a.json']) as Record<string, string> },
    fr: { a: JSON.parse(files['locales/fr/a.json']) as Record<string, string> },
  }
  const part = {
    props: { title: { $t: 'a.hello' }, note: { $t: 'a.count', count: 1 }, sub: { $t: 'a.kept' }, back: { $t: 'widget.back' } },
  }
  expect(keysIn(part)).toEqual(['a.hello', 'a.count', 'a.kept'])
  const after = withoutUnused(files, keysIn(part), [{ title: { $t: 'a.kept' } }, { title: { $t: 'a.hello_again' } }], texts)
  expect(Object.fromEntries(Object.entries(after).map(([file, text]) => [file, JSON.parse(text)]))).toEqual({
    'locales/en/a.json': { hello_again: 'Again', kept: 'K' },
    'locales/fr/a.json': {},
  })
})

test('a new text begins with its words or as a copy, under a key of its own', () => {
  const made = withOwnKeys([newText('Read me', 'b'), copiedText('a.old')], 'a', 'New text', { 'a.old': 'Old words' })
  expect(made).toEqual({
    value: [{ $t: 'b.read_me' }, { $t: 'a.old_words' }],
    words: { 'b.read_me': 'Read me', 'a.old_words': 'Old words' },
    copies: { 'a.old_words': 'a.old' },
  })
})
