import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { widgetWords } from '#console/editor/words/widget-words.ts'
import { consoleLanguages } from '#console/io/words.ts'

const ofFields = readdirSync('widgets').filter((type) => type.endsWith('-field'))
const wordsIn = (language: string) => JSON.parse(readFileSync(`console/locales/${language}/widgets.json`, 'utf8')) as Record<string, string>
const english = wordsIn('en')

test.each(consoleLanguages)('the console has a name and a sentence for every widget that a form offers, in $label', ({ id }) => {
  const words = wordsIn(id)
  expect(ofFields).toContain('rows-field')
  expect(Object.keys(words).sort()).toEqual(ofFields.flatMap((type) => [type, `${type}_about`]).sort())
  const said = Object.entries(words)
  expect(said.filter(([, text]) => text.trim() === '')).toEqual([])
  expect(said.filter(([key, text]) => id !== 'en' && key.endsWith('_about') && text === english[key])).toEqual([])
})

test('a widget without words of the console has its own', () => {
  const french = wordsIn('fr')
  const say = (key: string) => french[key.slice('widgets.'.length)] ?? key
  expect(widgetWords(say, 'select-field').name).toBe('Liste de choix')
  expect(widgetWords(say, 'rows-field').about).toBe(french['rows-field_about'])
  expect(widgetWords(say, 'nav-bar').name).toBe('Nav bar')
  expect(widgetWords(say, 'nav-bar').about).not.toBe('')
})
