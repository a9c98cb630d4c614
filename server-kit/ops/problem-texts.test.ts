import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clientProblems, problems } from '#contract/problem.ts'
import { chooseLanguage, loadTexts } from '#server-kit/ops/texts.ts'

const texts = loadTexts('locales', 'problem')
const keys = [...Object.keys(problems), ...clientProblems, 'delete_data_failed', 'local_data_setting_failed']

test('the eight languages are there', () => {
  expect([...texts.languages].sort()).toEqual(['en', 'es', 'fr', 'hk', 'ja', 'ko', 'th', 'zh'])
})

test.each(keys)('%s has a text of its own in every language', (key) => {
  const said = texts.languages.map((lang) => texts.say(lang, key))
  expect(said).not.toContain(key)
  expect(new Set(said).size).toBeGreaterThanOrEqual(texts.languages.length - 1)
  for (const text of said) expect(text).toMatch(/^\S.{0,118}\S$/)
})

test.each<[asked: string | undefined, language: string]>([
  [undefined, 'en'],
  ['', 'en'],
  ['ja', 'ja'],
  ['JA', 'ja'],
  ['zh-CN', 'zh'],
  ['zh-Hant-TW-x-y', 'zh'],
  ['zh-TW', 'hk'],
  ['fra', 'fr'],
  ['zz', 'en'],
  ['__proto__', 'en'],
  ['constructor', 'en'],
  ['../../etc/passwd', 'en'],
])('%s is answered in %s', (asked, language) => {
  expect(chooseLanguage(asked, texts.languages)).toBe(language)
})

test('a language without a file of the area speaks English; English itself must have one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'texts-'))
  for (const language of ['en', 'pt']) mkdirSync(join(folder, language))
  expect(() => loadTexts(folder, 'mail')).toThrow('ENOENT')
  writeFileSync(join(folder, 'en/mail.json'), '{"hello":"Hello"}')
  expect(loadTexts(folder, 'mail').say('pt', 'hello')).toBe('Hello')
  rmSync(folder, { recursive: true })
})
