import { defineFunction } from '#contract/functions/define.ts'
import { readPayment } from '#contract/rules/payment.rules.ts'

export const walletCodeAddress = defineFunction({
  name: 'wallet.codeAddress',
  about: 'The receiver in the text of a QR code, never the contract of a token; empty for a code that cannot be read whole.',
  params: { code: 'text' },
  result: 'text',
  examples: [
    {
      args: {
        code: 'ethereum:0xdAC17F958D2ee523a2206206994597C13D831ec7@1/transfer?address=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed&uint256=1',
      },
      gives: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    },
    { args: { code: 'https://example.com' }, gives: '' },
  ],
  run: ({ code }) => readPayment(code)?.address ?? '',
})
