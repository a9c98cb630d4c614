import type { Card, CardKind } from '#api-server/bank/card.rules.ts'
import { cardFieldNames } from '#contract/rules/card.rules.ts'
import { type Database, type Tx, writeAny } from '#server-kit/db/db.ts'
import type { Secrets } from '#server-kit/security/secrets.ts'

export interface StoredCard {
  card: Card
  /** ms UTC. */
  changed: number
  usableFrom: number
}

interface CardStore {
  find(uid: number, kind: CardKind, tx?: Tx): Promise<StoredCard | undefined>
  /** Replaces the stored card. */
  put(tx: Tx, uid: number, kind: CardKind, stored: StoredCard): Promise<void>
}

const about = (uid: number, kind: CardKind) => `${kind}_card:${uid}`

export function createCardStore({ db }: Database, secrets: Secrets): CardStore {
  return {
    async find(uid, kind, tx) {
      const row = await (tx ?? db).selectFrom('bank_card').selectAll().where('uid', '=', uid).where('kind', '=', kind).executeTakeFirst()
      if (!row) return undefined
      const read = JSON.parse(secrets.open(row.fields, about(uid, kind))) as Partial<Card>
      const card = Object.fromEntries(cardFieldNames.map((name) => [name, read[name] ?? ''])) as Card
      return { card, changed: row.changed_at, usableFrom: row.usable_from }
    },
    async put(tx, uid, kind, { card, changed, usableFrom }) {
      const row = { fields: secrets.seal(JSON.stringify(card), about(uid, kind)), changed_at: changed, usable_from: usableFrom }
      const query = tx
        .insertInto('bank_card')
        .values({ uid, kind, ...row })
        .onConflict((one) => one.columns(['uid', 'kind']).doUpdateSet(row))
      await writeAny(query)
    },
  }
}
