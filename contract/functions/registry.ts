import { accountEmail } from '#contract/functions/account.email.function.ts'
import { accountLogin } from '#contract/functions/account.login.function.ts'
import { accountLoginKind } from '#contract/functions/account.loginKind.function.ts'
import { accountMobile } from '#contract/functions/account.mobile.function.ts'
import { accountNicknameProblem } from '#contract/functions/account.nicknameProblem.function.ts'
import { accountSignature } from '#contract/functions/account.signature.function.ts'
import { bankField } from '#contract/functions/bank.field.function.ts'
import { contractAddable } from '#contract/functions/contract.addable.function.ts'
import { contractExitPrice } from '#contract/functions/contract.exitPrice.function.ts'
import { contractFee } from '#contract/functions/contract.fee.function.ts'
import { contractFillPrice } from '#contract/functions/contract.fillPrice.function.ts'
import { contractGain } from '#contract/functions/contract.gain.function.ts'
import { contractLimitPrice } from '#contract/functions/contract.limitPrice.function.ts'
import { contractLiquidationPrice } from '#contract/functions/contract.liquidationPrice.function.ts'
import { contractMargin } from '#contract/functions/contract.margin.function.ts'
import { contractMarginRatio } from '#contract/functions/contract.marginRatio.function.ts'
import { contractMostLots } from '#contract/functions/contract.mostLots.function.ts'
import { contractNotional } from '#contract/functions/contract.notional.function.ts'
import { contractProfit } from '#contract/functions/contract.profit.function.ts'
import { contractRemovable } from '#contract/functions/contract.removable.function.ts'
import { contractResult } from '#contract/functions/contract.result.function.ts'
import { contractRiskRate } from '#contract/functions/contract.riskRate.function.ts'
import { contractWorstPrice } from '#contract/functions/contract.worstPrice.function.ts'
import { contractWorstUnrealised } from '#contract/functions/contract.worstUnrealised.function.ts'
import { type AnyFunction, operatorsOf } from '#contract/functions/define.ts'
import { dualCost } from '#contract/functions/dual.cost.function.ts'
import { dualDays } from '#contract/functions/dual.days.function.ts'
import { dualOutcome } from '#contract/functions/dual.outcome.function.ts'
import { dualPayout } from '#contract/functions/dual.payout.function.ts'
import { dualRate } from '#contract/functions/dual.rate.function.ts'
import { dualWorth } from '#contract/functions/dual.worth.function.ts'
import { followCopyLots } from '#contract/functions/follow.copyLots.function.ts'
import { identityName } from '#contract/functions/identity.name.function.ts'
import { identityNumber } from '#contract/functions/identity.number.function.ts'
import { ieoCharge } from '#contract/functions/ieo.charge.function.ts'
import { ieoCost } from '#contract/functions/ieo.cost.function.ts'
import { ieoGets } from '#contract/functions/ieo.gets.function.ts'
import { ieoRelease } from '#contract/functions/ieo.release.function.ts'
import { miningIncome } from '#contract/functions/mining.income.function.ts'
import { miningPenalty } from '#contract/functions/mining.penalty.function.ts'
import { moneyStep } from '#contract/functions/money.step.function.ts'
import { optionBreakEvenRate } from '#contract/functions/option.breakEvenRate.function.ts'
import { optionOutcome } from '#contract/functions/option.outcome.function.ts'
import { optionPayout } from '#contract/functions/option.payout.function.ts'
import { otcTotal } from '#contract/functions/otc.total.function.ts'
import { spotCost } from '#contract/functions/spot.cost.function.ts'
import { spotFee } from '#contract/functions/spot.fee.function.ts'
import { spotMost } from '#contract/functions/spot.most.function.ts'
import { spotReceived } from '#contract/functions/spot.received.function.ts'
import { spotWorst } from '#contract/functions/spot.worst.function.ts'
import { termsFits } from '#contract/functions/terms.fits.function.ts'
import { tradeMoved } from '#contract/functions/trade.moved.function.ts'
import { walletCodeAddress } from '#contract/functions/wallet.codeAddress.function.ts'
import { walletCodeNames } from '#contract/functions/wallet.codeNames.function.ts'
import { walletCodeTag } from '#contract/functions/wallet.codeTag.function.ts'
import { walletCodeTags } from '#contract/functions/wallet.codeTags.function.ts'
import { walletDestination } from '#contract/functions/wallet.destination.function.ts'
import { walletExchangeReceived } from '#contract/functions/wallet.exchangeReceived.function.ts'
import { walletReadableRate } from '#contract/functions/wallet.readableRate.function.ts'
import { walletWithdrawFee } from '#contract/functions/wallet.withdrawFee.function.ts'
import { walletWithdrawReceived } from '#contract/functions/wallet.withdrawReceived.function.ts'

/** All functions that documents may call, in order of name. `npm run new:function` adds a line. */
export const functions = [
  accountEmail,
  accountLogin,
  accountLoginKind,
  accountMobile,
  accountNicknameProblem,
  accountSignature,
  bankField,
  contractAddable,
  contractExitPrice,
  contractFee,
  contractFillPrice,
  contractGain,
  contractLimitPrice,
  contractLiquidationPrice,
  contractMargin,
  contractMarginRatio,
  contractMostLots,
  contractNotional,
  contractProfit,
  contractRemovable,
  contractResult,
  contractRiskRate,
  contractWorstPrice,
  contractWorstUnrealised,
  dualCost,
  dualDays,
  dualOutcome,
  dualPayout,
  dualRate,
  dualWorth,
  followCopyLots,
  identityName,
  identityNumber,
  ieoCharge,
  ieoCost,
  ieoGets,
  ieoRelease,
  miningIncome,
  miningPenalty,
  moneyStep,
  optionBreakEvenRate,
  optionOutcome,
  optionPayout,
  otcTotal,
  spotCost,
  spotFee,
  spotMost,
  spotReceived,
  spotWorst,
  termsFits,
  tradeMoved,
  walletCodeAddress,
  walletCodeNames,
  walletCodeTag,
  walletCodeTags,
  walletDestination,
  walletExchangeReceived,
  walletReadableRate,
  walletWithdrawFee,
  walletWithdrawReceived,
] as unknown as readonly AnyFunction[]

/** The functions as operators of the language, by name. */
export const functionOperators = operatorsOf(functions)
