import type { OfficePorts } from '#api-server/kit/decision.ts'
import type { OpenTerms } from '#api-server/kit/terms.ts'
import { assetsHandlers } from '#api-server/wallet/assets.handlers.ts'
import type { WalletContext } from '#api-server/wallet/context.ts'
import { seedDemoMoney } from '#api-server/wallet/demo.ts'
import { embeddedCustody } from '#api-server/wallet/deposit/custody.ts'
import { fundingHandlers } from '#api-server/wallet/deposit/funding.handlers.ts'
import { createFundingStore } from '#api-server/wallet/deposit/funding.store.ts'
import { rechargeHandlers } from '#api-server/wallet/deposit/recharge.handlers.ts'
import { exchangeHandlers } from '#api-server/wallet/exchange.handlers.ts'
import { rechargeQueue, withdrawalQueue } from '#api-server/wallet/funding.queue.ts'
import { createMovesStore, quoteKeptMs } from '#api-server/wallet/moves.store.ts'
import { createParameterStore } from '#api-server/wallet/parameter.store.ts'
import { statementHandlers } from '#api-server/wallet/statement.handlers.ts'
import { transferHandlers } from '#api-server/wallet/transfer.handlers.ts'
import { walletTerms } from '#api-server/wallet/wallet.terms.ts'
import { addressHandlers } from '#api-server/wallet/withdraw/address.handlers.ts'
import { createAddressStore } from '#api-server/wallet/withdraw/address.store.ts'
import { withdrawHandlers } from '#api-server/wallet/withdraw/withdraw.handlers.ts'
import type { fundingCalls } from '#contract/calls/funding.calls.ts'
import type { walletCalls } from '#contract/calls/wallet.calls.ts'
import type { Handlers } from '#server-kit/http/http.ts'
import type { PlannedJob } from '#server-kit/ops/every.ts'

type Made =
  | 'fourEyesUsd'
  | 'custody'
  | 'parameters'
  | 'funding'
  | 'addresses'
  | 'moves'
  | 'marksOf'
  | 'changed'
  | 'rowChanged'
  | 'queueChanged'
export type WalletDeps = Omit<WalletContext, Made> &
  Partial<Pick<WalletContext, 'custody' | 'marksOf' | 'changed' | 'rowChanged' | 'queueChanged'>> & { office: OfficePorts }

export interface Wallet {
  /** Calls of the wallet, except the lists that visitors may read. */
  readonly handlers: Omit<Handlers<typeof walletCalls>, 'currency.list' | 'wallet.getRateCurrency'>
  readonly fundingHandlers: Handlers<typeof fundingCalls>
  /** Reviews at the back office: deposits, then withdrawals. */
  readonly queues: {
    readonly recharge: ReturnType<typeof rechargeQueue.open>
    readonly withdraw: ReturnType<typeof withdrawalQueue.open>
  }
  readonly terms: readonly OpenTerms[]
  /** Gives demonstration money to an account, once. */
  seedDemo(uid: number): Promise<void>
  /** Removes expired quotes of all customers. @returns the number of removed quotes */
  sweep(): Promise<number>
  readonly jobs: readonly PlannedJob[]
}

/** Quotes removed by one statement, so that it does not block the database for long. */
export const sweepRows = 1_000
const sweepEveryMs = 3_600_000

/** The customers' money: deposits, withdrawals, transfers, exchanges and statements. */
export function createWallet({ office, ...deps }: WalletDeps): Wallet {
  const { database, secrets } = deps
  const context: WalletContext = {
    custody: embeddedCustody(secrets),
    marksOf: async () => [],
    changed: () => {},
    rowChanged: () => {},
    queueChanged: () => {},
    ...deps,
    fourEyesUsd: office.fourEyesUsd,
    parameters: createParameterStore(database),
    funding: createFundingStore(database),
    addresses: createAddressStore(database),
    moves: createMovesStore(database),
  }

  async function sweep(): Promise<number> {
    for (let removed = 0; ; ) {
      const some = await context.moves.removeQuotes(context.clock.now() - quoteKeptMs, sweepRows)
      removed += some
      if (some < sweepRows) return removed
    }
  }

  return {
    handlers: { ...assetsHandlers(context), ...statementHandlers(context), ...transferHandlers(context), ...exchangeHandlers(context) },
    fundingHandlers: {
      ...rechargeHandlers(context),
      ...withdrawHandlers(context),
      ...addressHandlers(context),
      ...fundingHandlers(context),
    },
    terms: [
      ...[walletTerms.exchange.open(office), walletTerms.level.open(office)],
      walletTerms.coin.open(office, { units: (_terms, key) => ({ coin: key }) }),
      walletTerms.route.open(office, { units: ({ currency: coin }) => ({ coin }) }),
    ],
    queues: { recharge: rechargeQueue.open(office, context), withdraw: withdrawalQueue.open(office, context) },
    seedDemo: (uid) => seedDemoMoney(context, uid),
    sweep,
    jobs: [{ name: 'wallet_quotes', everyMs: sweepEveryMs, work: sweep }],
  }
}
