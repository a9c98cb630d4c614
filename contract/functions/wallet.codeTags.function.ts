import { defineFunction } from '#contract/functions/define.ts'
import { codeTags } from '#contract/rules/payment.rules.ts'

export const walletCodeTags = defineFunction({
  name: 'wallet.codeTags',
  about: 'Whether a destination tag fits the text of a QR code: the same, or the code has none.',
  params: { code: 'text', tag: 'text' },
  result: 'boolean',
  examples: [
    { args: { code: 'xrpl:rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh?dt=42', tag: '042' }, gives: true },
    { args: { code: 'xrpl:rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh?dt=42', tag: '' }, gives: false },
  ],
  run: ({ code, tag }) => codeTags(code, tag),
})
