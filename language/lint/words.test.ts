import { describe, expect, test } from 'vitest'
import type { TextCatalog } from '#language/catalog.ts'
import { lintWith } from '#language/testdata/linted.ts'
import { texts } from '#language/testdata/project.ts'

describe('words', () => {
  const change = (language: string, area: string, words: Record<string, string | undefined>) => {
    const all = texts()
    for (const [key, value] of Object.entries(words)) {
      const area_ = all[language]?.[area] as Record<string, string>
      if (value === undefined) delete area_[key]
      else area_[key] = value
    }
    return all
  }
  const rows: [string, TextCatalog, RegExp, string][] = [
    ['a language that lacks a key', change('ja', 'orders', { sure: undefined }), /"orders.sure" has no text in ja/, 'text-keys'],
    ['a language that lacks a placeholder', change('ja', 'orders', { cancel: '取消' }), /uses \{\{symbol\}\} in en, not in ja/, 'locales'],
    ['a key that nothing says', change('en', 'orders', { lost: 'x' }), /no document says "orders.lost"/, 'locales'],
    ['an emptied label', change('ja', 'orders', { hello: ' ' }), /"orders.hello" is empty in ja/, 'locales'],
    ['a label that is too long', change('ja', 'orders', { hello: 'x'.repeat(70) }), /has 70 characters in ja; 60 fit/, 'labels'],
    ['a label of an entry that is too long', change('en', 'app', { home: 'x'.repeat(30) }), /has 30 characters in en; 24 fit/, 'labels'],
    ['braces that do not close', change('ja', 'orders', { hello: '{{name' }), /braces/, 'locales'],
  ]
  test.each(rows)('%s', (_, words, said, check) => {
    const found = lintWith([], words).filter((problem) => said.test(problem.message) && problem.check === check)
    expect(found.length).toBeGreaterThan(0)
    expect(found[0]?.file).toMatch(check === 'locales' ? /^locales\// : /^schemas\//)
  })
  test.each(['en', 'ja', 'ko', 'th'])('a placeholder that %s alone lost, or misspelt, is laid to it', (wrong) => {
    for (const [words, said] of [
      ['none', /not in (\w+)$/],
      ['{{symbool}}', /(?:not in (\w+)|in (\w+), unlike most languages)$/],
    ] as const) {
      const one = texts()
      const all: TextCatalog = { en: one.en!, ja: one.ja!, ko: structuredClone(one.en!), th: structuredClone(one.en!) }
      ;(all[wrong]?.orders as Record<string, string>).cancel = words
      const languages = ['en', 'ja', 'ko', 'th'].map((id) => ({ id, tag: id, label: id }))
      const problems = lintWith([['schemas/app.json', '/languages', languages]], all).filter(({ check }) => check === 'locales')
      expect(problems.length).toBeGreaterThan(0)
      for (const { file, message } of problems)
        expect([file, message]).toEqual([`locales/${wrong}/orders.json`, expect.stringMatching(said)])
    }
  })
  test('one plural form is enough in a language that has but one', () => {
    const words = change('ja', 'orders', { count_one: undefined })
    expect(lintWith([], words)).toEqual([])
  })
})
