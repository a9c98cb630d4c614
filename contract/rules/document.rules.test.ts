import { expect, test } from 'vitest'
import { documentNumber } from '#contract/rules/document.rules.ts'
import { cases } from '#tests/support/one-rule.ts'

test.each(cases.documents)('$type $text is stored as $stored', ({ type, text, stored }) => {
  expect(documentNumber(type, text) ?? '').toBe(stored)
})
