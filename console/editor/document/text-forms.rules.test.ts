import { expect, test } from 'vitest'
import { formsOf, lacksWords } from '#console/editor/document/text-forms.rules.ts'

const texts = {
  en: {
    a: {
      plain: 'Plain',
      to_bank: 'To bank',
      to_wallet: 'To wallet',
      hits_one: '{{count}} hit',
      hits_other: '{{count}} hits',
      toast: 'T',
      void: '',
    },
  },
  fr: { a: { plain: 'Simple', to_bank: 'Banque', hits_one: '1', hits_many: 'm', hits_other: 'n', toast: 'T' } },
  ja: { a: { hits_other: '{{count}} 件', to_bank: '銀行', to_wallet: 'ウォレット', toast: 'T', void: 'x' } },
}
const languages = ['en', 'fr', 'ja']
const count = { $: 'data.n' }
test.for([
  ['one text', { $t: 'a.plain' }, 'en', ['a.plain'], false],
  ['one text that is missing', { $t: 'a.plain' }, 'ja', ['a.plain'], true],
  ['one text that is empty', { $t: 'a.void' }, 'en', ['a.void'], true],
  ['contexts', { $t: 'a.to', context: count }, 'en', ['a.to_bank', 'a.to_wallet'], false],
  ['a context that is missing', { $t: 'a.to', context: count }, 'fr', ['a.to_bank', 'a.to_wallet'], true],
  ['plural forms of English', { $t: 'a.hits', count }, 'en', ['a.hits_one', 'a.hits_other'], false],
  ['plural forms of French', { $t: 'a.hits', count }, 'fr', ['a.hits_one', 'a.hits_many', 'a.hits_other'], false],
  ['plural forms of Japanese', { $t: 'a.hits', count }, 'ja', ['a.hits_other'], false],
  ['a key that begins alike', { $t: 'a.to' }, 'en', ['a.to'], true],
  ['a new key', { $t: 'a.new', context: count }, 'en', ['a.new'], true],
] as const)('%s', ([, value, language, forms, lacks]) => {
  expect(formsOf(texts, languages, language, value)).toEqual(forms)
  expect(lacksWords(texts, languages, language, value)).toBe(lacks)
})
