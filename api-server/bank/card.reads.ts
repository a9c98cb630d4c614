import { type Card, type CardKind, cardLabel } from '#api-server/bank/card.rules.ts'
import { createCardStore } from '#api-server/bank/card.store.ts'
import type { Database, Tx } from '#server-kit/db/db.ts'
import type { Secrets } from '#server-kit/security/secrets.ts'

interface SavedCard {
  /** All numbers in full: for operators who send the money, never for a customer's screen. */
  card: Card
  /** Bank name and the last digits of the number: `ICBC **** 1234`. */
  label: string
  /** Withdrawals to the card are refused before this time (ms UTC). */
  usableFrom: number
}

/** Reads saved bank cards, for withdrawals. */
export interface CardReads {
  of(uid: number, kind: CardKind, tx?: Tx): Promise<SavedCard | undefined>
}

export function createCardReads(database: Database, secrets: Secrets): CardReads {
  const store = createCardStore(database, secrets)
  return {
    async of(uid, kind, tx) {
      const found = await store.find(uid, kind, tx)
      return found && { card: found.card, label: cardLabel(found.card), usableFrom: found.usableFrom }
    },
  }
}
