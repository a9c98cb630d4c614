import { describe, expect, test } from 'vitest'
import { charactersOf, clip, clipStart, lengthOf, unitsMax, wellFormed } from '#contract/characters.ts'
import { folded, searchForm } from '#contract/text.ts'

test.each([
  ['', ''],
  ['abc 1', 'abc 1'],
  ['１２３．５', '123.5'],
  ['＝１＋１', '=1+1'],
  ['﹦1﹢1', '=1+1'],
  ['Ａｎｎ\u3000Ｂ', 'Ann B'],
  ['e\u0301', '\u00e9'],
  ['๑๒๓', '123'],
  ['٠١٢٣٤٥٦٧٨٩', '0123456789'],
  ['۰۱۲۳۴۵۶۷۸۹', '0123456789'],
  ['०१२३४५६७८९', '0123456789'],
  ['𝟎𝟏𝟗𝟘𝟙𝟡', '019019'],
  ['1²', '1²'],
  ['½', '½'],
  ['Ⅳ', 'Ⅳ'],
  ['ｱ', 'ｱ'],
])('%j is read as %j', (text, plain) => {
  expect(folded(text)).toBe(plain)
})

test('every decimal digit of Unicode has its value, and ten of each script have ten values', () => {
  const digits = Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((sign) => /\p{Nd}/u.test(sign))
  expect(digits.length).toBeGreaterThan(600)
  expect(digits.map((sign, at) => [sign, folded(sign), at % 10])).toEqual(digits.map((sign, at) => [sign, String(at % 10), at % 10]))
})

test.each([
  ['Élan', 'elan'],
  ['e\u0301lan', 'elan'],
  ['ＢＴＣ', 'btc'],
  ['ｱｲｳ', 'アイウ'],
  ['İstanbul', 'istanbul'],
  ['か', 'か'],
  ['が', 'が'],
  ['ไทย ๑๒', 'ไทย 12'],
  ['กิน', 'กิน'],
  ['한글', '한글'],
  ['zero\u200bwidth', 'zerowidth'],
  ['a\u00a0b', 'a b'],
])('a search compares %j as %j', (text, form) => {
  expect(searchForm(text)).toBe(form)
})

const family = '👨‍👩‍👧‍👦'
describe.each([['with a segmenter'], ['without one']])('characters %s', (how) => {
  test.each<[text: string, characters: string[]]>([
    ['', []],
    ['abc', ['a', 'b', 'c']],
    ['e\u0301a', ['e\u0301', 'a']],
    ['ที่นี่', ['ที่', 'นี่']],
    ['น้ำใจดี', ['น้ำ', 'ใ', 'จ', 'ดี']],
    ['小明', ['小', '明']],
    ['𠮷野', ['𠮷', '野']],
    [`a${family}b`, ['a', family, 'b']],
    ['👍🏽👍', ['👍🏽', '👍']],
    ['🇩🇪🇫🇷', ['🇩🇪', '🇫🇷']],
    ['❤️x', ['❤️', 'x']],
    ['a\r\nb', ['a', '\r\n', 'b']],
    ['한글', ['한', '글']],
  ])('%j', (text, characters) => {
    expect(how === 'without one' ? charactersOf(text, undefined, null) : charactersOf(text)).toEqual(characters)
  })
})

test('a character of more than 16 code points counts again, so that characters bound the size', () => {
  const tall = `a${'\u0301'.repeat(99)}`
  expect(charactersOf(tall).map((one) => [...one].length)).toEqual([16, 16, 16, 16, 16, 16, 4])
  expect(charactersOf(tall).join('')).toBe(tall)
  expect(unitsMax(10)).toBe(320)
})

test.each([
  ['ที่', 5_000],
  [family, 2_000],
  ['🇩🇪', 3_000],
  ['x\u0301y', 4_000],
] as const)('a long text of %j is counted as a short one, piece by piece', (sign, times) => {
  expect(lengthOf(sign.repeat(times))).toBe(lengthOf(sign) * times)
  expect(charactersOf(sign.repeat(times)).join('')).toBe(sign.repeat(times))
})

test('counting ends at the most', () => {
  expect([lengthOf('abcdef', 3), lengthOf(family.repeat(100), 3), charactersOf('abc', 2)]).toEqual([3, 3, ['a', 'b']])
})

test.each<[text: string, first: string, last: string, whole: string]>([
  ['', '', '', ''],
  ['abcd', 'abc', 'bcd', 'abcd'],
  ['ab😀', 'ab', 'b😀', 'ab😀'],
  ['😀ab', '😀a', 'ab', '😀ab'],
  ['a😀b', 'a😀', '😀b', 'a😀b'],
  ['a\uD83D', 'a', 'a\uD83D', 'a\uFFFD'],
  ['\uDE00a', '\uDE00a', 'a', '\uFFFDa'],
])('%j keeps whole characters when it is cut to three units', (text, first, last, whole) => {
  expect([clip(text, 3), clipStart(text, 3), wellFormed(text)]).toEqual([first, last, whole])
})
