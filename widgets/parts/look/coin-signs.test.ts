import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import theme from '#schemas/theme.json'

const signs = readFileSync('public/coins.svg', 'utf8')

test.each(Object.entries(theme.coins))('%s has a sign, in the colour of the theme', (code, colour) => {
  const [, drawing] = signs.match(new RegExp(`<symbol id="${code.toLowerCase()}" viewBox="0 0 40 40">(.+)</symbol>`)) ?? []
  expect(drawing).toContain(`fill="var(--mark, ${colour})"`)
})

test('the file runs nothing and asks for nothing', () => {
  expect(signs).not.toMatch(/<(?:script|style|foreignObject|image)|\son\w+=|https?:\/\/(?!www\.w3\.org\/2000\/svg")/i)
})
