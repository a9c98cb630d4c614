import { expect, test } from 'vitest'
import { createWords } from '#console/io/words.ts'

test('of two languages that are chosen quickly the last one is shown, however long its words take to load', async () => {
  const words = await createWords('en')
  const shown: string[] = []
  words.subscribe(() => shown.push(words.language()))
  await Promise.all([words.change('ja'), words.change('en')])
  expect(words.language()).toBe('en')
  await Promise.all([words.change('en'), words.change('ja')])
  expect(words.language()).toBe('ja')
  expect(shown.at(-1)).toBe('ja')
})
