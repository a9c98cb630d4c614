import { type Database, type Tx, write, writeAny } from '#server-kit/db.ts'

export interface StoredFactor {
  /** Sealed. */
  secret: Buffer
  created_at: number
  confirmed_at: number | null
  /** Number of the last step whose code was taken; that one and older ones are refused. */
  last_step: number
}

export interface SecondFactorStore {
  of(account: number): Promise<StoredFactor | undefined>
  /** Puts a secret that waits for its confirmation in place of an older one that waits. @returns false when one is confirmed */
  propose(account: number, secret: Buffer, now: number): Promise<boolean>
  /** Turns it on with this secret, which need not be the one that waited last. @returns false when it is on already, or none waited */
  confirm(tx: Tx, account: number, row: Omit<StoredFactor, 'created_at'>, recovery: readonly Buffer[]): Promise<boolean>
  /** @returns false when this step, or a later one, was taken before */
  takeStep(account: number, step: number): Promise<boolean>
  /** @returns false when there is no such code, or it was used */
  takeRecovery(account: number, hash: Buffer, now: number): Promise<boolean>
  remove(tx: Tx, account: number): Promise<void>
}

export function createSecondFactorStore(database: Database): SecondFactorStore {
  const { db } = database
  return {
    of: (account) =>
      db
        .selectFrom('second_factor')
        .select(['secret', 'created_at', 'confirmed_at', 'last_step'])
        .where('account_id', '=', account)
        .executeTakeFirst(),
    async propose(account, secret, now) {
      const row = { secret, created_at: now, last_step: 0 }
      const query = db
        .insertInto('second_factor')
        .values({ ...row, account_id: account, confirmed_at: null })
        .onConflict((one) => one.column('account_id').doUpdateSet(row).where('second_factor.confirmed_at', 'is', null))
      return (await writeAny(query)) === 1
    },
    async confirm(tx, account, row, recovery) {
      const waiting = tx.updateTable('second_factor').set(row)
      if ((await writeAny(waiting.where('account_id', '=', account).where('confirmed_at', 'is', null))) !== 1) return false
      await writeAny(tx.deleteFrom('recovery_code').where('account_id', '=', account))
      const codes = recovery.map((hash) => ({ account_id: account, hash, used_at: null }))
      await write(codes.length, tx.insertInto('recovery_code').values(codes))
      return true
    },
    takeStep: async (account, step) =>
      (await writeAny(
        db.updateTable('second_factor').set({ last_step: step }).where('account_id', '=', account).where('last_step', '<', step),
      )) === 1,
    takeRecovery: async (account, hash, now) => {
      const unused = db.updateTable('recovery_code').set({ used_at: now }).where('account_id', '=', account).where('hash', '=', hash)
      return (await writeAny(unused.where('used_at', 'is', null))) === 1
    },
    async remove(tx, account) {
      await writeAny(tx.deleteFrom('recovery_code').where('account_id', '=', account))
      await writeAny(tx.deleteFrom('second_factor').where('account_id', '=', account))
    },
  }
}
