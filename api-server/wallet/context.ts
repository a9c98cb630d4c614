import type { CardReads } from '#api-server/bank/card.reads.ts'
import type { Currency, CurrencyReads } from '#api-server/currency/currency.reads.ts'
import type { ProductPorts } from '#api-server/kit/module.ts'
import { readAmount } from '#api-server/wallet/amount.rules.ts'
import type { Custody } from '#api-server/wallet/deposit/custody.ts'
import type { Funding, FundingStore } from '#api-server/wallet/deposit/funding.store.ts'
import { priceAgeMsMax } from '#api-server/wallet/exchange.rules.ts'
import type { MovesStore } from '#api-server/wallet/moves.store.ts'
import type { ParameterStore } from '#api-server/wallet/parameter.store.ts'
import type { AddressStore } from '#api-server/wallet/withdraw/address.store.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Tx } from '#server-kit/db/db.ts'
import type { Texts } from '#server-kit/ops/texts.ts'
import type { Secrets } from '#server-kit/security/secrets.ts'

/** One detail that an operator needs to pay: a label key of the back office, and its value. */
export interface Detail {
  field: string
  value: string
}

/** Context of the wallet's handlers. */
export interface WalletContext
  extends Pick<
    ProductPorts,
    | 'database'
    | 'clock'
    | 'secrets'
    | 'ledger'
    | 'balances'
    | 'once'
    | 'coins'
    | 'proofs'
    | 'notices'
    | 'log'
    | 'changed'
    | 'rowChanged'
    | 'queueChanged'
  > {
  cards: CardReads
  custody: Custody
  /** Attaches a picture of this account to a deposit. @throws ApiProblem('not_found') */
  claim: (uid: number, address: string) => Promise<string>
  /** Keyed hashes of pictures by address, equal for equal pictures. */
  marksOf: (addresses: readonly string[]) => Promise<string[]>
  /** Words of the file of a bill. */
  texts: Texts
  parameters: ParameterStore
  funding: FundingStore
  addresses: AddressStore
  moves: MovesStore
  /** From this worth in USD on, two operators must approve. */
  fourEyesUsd: (tx?: Tx) => Promise<string>
}

/** Account of deposits, withdrawals and exchanges. */
export const fundingAccount = 'change'

/** Parses a typed amount. @throws ApiProblem('amount_wrong') */
export function amountOf(text: string, { scale }: Pick<Currency, 'scale'>, field = 'amount'): string {
  const amount = readAmount(text, scale)
  if (amount === undefined) throw new ApiProblem('amount_wrong', { field })
  return amount
}

/**
 * Checked inside the transaction only: a call repeated with its key returns its answer even when the currency was closed since.
 * @throws ApiProblem('currency_closed')
 */
export function mustBeOpen({ status }: Pick<Currency, 'status'>, field = 'currency_id'): void {
  if (status !== 1) throw new ApiProblem('currency_closed', { field })
}

/** USD for one unit when the price is recent enough to deal at, otherwise undefined. */
export function freshUsd({ coins }: Pick<WalletContext, 'coins'>, coin: Currency): string | undefined {
  const found = coins.usd(coin)
  return found && found.ageMs <= priceAgeMsMax ? found.price : undefined
}

export async function coinByCode({ coins }: Pick<WalletContext, 'coins'>, code: string): Promise<Currency | undefined> {
  return (await coins.list()).find((coin) => coin.code === code)
}

/** Returns a function from id to code of a currency; an unknown id is returned as text. */
export async function codesOf(coins: CurrencyReads): Promise<(id: number) => string> {
  const list = new Map((await coins.list()).map(({ id, code }) => [id, code]))
  return (id) => list.get(id) ?? String(id)
}

/** Fields that name a currency in an answer. */
export const named = ({ id, code, scale }: Currency) => ({ currency_id: id, currency_code: code, scale })

const sealName = ({ uid, currency_id, created_at }: Pick<Funding, 'uid' | 'currency_id' | 'created_at'>) =>
  `funding:${uid}:${currency_id}:${created_at}`

/** Encrypts the full destination or origin of money for storage. */
export const sealDetails = (
  secrets: Secrets,
  row: Pick<Funding, 'uid' | 'currency_id' | 'created_at'>,
  details: readonly Detail[],
): Buffer => secrets.seal(JSON.stringify(details), sealName(row))

/** Decrypts it. @throws Error when the row was tampered with */
export const openDetails = (secrets: Secrets, row: Funding): Detail[] => JSON.parse(secrets.open(row.details, sealName(row))) as Detail[]
