import { expect, test } from 'vitest'
import { contrastsOf, readColour, readTheme, writeColour } from '#console/theme/tokens.rules.ts'

test.each([
  ['full', '#28ba98', { solid: '#28ba98', alpha: 100 }],
  ['with ink', '#28ba9826', { solid: '#28ba98', alpha: 15 }],
  ['none at all', '#28ba9800', { solid: '#28ba98', alpha: 0 }],
  ['a word', 'red', undefined],
  ['three digits', '#abc', undefined],
])('reads a colour: %s', (_what, text, read) => expect(readColour(text)).toEqual(read))

test.each(['#28ba98', '#28ba9826', '#F5C4513D', '#05070AB8'])('writes %s back as it was', (text) => {
  const read = readColour(text)
  expect(read && writeColour(read.solid, read.alpha)).toBe(text)
})

test('judges each pair that is used', () => {
  const found = contrastsOf({
    text: '#ffffff',
    ground: '#000000',
    surface: '#fefefe',
    quiet: '#00000080',
    'on-accent': '#777777',
    accent: '#ffffff',
  })
  const of = (text: string, ground: string) => found.find((one) => one.text === text && one.ground === ground)
  expect(of('text', 'ground')).toMatchObject({ ratio: 21, good: true })
  expect(of('text', 'surface')).toMatchObject({ good: false })
  expect(of('on-accent', 'accent')?.good).toBe(false)
  expect(of('quiet', 'ground')).toMatchObject({ ratio: null, good: true })
})

test.each([
  ['no JSON', '{'],
  ['nothing', undefined],
  ['a list', '[]'],
  ['null', 'null'],
  ['one palette', '{"dark":{}}'],
])('is no theme: %s', (_what, text) => expect(readTheme(text)).toBeUndefined())
