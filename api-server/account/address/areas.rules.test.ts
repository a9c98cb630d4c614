import { expect, test } from 'vitest'
import { callingCode, searchAreas } from '#api-server/account/address/areas.rules.ts'
import { areas } from '#api-server/account/address/areas.ts'

test('each area is there once and has a calling code and a name in every language', () => {
  expect(new Set(areas.map(({ iso }) => iso)).size).toBe(areas.length)
  for (const lang of ['zh', 'en', 'hk', 'th', 'ja', 'ko', 'fr', 'es'])
    for (const { iso, code, name } of searchAreas(lang)) {
      expect(iso).toMatch(/^[A-Z]{2}$/)
      expect(code).toMatch(/^[1-9]\d{0,3}$/)
      expect(name, `${lang} ${iso}`).not.toBe(iso)
    }
})

test.each<[lang: string, keyword: string, isos: string[]]>([
  ['en', 'germ', ['DE']],
  ['en', '+886', ['TW']],
  ['en', '852', ['HK']],
  ['zh', '中国', ['CN', 'HK', 'MO']],
  ['ja', '日本', ['JP']],
  ['fr', 'ALLEMAGNE', ['DE']],
  ['es', 'cn', ['CN']],
  ['en', '(a+)+$', []],
  ['en', "' or 1=1", []],
])('in %s, %s finds %j', (lang, keyword, isos) => {
  const found = searchAreas(lang, keyword).map(({ iso }) => iso)
  expect(found.filter((iso) => isos.includes(iso)).sort()).toEqual(isos)
  if (!isos.length) expect(found).toEqual([])
})

test('names stand in the order of the language', () => {
  expect(searchAreas('en')[0]!.name).toBe('Afghanistan')
  expect(searchAreas('es')[0]!.name).toBe('Afganistán')
})

test.each<[code: string | undefined, id: number | undefined, calling: string | undefined]>([
  [undefined, undefined, '86'],
  ['44', undefined, '44'],
  ['+44', undefined, '44'],
  ['44', 42, '44'],
  [undefined, areas.find(({ iso }) => iso === 'JP')!.id, '81'],
  ['999', undefined, undefined],
  [undefined, 9_999, undefined],
])('code %s and id %s mean %s', (code, id, calling) => {
  expect(callingCode(code, id)).toBe(calling)
})
