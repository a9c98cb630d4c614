import { readFileSync } from 'node:fs'
import i18next from 'i18next'
import { describe, expect, test } from 'vitest'
import type { AppDoc } from '#language/documents/documents.ts'
import { createI18n } from '#renderer/device/i18n.ts'
import { badTexts } from '#tests/support/bad-inputs.ts'

const app = JSON.parse(readFileSync('schemas/app.json', 'utf8')) as AppDoc
const kinds = [
  'text-control',
  'text-unicode',
  'text-length',
  'xss',
  'sql',
  'csv',
  'log',
  'path',
  'regex',
  'url',
  'email',
  'lang',
  'num-format',
  'num-unicode',
]
const nested = [
  '$t(common.ok)',
  '$t(home.search, {"count": 1})',
  '{{name}}',
  '{{- name}}',
  '{{name, number}}',
  '$1$&$`',
  '%s',
  '__proto__',
  '{{',
  '}}',
  '\\{\\{name}}',
  '$t(',
  '((name))',
  'a|b',
  '<b>x</b>&amp;',
]
const inputs = [...new Set([...badTexts(...kinds).map(({ value }) => value), ...nested])]

/** Texts that people and operators write are inserted into words of all languages. */
describe.each(app.languages)('$id', ({ id }) => {
  const i18n = createI18n(i18next.createInstance(), {
    languages: () => app.languages,
    defaultLanguage: () => app.defaultLanguage,
    language: id,
    fetchTexts: async () => ({}),
  })
  const home = JSON.parse(readFileSync(`locales/${id}/home.json`, 'utf8')) as Record<string, string>
  i18n.addArea(id, 'home', {
    ...home,
    plain: '{{name}}',
    twice: '{{name}}|{{other}}|{{name}}',
    n_other: '{{name}} {{count}}',
    n_one: '{{name}} {{count}}',
  })

  test('what is put into a text comes out as it went in', () => {
    for (const input of inputs) {
      expect(i18n.say('home.plain', { name: input })).toBe(input)
      expect(i18n.say('home.twice', { name: input, other: '{{name}}' })).toBe(`${input}|{{name}}|${input}`)
      expect(i18n.say('home.n', { name: input, count: 2 })).toBe(`${input} 2`)
      const [before = '', between = '', after = ''] = (home.news_note ?? '').split(/\{\{\w+\}\}/)
      const ageFirst = (home.news_note ?? '').indexOf('{{age}}') < (home.news_note ?? '').indexOf('{{summary}}')
      expect(i18n.say('home.news_note', { age: input, summary: 'S' })).toBe(
        ageFirst ? `${before}${input}${between}S${after}` : `${before}S${between}${input}${after}`,
      )
    }
  })

  test('names among the arguments are no options, and words of operators nest nothing', () => {
    for (const name of ['lng', 'ns', 'defaultValue', 'returnObjects', 'context', 'interpolation', 'postProcess', 'replace', 'nest'])
      expect(i18n.say('home.plain', { name: 'ok', [name]: '$t(home.search)' })).toBe('ok')
    i18n.addArea(id, 'odd', { key: '$t(home.search) {{name}}', html: '<b>{{name}}</b>' })
    expect(i18n.say('odd.key', { name: '$t(home.search)' })).toBe('$t(home.search) $t(home.search)')
    expect(i18n.say('odd.html', { name: '<i>' })).toBe('<b><i></b>')
  })
})
