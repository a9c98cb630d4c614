import * as z from 'zod'

/**
 * Accounts of a customer, numbered from 1: legal, change (spot and c2c; deposits and withdrawals), lever (contracts), micro (seconds
 * options).
 */
export const accountKinds = ['legal', 'change', 'lever', 'micro'] as const
export type AccountKind = (typeof accountKinds)[number]

/** Number of an account in the specification. */
export const accountId = (kind: AccountKind): number => accountKinds.indexOf(kind) + 1

/** An account by its number or name. */
export const accountText = z
  .enum([...accountKinds, '1', '2', '3', '4'])
  .transform((text): AccountKind => accountKinds[Number(text) - 1] ?? (text as AccountKind))
  .describe('1 or legal, 2 or change, 3 or lever, 4 or micro')
export const accountKind = z.enum(accountKinds)

/** Causes of balance changes. Each has its words `kind_<kind>` in locales/<language>/event.json. A new module adds its own. */
export const eventKinds = [
  'credit',
  'demo',
  'recharge',
  'withdraw_request',
  'withdraw_cancel',
  'withdraw_reject',
  'withdraw_done',
  'transfer',
  'exchange',
  'lever_order',
  'lever_move',
  'lever_cancel',
  'lever_fill',
  'lever_open',
  'lever_close',
  'lever_liquidate',
  'lever_overnight',
  'lever_margin_add',
  'lever_margin_remove',
  'option_open',
  'option_win',
  'option_lose',
  'option_refund',
  'spot_order',
  'spot_move',
  'spot_trade',
  'spot_release',
  'otc_order',
  'otc_release',
  'otc_settle',
  'dual_buy',
  'dual_settle',
  'dual_fail',
  'ieo_apply',
  'ieo_release',
  'ieo_supply',
  'ieo_allocate',
  'ieo_unlock',
  'mining_buy',
  'mining_income',
  'mining_return',
  'mining_close',
] as const
export type EventKind = (typeof eventKinds)[number]
