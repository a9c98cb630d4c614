import { expect, test } from 'vitest'
import { ledElsewhere } from '#console/preview/sets.ts'

const page = (auth: boolean, kyc: number) => ({ screen: 'fund.withdraw', auth, kyc })
const visitor = { customer: false, kyc: 0 }
const customer = (kyc: number) => ({ customer: true, kyc })

test.for([
  ['a visitor at the login', page(true, 0), 'common.login', visitor, true],
  ['a customer where a verification is asked for', page(true, 2), 'home.home', customer(1), true],
  ['a customer on the page itself', page(true, 0), 'fund.withdraw', customer(0), false],
  ['a customer who went on', page(true, 0), 'home.home', customer(0), false],
  ['a visitor who went on from an open page', page(false, 0), 'home.home', visitor, false],
  ['a visitor before the app shows anything', page(true, 0), null, visitor, false],
  ['nothing was asked for', undefined, 'home.home', visitor, false],
] as const)('%s', ([, asked, screen, person, led]) => {
  expect(ledElsewhere(asked, screen, person)).toBe(led ? asked : undefined)
})
