import { defineFunction } from '#contract/functions/define.ts'
import { readPayment } from '#contract/rules/payment.rules.ts'

export const walletCodeTag = defineFunction({
  name: 'wallet.codeTag',
  about: 'The destination tag in the text of a QR code; empty for none.',
  params: { code: 'text' },
  result: 'text',
  examples: [
    { args: { code: 'xrpl:rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh?dt=42' }, gives: '42' },
    { args: { code: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh' }, gives: '' },
  ],
  run: ({ code }) => readPayment(code)?.tag ?? '',
})
