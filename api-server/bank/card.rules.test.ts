import { describe, expect, test } from 'vitest'
import { type Card, cardHoldMs, cardLabel, maskCard, maskNumber, readCard, usableFrom } from '#api-server/bank/card.rules.ts'
import { type CardField, cardFieldNames } from '#contract/rules/card.rules.ts'
import { badTexts } from '#tests/support/bad-inputs.ts'
import { cases } from '#tests/support/one-rule.ts'

const least = { real_name: 'Ann Lee', bank_account: '6222 0202 8011 2233' }
const read = (typed: Partial<Record<CardField, string>>, before?: Card) => readCard(typed, before)
const cardOf = (typed: Partial<Record<CardField, string>>, before?: Card) => {
  const found = read(typed, before)
  if (found.outcome !== 'read') throw new Error(`${found.outcome} ${found.field}`)
  return found.card
}

test('absent fields become empty, and spaces around texts and within numbers are removed', () => {
  const card = cardOf({ ...least, bank_name: '  Harbour   Bank ' })
  expect(card).toEqual({
    ...Object.fromEntries(cardFieldNames.map((name) => [name, ''])),
    real_name: 'Ann Lee',
    bank_account: '6222020280112233',
    bank_name: 'Harbour Bank',
  })
})
describe('fields', () => {
  test.each<[CardField, string, string | undefined]>([
    ...cases.cards.map((one): [CardField, string, string | undefined] => [one.field, one.text, one.stored || undefined]),
    ...cases.names.map((one): [CardField, string, string | undefined] => ['real_name', one.text, one.holder || undefined]),
    ['wechat_nickname', 'HARBHKHH', 'HARBHKHH'],
    ['wechat_nickname', 'Ann', undefined],
    ['wechat_account', '1 Main Street, 2nd floor', '1 Main Street, 2nd floor'],
    ['bank_dizhi', 'Hong\u0007Kong', undefined],
  ])('%s %j', (field, typed, kept) => {
    const found = read({ ...least, [field]: typed })
    expect(found).toEqual(
      kept === undefined ? { outcome: 'card_wrong', field } : { outcome: 'read', card: expect.objectContaining({ [field]: kept }) },
    )
  })
  test.each<[CardField]>([['real_name'], ['bank_account']])('%s is required', (field) => {
    expect(read({ ...least, [field]: '  ' })).toEqual({ outcome: 'parameter_missing', field })
  })
  test.each(badTexts('text-control').map(({ value }) => value))('%j must fit on one line', (value) => {
    for (const field of cardFieldNames) {
      const found = read({ ...least, [field]: value })
      if (found.outcome === 'read') expect(found.card[field]).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u)
    }
  })
})

test('numbers are masked except for their end, and a masked number sent back leaves the stored one unchanged', () => {
  const card = cardOf({ ...least, phone: '+852 5555 0143', alipay_account: '021000021', bank_name: 'Harbour Bank' })
  const shown = maskCard(card)
  expect(shown).toMatchObject({ bank_account: '**** 2233', phone: '**** 0143', alipay_account: '**** 0021', bank_name: 'Harbour Bank' })
  expect(cardLabel(card)).toBe('Harbour Bank **** 2233')
  expect(cardOf({ ...shown, bank_name: 'Other Bank' }, card)).toEqual({ ...card, bank_name: 'Other Bank' })
  expect(read(shown)).toEqual({ outcome: 'card_wrong', field: 'bank_account' })
})
test.each([
  ['', ''],
  ['123', '**** **'],
  ['12345', '**** 45'],
  ['1234567890', '**** 7890'],
])('%j is shown as %j', (text, shown) => expect(maskNumber(text)).toBe(shown))

describe('the time from which a card can be used', () => {
  const card = cardOf({ ...least, bank_name: 'Harbour Bank' })
  const before = { card, usableFrom: 500 }
  test.each<[string, Card, typeof before | undefined, number]>([
    ['the first card waits', card, undefined, 1_000 + cardHoldMs],
    ['the same card as before', card, before, 500],
    ['a changed phone number does not delay', { ...card, phone: '+852 5555 0143' }, before, 500],
    ['another number waits', { ...card, bank_account: '6222020220112244' }, before, 1_000 + cardHoldMs],
    ['another holder waits', { ...card, real_name: 'Bob Lee' }, before, 1_000 + cardHoldMs],
    ['another bank waits', { ...card, swift_code: 'HARBHKHH' }, before, 1_000 + cardHoldMs],
  ])('%s', (_name, now, was, from) => expect(usableFrom(now, was, 1_000)).toBe(from))
})
