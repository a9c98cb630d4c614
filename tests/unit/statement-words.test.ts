import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { accountKinds, eventKinds } from '#contract/accounts.ts'
import { closeReasons } from '#contract/calls/lever.calls.ts'

const languages = ['zh', 'en', 'hk', 'th', 'ja', 'ko', 'fr', 'es']
const words = (language: string, area: string) =>
  JSON.parse(readFileSync(`locales/${language}/${area}.json`, 'utf8')) as Record<string, string>

test.each(languages)('%s: the file of the bill says what its screen says', (language) => {
  const [bill, assets, file] = ['bill', 'assets', 'statement'].map((area) => words(language, area))
  const shown = [
    ...eventKinds.map((kind) => [`kind_${kind}`, bill?.[`kind_${kind}`]]),
    ...accountKinds.map((kind) => [`account_${kind}`, assets?.[`account_${kind}`]]),
    ...['available', 'frozen'].map((part) => [`part_${part}`, assets?.[part]]),
  ]
  expect(shown.filter(([, word]) => !word)).toEqual([])
  expect(shown.filter(([key, word]) => file?.[key!] !== word)).toEqual([])
})

test.each(languages)('%s: the file of orders says what their screen says', (language) => {
  const [screen, file] = ['spot', 'orders'].map((area) => words(language, area))
  const both = Object.keys(file!).filter((key) => !key.startsWith('column_'))
  expect(both.length).toBeGreaterThan(0)
  expect(both.filter((key) => file![key] !== screen![key])).toEqual([])
})

test.each(languages)('%s: the file of closings and the card of a position say what the list of closings says', (language) => {
  const [screen, file, card] = ['contract', 'statement', 'widget'].map((area) => words(language, area))
  for (const reason of closeReasons) {
    expect(screen![`reason_${reason}`], reason).toBeTruthy()
    expect(file![`reason_${reason}`]).toBe(screen![`reason_${reason}`])
    expect(card![`position_closed_${reason}`]).toBe(screen![`reason_${reason}`])
  }
})
