import { describe, expect, test } from 'vitest'
import { lintWith } from '#language/testdata/linted.ts'
import { texts } from '#language/testdata/project.ts'
import type { TextCatalog } from '#language/types/catalog.ts'

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
    ['an unused key', change('en', 'orders', { lost: 'x' }), /no document uses "orders.lost"/, 'locales'],
    ['an emptied label', change('ja', 'orders', { hello: ' ' }), /"orders.hello" is empty in ja/, 'locales'],
    ['a label that is too long', change('ja', 'orders', { hello: 'x'.repeat(70) }), /is 70 letters wide in ja; 60 fit/, 'labels'],
    ['a label of an entry that is too long', change('en', 'app', { home: 'x'.repeat(30) }), /is 30 letters wide in en; 24 fit/, 'labels'],
    [
      'a label of the same width with half the letters',
      change('ja', 'app', { home: 'ホーム画面を今すぐ開く設定' }),
      /is 26 letters wide in ja; 24 fit/,
      'labels',
    ],
    [
      'a button of a form that is too long',
      change('en', 'orders', { hello: 'x'.repeat(41) }),
      /is 41 letters wide in en; 40 fit/,
      'labels',
    ],
    [
      'a label of a field that is too long',
      change('ja', 'orders', { amount: 'x'.repeat(41) }),
      /is 41 letters wide in ja; 40 fit/,
      'labels',
    ],
    ['unclosed braces', change('ja', 'orders', { hello: '{{name' }), /braces/, 'locales'],
  ]
  test.each(rows)('%s', (_, words, said, check) => {
    const found = lintWith([], words).filter((problem) => said.test(problem.message) && problem.check === check)
    expect(found.length).toBeGreaterThan(0)
    expect(found[0]?.file).toMatch(check === 'locales' ? /^locales\// : /^schemas\//)
  })
  test.each([
    ['a choice of texts for each row', { map: ['data.names', { if: ['current', { t: ['orders.late'] }, { t: ['orders.gone'] }] }] }],
    ['an iteration in an iteration', { map: ['data.names', { map: ['data.names', { t: ['orders.late'] }] }] }],
  ])('a text inside %s is used, and one that is misspelt there is told', (_, logic) => {
    const said = (words: TextCatalog) =>
      lintWith([['schemas/screens/orders/place.json', '/body/1/props/label', { $: logic }]], words)
        .filter(({ message }) => message.includes('orders.late'))
        .map(({ check, message }) => `${check} ${message}`)
    const both = change('en', 'orders', { late: 'Late' })
    both.ja!.orders!.late = '遅延'
    expect(said(both)).toEqual([])
    expect(said(texts())).toEqual(['text-keys there is no text "orders.late"'])
  })
  test('a text that two languages lack is one problem, at the first place that shows it, and names both', () => {
    const all = change('ja', 'orders', { sure: undefined })
    all.ko = structuredClone(all.ja!)
    const languages = ['en', 'ja', 'ko'].map((id) => ({ id, tag: id, label: id }))
    const found = lintWith([['schemas/app.json', '/languages', languages]], all).filter(({ message }) => message.includes('orders.sure'))
    expect(found.map(({ check, message }) => `${check} ${message}`)).toEqual(['text-keys "orders.sure" has no text in ja, ko'])
  })
  test('an unused text that languages lack is one problem in the file of the text', () => {
    const all = change('en', 'orders', { lost: 'x' })
    all.ko = structuredClone(all.ja!)
    const languages = ['en', 'ja', 'ko'].map((id) => ({ id, tag: id, label: id }))
    const found = lintWith([['schemas/app.json', '/languages', languages]], all).filter(({ message }) => /lost" has no text/.test(message))
    expect(found.map(({ file, message }) => `${file} ${message}`)).toEqual(['locales/ja/orders.json "orders.lost" has no text in ja, ko'])
  })
  test('a tab bar whose entries are all hidden is refused', () => {
    const tabs = 'schemas/quick-entries/tabs.json'
    const found = lintWith([[tabs, '/entries/0/hidden', true]])
    expect(found.filter(({ check }) => check === 'tabs').map(({ pointer, message }) => `${pointer} ${message}`)).toEqual([
      '/entries all entries of the tab bar are hidden: customers could not change the page',
    ])
  })
  test('buttons of a prompt that are too long', () => {
    const words = change('en', 'orders', { gone: 'x'.repeat(25) })
    const prompt = 'schemas/prompts/cancel.json'
    const buttons = lintWith(
      [
        [prompt, '/ok', { $t: 'orders.gone' }],
        [prompt, '/cancel', { $t: 'orders.gone' }],
      ],
      words,
    )
    expect(buttons.filter(({ check }) => check === 'labels').map(({ pointer, message }) => `${pointer} ${message}`)).toEqual([
      '/ok "orders.gone" is 25 letters wide in en; 24 fit here',
      '/cancel "orders.gone" is 25 letters wide in en; 24 fit here',
    ])
  })
  test('the text beside a box to tick may have several lines', () => {
    const words = change('en', 'orders', { amount: 'x'.repeat(41) })
    const found = lintWith([['schemas/forms/order.json', '/fields/1/type', 'boolean']], words)
    expect(found.filter(({ check }) => check === 'labels')).toEqual([])
  })
  test.each(['en', 'ja', 'ko', 'th'])('a placeholder that only %s lacks or misspells is reported there', (wrong) => {
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
  const counted = (language: string, tag: string, forms: Record<string, string | undefined>) => {
    const all = change('en', 'orders', {})
    all[language] ??= structuredClone(all.en!)
    for (const [form, text] of Object.entries(forms)) {
      if (text === undefined) delete all[language]!.orders![`count_${form}`]
      else all[language]!.orders![`count_${form}`] = text
    }
    const languages = Object.keys(all).map((id) => ({ id, tag: id === language ? tag : id, label: id }))
    return lintWith([['schemas/app.json', '/languages', languages]], all).map(
      ({ check, severity, file, message, suggestion }) => `${check} ${severity} ${file} ${message} ${suggestion ?? ''}`,
    )
  }
  test.each([
    ['two forms in a language that has two', 'en', 'en', {}, []],
    ['one form in a language with only one', 'ja', 'ja', {}, []],
    [
      'no form for one',
      'en',
      'en',
      { one: undefined },
      ['plural-forms error locales/en/orders.json "orders.count" has no form for "one"; en counts one, other count_one'],
    ],
    [
      'the forms of English in Arabic',
      'ar',
      'ar',
      { few: 'x', two: 'x', many: 'x' },
      [
        'plural-forms error locales/ar/orders.json "orders.count" has no form for "zero"; ar counts zero, one, two, few, many, other count_zero',
      ],
    ],
    [
      'an unused form, with the tag of the language',
      'hk',
      'zh-Hant-HK',
      {},
      ['plural-forms warn locales/hk/orders.json "orders.count_one" is never shown; hk counts other '],
    ],
    [
      'an ordinal without all forms',
      'en',
      'en',
      { ordinal_one: '{{count}}st', ordinal_other: '{{count}}th', ordinal_two: '{{count}}nd' },
      [
        'plural-forms error locales/en/orders.json "orders.count" has no form for "ordinal_few"; en counts ordinal_one, ordinal_two, ordinal_few, ordinal_other count_ordinal_few',
      ],
    ],
  ] as const)('%s', (_, language, tag, forms, wanted) => {
    expect(counted(language, tag, forms)).toEqual(wanted)
  })
  test('an ending that is part of a word is not a plural form', () => {
    const all = change('en', 'orders', { hello_other: 'x' })
    expect(lintWith([], all).filter(({ check }) => check === 'plural-forms')).toEqual([])
  })
})
