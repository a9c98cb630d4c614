import * as z from 'zod'

/** Where a customer's money stands: 1 legal, 2 change (spot and c2c; deposits arrive and withdrawals leave here), 3 lever (contracts), 4 micro (seconds options). */
export const accountKinds = ['legal', 'change', 'lever', 'micro'] as const
export type AccountKind = (typeof accountKinds)[number]

/** The number that the specification gives to an account. */
export const accountId = (kind: AccountKind): number => accountKinds.indexOf(kind) + 1

/** An account by its number or its name. */
export const accountText = z
  .enum([...accountKinds, '1', '2', '3', '4'])
  .transform((text): AccountKind => accountKinds[Number(text) - 1] ?? (text as AccountKind))
  .describe('1 or legal, 2 or change, 3 or lever, 4 or micro')
export const accountKind = z.enum(accountKinds)

/**
 * What a change of balance came from; each is a word of the bill (`bill.kind.<kind>`).
 * A new business adds its own.
 */
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
  'lever_cancel',
  'lever_fill',
  'lever_open',
  'lever_close',
  'lever_liquidate',
  'lever_overnight',
  'lever_margin_add',
  'lever_margin_remove',
] as const
export type EventKind = (typeof eventKinds)[number]
