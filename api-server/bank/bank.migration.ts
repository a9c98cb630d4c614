import type { CardKind } from '#api-server/bank/card.rules.ts'
import { type Migration, sqlStep } from '#server-kit/db/db.ts'

declare module '#server-kit/db/db.ts' {
  interface Tables {
    /** One card per customer and kind. `fields` is the encrypted JSON of what was typed. Times are ms UTC. */
    bank_card: { uid: number; kind: CardKind; fields: Buffer; changed_at: number; usable_from: number }
  }
}

export const bankMigrations: readonly Migration[] = [
  sqlStep(
    'bank-base',
    [
      `create table bank_card (uid bigint not null references account (id), kind text not null check (kind in ('bank', 'bank_international')),
        fields bytea not null, changed_at bigint not null, usable_from bigint not null, primary key (uid, kind))`,
    ],
    ['bank-1'],
  ),
]
