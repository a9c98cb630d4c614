import type { IdType } from '#contract/rules/document.rules.ts'
import table from '#tests/data/one-rule.json'

/** Inputs of rules that browser, server and scan apply alike, with what they give: '' for a text that is refused. */
export const cases = table as {
  emails: { text: string; stored: string }[]
  mobiles: { area: string; text: string; stored: string }[]
  logins: { area: string; text: string; kind: string; stored: string }[]
  /** `person` is a name on a document, `holder` one on a bank card. */
  names: { text: string; person: string; holder: string }[]
  cards: { field: 'bank_account' | 'alipay_account' | 'swift_code' | 'phone'; text: string; stored: string }[]
  /** A code without an address is refused as a whole; `problem` is what speaks against it for this coin on this chain. */
  codes: { coin: string; chain: string; code: string; address: string; tag: string; problem?: 'qrcode_differs' }[]
  destinations: { coin: string; chain: string; address: string; why: '' | 'own' | 'token' }[]
  /** `stored` is empty for signs or a length that no nickname has; a reserved one is refused though it could be stored. */
  nicknames: { text: string; stored: string; problem: '' | 'nickname_wrong' | 'nickname_reserved' }[]
  signatures: { text: string; stored: string }[]
  /** Typed amounts, prices and quantities; 0 is none. */
  amounts: { text: string; stored: string }[]
  /** Numbers of identity documents. */
  documents: { type: IdType; text: string; stored: string }[]
}
