import { sql } from 'kysely'
import type { Migration } from '#server-kit/db/db.ts'

declare module '#server-kit/db/db.ts' {
  interface Tables {
    /** Keyed hashes of the vouchers of a deposit, equal for equal pictures. */
    funding_picture: { mark: string; funding_id: number }
  }
}

/** Makes the steps of requests append-only: a trigger refuses changes. Requests of earlier releases have no hashes of vouchers. */
export const fundingKeepsMigration: Migration = {
  id: 'wallet-keeps-1',
  async up(tx) {
    await sql`create function funding_step_keeps() returns trigger language plpgsql as $$
      begin raise exception 'what became of a request is only added to'; end $$`.execute(tx)
    await sql`create trigger funding_step_rows before update or delete on funding_step for each row execute function funding_step_keeps()`.execute(
      tx,
    )
    await sql`create trigger funding_step_table before truncate on funding_step for each statement execute function funding_step_keeps()`.execute(
      tx,
    )
    await sql`create table funding_picture (mark text not null, funding_id int not null references funding, primary key (mark, funding_id))`.execute(
      tx,
    )
    await sql`create index funding_picture_of on funding_picture (funding_id)`.execute(tx)
  },
}
