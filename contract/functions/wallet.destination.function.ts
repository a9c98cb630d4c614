import { defineFunction } from '#contract/functions/define.ts'
import { destinationProblem } from '#contract/rules/payment.rules.ts'

export const walletDestination = defineFunction({
  name: 'wallet.destination',
  about: 'Why an address is no destination: own (a deposit address of this platform), token (the contract of a token); empty for others.',
  params: { address: 'text' },
  result: 'text',
  examples: [
    { args: { address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' }, gives: 'token' },
    { args: { address: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh' }, gives: '' },
  ],
  run: ({ address }) => ({ wallet_address_own: 'own', wallet_address_token: 'token', none: '' })[destinationProblem(address) ?? 'none'],
})
