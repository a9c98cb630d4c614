import { defineFunction } from '#contract/functions/define.ts'
import { codeNames } from '#contract/rules/payment.rules.ts'

export const walletCodeNames = defineFunction({
  name: 'wallet.codeNames',
  about: 'Whether the text of a QR code has this receiver, in any spelling of one address.',
  params: { code: 'text', address: 'text' },
  result: 'boolean',
  examples: [
    {
      args: { code: 'BITCOIN:BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' },
      gives: true,
    },
    { args: { code: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', address: 'rrrrrrrrrrrrrrrrrrrrrhoLvTp' }, gives: false },
  ],
  run: ({ code, address }) => codeNames(code, address),
})
