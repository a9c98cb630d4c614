import { contractFee } from '#contract/functions/contract.fee.function.ts'
import { contractLiquidationPrice } from '#contract/functions/contract.liquidationPrice.function.ts'
import { contractMargin } from '#contract/functions/contract.margin.function.ts'
import { contractMostLots } from '#contract/functions/contract.mostLots.function.ts'
import { contractNotional } from '#contract/functions/contract.notional.function.ts'
import { contractProfit } from '#contract/functions/contract.profit.function.ts'
import { type AnyFunction, operatorsOf } from '#contract/functions/define.ts'
import { moneyStep } from '#contract/functions/money.step.function.ts'
import { spotCost } from '#contract/functions/spot.cost.function.ts'
import { spotFee } from '#contract/functions/spot.fee.function.ts'
import { spotMost } from '#contract/functions/spot.most.function.ts'
import { spotReceived } from '#contract/functions/spot.received.function.ts'
import { spotWorst } from '#contract/functions/spot.worst.function.ts'
import { walletExchangeReceived } from '#contract/functions/wallet.exchangeReceived.function.ts'
import { walletReadableRate } from '#contract/functions/wallet.readableRate.function.ts'
import { walletWithdrawFee } from '#contract/functions/wallet.withdrawFee.function.ts'
import { walletWithdrawReceived } from '#contract/functions/wallet.withdrawReceived.function.ts'

/** Every function that documents may call, in the order of their names. `npm run new:function` adds a line. */
export const functions = [
  contractFee,
  contractLiquidationPrice,
  contractMargin,
  contractMostLots,
  contractNotional,
  contractProfit,
  moneyStep,
  spotCost,
  spotFee,
  spotMost,
  spotReceived,
  spotWorst,
  walletExchangeReceived,
  walletReadableRate,
  walletWithdrawFee,
  walletWithdrawReceived,
] as unknown as readonly AnyFunction[]

/** The functions as operators of the language, by name. */
export const functionOperators = operatorsOf(functions)
