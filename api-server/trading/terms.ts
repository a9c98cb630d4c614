import { defineTerms } from '#api-server/kit/terms.ts'
import { misfitIn, termFieldsOf } from '#api-server/trading/typed.rules.ts'
import { type TermsByProduct, type TradeProduct, termsOf } from '#contract/trading.ts'

/** Terms of symbols by product; the key is the symbol. */

const define = <P extends TradeProduct>(product: P) =>
  defineTerms<TermsByProduct[P]>({
    product,
    actions: 'instrument',
    schema: termsOf[product] as never,
    fields: termFieldsOf[product] as never,
    check: (terms, before) => misfitIn(terms, before) as never,
  })

export const tradingTerms = { contract: define('contract'), option: define('option'), spot: define('spot') } as const
