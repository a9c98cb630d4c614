import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { copyTexts, orderTexts, otcTexts, statementTexts } from '#api-server/file-texts.ts'
import { accountKinds, eventKinds } from '#contract/accounts.ts'
import { spotKinds, spotStates } from '#contract/calls/c2c.calls.ts'
import { dualOrderStates, dualTypes } from '#contract/calls/dual.calls.ts'
import { closeReasons } from '#contract/calls/lever.rows.ts'
import { optionStates } from '#contract/calls/mic.calls.ts'
import { otcOrderStates, otcSides } from '#contract/calls/otc.calls.ts'
import { loadTexts } from '#server-kit/ops/texts.ts'

const [bill, orders, otc, copies, dual] = [
  statementTexts(),
  orderTexts(),
  otcTexts(),
  copyTexts(),
  loadTexts('locales', 'orders', 'invest', 'statement'),
]
const words = (language: string, area: string) =>
  JSON.parse(readFileSync(`locales/${language}/${area}.json`, 'utf8')) as Record<string, string>

const said = [
  ...eventKinds.map((kind) => `kind_${kind}`),
  ...accountKinds.map((kind) => `account_${kind}`),
  ...['available', 'frozen', 'margin', 'long', 'short', 'option_up', 'option_down'],
  ...closeReasons.map((reason) => `reason_${reason}`),
  ...optionStates.map((state) => `option_${state}`),
]
const saidOfOrders = ['side_buy', 'side_sell', ...spotKinds.map((kind) => `kind_${kind}`), ...spotStates.map((state) => `state_${state}`)]
const saidOfOtc = [...otcSides.map((side) => `side_${side}`), ...otcOrderStates.map((state) => `state_${state}`), 'changed']
const saidOfDual = [...dualTypes.map((type) => `type_${type}`), ...dualOrderStates.map((state) => `state_${state}`), 'shares', 'deposit']
const saidOfCopies = ['long', 'short', 'fee', ...closeReasons.map((reason) => `reason_${reason}`)]

test.each(bill.languages)('%s: files say what their screens say', (language) => {
  expect(said.filter((key) => bill.say(language, key) === key)).toEqual([])
  expect(saidOfOrders.filter((key) => orders.say(language, key) === key)).toEqual([])
  const [contract, assets, spot] = ['contract', 'assets', 'spot'].map((area) => words(language, area))
  for (const key of ['long', 'short']) expect(bill.say(language, key)).toBe(contract![key])
  for (const key of ['available', 'frozen']) expect(bill.say(language, key)).toBe(assets![key])
  for (const key of saidOfOrders) expect(orders.say(language, key)).toBe(spot![key])
  for (const key of saidOfOtc) expect(otc.say(language, key)).toBe(words(language, 'otc')[key])
  for (const key of saidOfDual) expect(dual.say(language, key)).toBe(words(language, 'invest')[key])
  for (const key of saidOfCopies) expect(copies.say(language, key)).toBe(contract![key])
  for (const key of ['copies_open', 'copies_closed']) expect(copies.say(language, key)).toBe(words(language, 'follow')[key])
})

test.each(bill.languages)('%s: the card of a position says what the list of closings says', (language) => {
  const [screen, card] = ['contract', 'widget'].map((area) => words(language, area))
  for (const reason of closeReasons) {
    expect(screen![`reason_${reason}`], reason).toBeTruthy()
    expect(card![`position_closed_${reason}`]).toBe(screen![`reason_${reason}`])
  }
})
