import { expect, test } from 'vitest'
import { addressIn, fitted } from '#widgets/scan-field/payment.rules.ts'

const tron = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE'
const eth = '0x52908400098527886E0F7030069857D2E4169EE7'

test.each([
  [tron, tron],
  [`  ${tron}\n`, tron],
  [`tron:${tron}`, tron],
  [`bitcoin:${tron}?amount=0.5&label=x`, tron],
  [`BITCOIN:${tron}`, tron],
  [`ethereum:${eth}@1?value=2e18`, eth],
  [`ethereum:pay-${eth}`, eth],
  [`tron://${tron}/`, tron],
  ['https://example.com/pay', ''],
  ['https://abcdefghijklmnopqrstuvwxyz', ''],
  ['hello', ''],
  ['', ''],
  [`${tron} ${tron}`, ''],
])('%j names %j', (text, address) => {
  expect(addressIn(text)).toBe(address)
})

test.each([
  [400, 300, 800, 400, 300],
  [1600, 800, 800, 800, 400],
  [3000, 4000, 1000, 750, 1000],
  [0, 0, 100, 1, 1],
])('%d × %d within %d is %d × %d', (width, height, most, w, h) => {
  expect(fitted(width, height, most)).toEqual({ width: w, height: h })
})
