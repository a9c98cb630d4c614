import { expect, test } from 'vitest'
import { type PressedKey, presses } from '#widgets/key-button/press.rules.ts'

const plain: PressedKey = {
  key: 'a',
  repeat: false,
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  defaultPrevented: false,
  isComposing: false,
}
const free = { typing: false, covered: false }

test.each<[string, Partial<PressedKey>, typeof free, boolean]>([
  ['the key', {}, free, true],
  ['the capital', { key: 'A' }, free, true],
  ['another key', { key: 'b' }, free, false],
  ['a key that is held down', { repeat: true }, free, false],
  ['with Ctrl', { ctrlKey: true }, free, false],
  ['with Alt', { altKey: true }, free, false],
  ['with Cmd', { metaKey: true }, free, false],
  ['taken by somebody else', { defaultPrevented: true }, free, false],
  ['in the middle of a word that is composed', { isComposing: true }, free, false],
  ['while something is typed', {}, { typing: true, covered: false }, false],
  ['under a dialog', {}, { typing: false, covered: true }, false],
])('%s', (_, change, place, expected) => {
  expect(presses({ ...plain, ...change }, 'a', place)).toBe(expected)
})
