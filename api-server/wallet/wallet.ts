import { addressHandlers } from '#api-server/wallet/address.handlers.ts'
import { createAddressStore } from '#api-server/wallet/address.store.ts'
import { assetsHandlers } from '#api-server/wallet/assets.handlers.ts'
import { embeddedCustody } from '#api-server/wallet/custody.ts'
import { seedDemoMoney } from '#api-server/wallet/demo.ts'
import { exchangeHandlers } from '#api-server/wallet/exchange.handlers.ts'
import { fundingHandlers } from '#api-server/wallet/funding.handlers.ts'
import { createFundingStore } from '#api-server/wallet/funding.store.ts'
import { createMovesStore } from '#api-server/wallet/moves.store.ts'
import { createParameterStore } from '#api-server/wallet/parameter.store.ts'
import type { WalletParts } from '#api-server/wallet/parts.ts'
import { rechargeHandlers } from '#api-server/wallet/recharge.handlers.ts'
import { createReview, type Review } from '#api-server/wallet/review.ts'
import { statementHandlers } from '#api-server/wallet/statement.handlers.ts'
import { transferHandlers } from '#api-server/wallet/transfer.handlers.ts'
import { withdrawHandlers } from '#api-server/wallet/withdraw.handlers.ts'
import type { fundingCalls } from '#contract/funding.calls.ts'
import type { walletCalls } from '#contract/wallet.calls.ts'
import type { Handlers } from '#server-kit/http.ts'

type Made = 'custody' | 'parameters' | 'funding' | 'addresses' | 'moves' | 'changed' | 'queueChanged'
export type WalletDeps = Omit<WalletParts, Made> & Partial<Pick<WalletParts, 'custody' | 'changed' | 'queueChanged'>>

export interface Wallet {
  /** Calls of the wallet but for the lists that every visitor may ask. */
  readonly handlers: Omit<Handlers<typeof walletCalls>, 'currency.list' | 'wallet.getRateCurrency'>
  readonly fundingHandlers: Handlers<typeof fundingCalls>
  /** The door for the operators' desk. */
  readonly review: Review
  /** Gives demonstration money to an account, once. */
  seedDemo(uid: number): Promise<void>
}

/** Everything that customers do with their money but trade. */
export function createWallet(deps: WalletDeps): Wallet {
  const { database, secrets } = deps
  const parts: WalletParts = {
    ...{ custody: embeddedCustody(secrets), changed: () => {}, queueChanged: () => {} },
    ...deps,
    ...{ parameters: createParameterStore(database), funding: createFundingStore(database) },
    ...{ addresses: createAddressStore(database), moves: createMovesStore(database) },
  }
  return {
    handlers: { ...assetsHandlers(parts), ...statementHandlers(parts), ...transferHandlers(parts), ...exchangeHandlers(parts) },
    fundingHandlers: { ...rechargeHandlers(parts), ...withdrawHandlers(parts), ...addressHandlers(parts), ...fundingHandlers(parts) },
    review: createReview(parts),
    seedDemo: (uid) => seedDemoMoney(parts, uid),
  }
}
