import type { Proofs } from '#api-server/account/proof.ts'
import type { CardReads } from '#api-server/bank/card.reads.ts'
import type { Currency, CurrencyReads } from '#api-server/currency/currency.reads.ts'
import type { Idempotency } from '#api-server/idempotency/idempotency.ts'
import type { LedgerReads } from '#api-server/ledger/ledger.reads.ts'
import type { Ledger } from '#api-server/ledger/ledger.ts'
import { readAmount } from '#api-server/wallet/amount.rules.ts'
import type { Custody } from '#api-server/wallet/deposit/custody.ts'
import type { Funding, FundingStore } from '#api-server/wallet/deposit/funding.store.ts'
import { priceAgeMsMax } from '#api-server/wallet/exchange.rules.ts'
import type { MovesStore } from '#api-server/wallet/moves.store.ts'
import type { ParameterStore } from '#api-server/wallet/parameter.store.ts'
import type { AddressStore } from '#api-server/wallet/withdraw/address.store.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { ChangedRow } from '#contract/topic.ts'
import type { TopicName } from '#contract/topics.ts'
import type { Database } from '#server-kit/db/db.ts'
import type { Clock } from '#server-kit/ops/clock.ts'
import type { Texts } from '#server-kit/ops/texts.ts'
import type { Secrets } from '#server-kit/security/secrets.ts'

/** One thing that an operator must know to pay: a word of the back office, and its value. */
export interface Detail {
  field: string
  value: string
}

/** What the handlers of the wallet stand on. */
export interface WalletParts {
  database: Database
  clock: Clock
  secrets: Secrets
  ledger: Ledger
  balances: LedgerReads
  once: Idempotency
  coins: CurrencyReads
  proofs: Proofs
  cards: CardReads
  custody: Custody
  /** Takes a picture of this account as the proof of a recharge. @throws ApiProblem('not_found') */
  claim: (uid: number, address: string) => Promise<string>
  /** Keyed hashes of pictures by their addresses, equal for equal pictures. */
  marksOf: (addresses: readonly string[]) => Promise<string[]>
  /** Words of statement.json. */
  texts: Texts
  parameters: ParameterStore
  funding: FundingStore
  addresses: AddressStore
  moves: MovesStore
  /** Balances or records of a customer have changed; called after the commit. */
  changed: (uid: number) => void
  /** A row of one of the customer's lists has changed; called after the commit. Without the row, the customer's apps load the list again. */
  rowChanged: (uid: number, topic: TopicName, changed?: ChangedRow) => void
  /** What waits at the back office has changed; called after the commit. */
  queueChanged: () => void
}

/** Where recharges arrive, and withdrawals and exchanges leave from. */
export const fundingAccount = 'change'

/** An amount that was typed. @throws ApiProblem('amount_wrong') */
export function amountOf(text: string, { scale }: Pick<Currency, 'scale'>, field = 'amount'): string {
  const amount = readAmount(text, scale)
  if (amount === undefined) throw new ApiProblem('amount_wrong', { field })
  return amount
}

/**
 * Only where the work is done: a call that is repeated with its key gets its answer also when the coin was closed since.
 * @throws ApiProblem('currency_closed')
 */
export function mustBeOpen({ status }: Pick<Currency, 'status'>, field = 'currency_id'): void {
  if (status !== 1) throw new ApiProblem('currency_closed', { field })
}

/** USD for one unit when the price is young enough to deal at; undefined otherwise. */
export function freshUsd({ coins }: Pick<WalletParts, 'coins'>, coin: Currency): string | undefined {
  const found = coins.usd(coin)
  return found && found.ageMs <= priceAgeMsMax ? found.price : undefined
}

export async function coinByCode({ coins }: Pick<WalletParts, 'coins'>, code: string): Promise<Currency | undefined> {
  return (await coins.list()).find((coin) => coin.code === code)
}

/** Codes of coins by their numbers; the number itself for one that is gone. */
export async function codesOf(coins: CurrencyReads): Promise<(id: number) => string> {
  const list = new Map((await coins.list()).map(({ id, code }) => [id, code]))
  return (id) => list.get(id) ?? String(id)
}

/** How a coin is named in an answer. */
export const named = ({ id, code, scale }: Currency) => ({ currency_id: id, currency_code: code, scale })

const sealName = ({ uid, currency_id, created_at }: Pick<Funding, 'uid' | 'currency_id' | 'created_at'>) =>
  `funding:${uid}:${currency_id}:${created_at}`

/** Where money goes or came in, whole, as it is stored. */
export const sealDetails = (
  secrets: Secrets,
  row: Pick<Funding, 'uid' | 'currency_id' | 'created_at'>,
  details: readonly Detail[],
): Buffer => secrets.seal(JSON.stringify(details), sealName(row))

/** @throws Error when the row was tampered with */
export const openDetails = (secrets: Secrets, row: Funding): Detail[] => JSON.parse(secrets.open(row.details, sealName(row))) as Detail[]
