import { expect, test } from 'vitest'
import { movedAudit } from '#console/back-office/moved.rules.ts'

const day = new Date(2026, 10, 29).getTime()
test.each([
  ['', ''],
  ['?subject=draft+12', '?subject=draft+12'],
  ['?actor=ann%20%26%20bob&kind=release', '?operator=ann+%26+bob&kind=release'],
  ['?from=2026-11-29&to=2026-11-29', `?from=${day}&to=${day + 86_400_000}`],
  ['?from=soon&to=&page=3', ''],
])('the filter %s of the former page is %s now', (search, query) => {
  expect(movedAudit(search)).toBe(`/back-office/console_audit${query}`)
})
