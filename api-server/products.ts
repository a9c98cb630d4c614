import { dual } from '#api-server/dual/dual.ts'
import { ieo } from '#api-server/ieo/ieo.ts'
import type { Module } from '#api-server/kit/module.ts'
import type { DefinedTerms } from '#api-server/kit/terms.ts'
import { mining } from '#api-server/mining/mining.ts'
import { tradingTerms } from '#api-server/trading/terms.ts'
import { walletTerms } from '#api-server/wallet/wallet.terms.ts'

/**
 * Products that need nothing but the ports of the kit, in the order in which they are made. A product is named here once: the server runs it, its
 * migrations are those of the database, the audit runs its checks, and the tests of all products have it on their stage.
 */
export const products: readonly Module[] = [dual, ieo, mining]

/** Terms of all products, also of those that need more than the ports. */
export const termsOfProducts: readonly DefinedTerms[] = [
  ...Object.values(tradingTerms),
  ...Object.values(walletTerms),
  ...products.flatMap(({ terms }) => terms ?? []),
]
