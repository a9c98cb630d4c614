import { expect, test } from 'vitest'
import { dateFormat } from '#widgets/parts/values/dates.rules.ts'

test.each(['en', 'es', 'fr', 'ja', 'ko', 'th', 'zh-Hans', 'zh-Hant-HK'])('a year is the same in %s as elsewhere', (tag) => {
  const parts = dateFormat(tag, { dateStyle: 'long', timeZone: 'UTC' }).formatToParts(Date.UTC(2026, 10, 27))
  expect(parts.find(({ type }) => type === 'year')?.value).toBe('2026')
})
