import { type Migration, sqlStep } from '#server-kit/db/db.ts'

declare module '#server-kit/db/db.ts' {
  interface Tables {
    /**
     * One row for each idempotency key. `owner` comes from `ownerOf`; `hash` is a MAC of the fields; `answer` is the answer as JSON,
     * encrypted unless the call moves money. `hash` and `answer` are null while the call runs. `run` identifies the run that may still
     * write the answer. `loose` is true when the answer is stored after the effect and not in the same transaction.
     */
    once_key: {
      owner: string
      key: string
      call: string
      hash: Buffer
      run: string
      loose: boolean
      answer: string | null
      sealed: Buffer | null
      at: number
    }
    /** A single row: keys older than this time have been removed. The audit expects every younger key to exist. */
    once_sweep: { before: number }
  }
}

export const idempotencyMigrations: readonly Migration[] = [
  sqlStep(
    'idempotency-base',
    [
      `create table once_key (owner text collate "C" not null, key text collate "C" not null, call text not null, hash bytea not null,
        run text not null, loose boolean not null, answer text, sealed bytea, at bigint not null, primary key (owner, key)) with (fillfactor = 80)`,
      'create index once_key_at on once_key (at)',
      'create table once_sweep (one bool primary key default true check (one), before bigint not null)',
      'insert into once_sweep (before) values (0)',
    ],
    ['once-1', 'once-2'],
  ),
]
