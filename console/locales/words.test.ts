import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const here = import.meta.dirname
const languages = ['zh', 'hk', 'th', 'ja', 'ko', 'fr', 'es']
const areas = readdirSync(join(here, 'en')).sort()

type Words = Map<string, string>

function flat(value: Record<string, unknown>, before: string, into: Words): Words {
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner === 'string') into.set(before + key, inner)
    else flat(inner as Record<string, unknown>, `${before}${key}.`, into)
  }
  return into
}
function wordsOf(language: string): Words {
  const words: Words = new Map()
  for (const area of areas) flat(JSON.parse(readFileSync(join(here, language, area), 'utf8')), `${area.slice(0, -5)}.`, words)
  return words
}
const english = wordsOf('en')
const isPlural = (stem: string) => english.has(`${stem}_one`) && english.has(`${stem}_other`)

/** The English keys in their order, with the plural forms of a language. */
function keysFor(language: string): string[] {
  const tag = language === 'hk' ? 'zh-Hant-HK' : language
  const forms = new Intl.PluralRules(tag).resolvedOptions().pluralCategories
  return [...english.keys()].flatMap((key) => {
    const stem = key.replace(/_(?:one|other)$/, '')
    if (stem === key || !isPlural(stem)) return [key]
    if (key.endsWith('_one')) return forms.includes('one') ? [key] : []
    return [...(forms.includes('many') ? [`${stem}_many`] : []), key]
  })
}
const englishKey = (key: string) => (english.has(key) ? key : key.replace(/_many$/, '_other'))
const placeholders = (text: string) => (text.match(/\{\{\w+\}\}/g) ?? []).sort().join(' ')

/** Texts that may equal the English one: names, abbreviations, examples of input, and words that a language shares. */
const same: Record<string, string[]> = {
  any: ['JSON', 'OK', 'SMS', 'UID', 'Fiat', 'ann', 'release.publish', 'draft 12', 'data.info.available > 0 and session.logged_in'],
  fr: [
    ...['Document', 'Documents', 'Fragment', 'Fragments', 'Fragment {{name}}', 'Validation', 'Validations', 'Routes', 'Page', 'Pages'],
    ...['Menu', 'Message', 'Code', 'Date', 'Note', 'Type', 'Conditions', 'Conversion', 'badge', 'widget'],
    ...['Instruments', 'Version', 'Versions', 'Indices', 'Liquidations', 'Positions', 'Net', 'Lots', 'Total', 'Futures'],
    ...['Options', 'Crypto', 'Long', 'Short', 'Take profit', 'Stop loss'],
  ],
  th: ['Long', 'Short'],
  es: ['Total', 'Take profit', 'Stop loss', 'No', 'no', 'Back office', 'Editor', 'Roles', 'widget', 'Widget: {{found}}'],
}
const letters = (text: string) => text.replace(/\{\{\w+\}\}/g, '').replace(/\P{L}/gu, '')

function sourcesUnder(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((one) => one.isFile() && one.name.endsWith('.tsx') && !one.name.includes('.test.'))
    .map((one) => join(one.parentPath, one.name))
}

describe.each(languages)('words of the console in %s', (language) => {
  const words = wordsOf(language)
  it('has the keys of English in their order, and no others', () => {
    expect([...words.keys()]).toEqual(keysFor(language))
  })
  it('has the same placeholders', () => {
    const wrong = [...words].filter(([key, text]) => {
      const wanted = english.get(englishKey(key))
      return wanted !== undefined && placeholders(text) !== placeholders(wanted)
    })
    expect(wrong).toEqual([])
  })
  it('leaves no text empty', () => {
    expect([...words].filter(([, text]) => text.trim() === '')).toEqual([])
  })
  it('leaves no text in English', () => {
    const allowed = new Set([...same.any!, ...(same[language] ?? [])])
    const left = [...words].filter(([key, text]) => text === english.get(englishKey(key)) && !allowed.has(text))
    // A text of placeholders, signs and units alone needs no translation.
    expect(left.filter(([, text]) => letters(text) !== '' && letters(text) !== 'ms')).toEqual([])
  })
})

it('has English words for every key that the code says', () => {
  const missing: string[] = []
  for (const path of sourcesUnder(join(here, '..')))
    for (const [, key] of readFileSync(path, 'utf8').matchAll(/\bsay\(\s*['"`]([a-z]+\.[\w.-]+)['"`]/g))
      if (!english.has(key!) && !isPlural(key!)) missing.push(`${path.slice(here.length - 'locales'.length)}: ${key}`)
  expect(missing).toEqual([])
})
