import { type Generated, sql } from 'kysely'
import type { Migration } from '#server-kit/db/db.ts'

declare module '#server-kit/db/db.ts' {
  interface Tables {
    /** One row for each due row that has failed and is not done yet. */
    due_fault: {
      id: Generated<number>
      /** Name of the job. */
      job: string
      /** Name of the row within its job: the number of an order. */
      key: string
      /** Failures so far. */
      tries: number
      /** ms UTC; not tried before. */
      next_at: number
      /** Nobody tries it again until an operator says so. */
      dead: boolean
      /** Message of the last error. */
      fault: string
      /** ms UTC of the last failure. */
      failed_at: number
    }
  }
}

export const dueMigration: Migration = {
  id: 'due-1',
  up: (tx) =>
    sql`create table due_fault (id int generated always as identity primary key, job text not null, key text not null,
      tries int not null check (tries >= 0), next_at bigint not null, dead boolean not null, fault text not null, failed_at bigint not null,
      unique (job, key))`.execute(tx),
}
