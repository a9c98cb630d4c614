import { expect, test } from 'vitest'
import { clip, clipStart, wellFormed } from '#server-kit/ops/clip.ts'

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
