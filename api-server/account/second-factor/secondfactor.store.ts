import { type Database, type Db, type Tx, write, writeAny } from '#server-kit/db/db.ts'

export interface StoredFactor {
  /** Sealed. */
  secret: Buffer
  created_at: number
  confirmed_at: number | null
  /** Number of the last step whose code was taken; that one and older ones are refused. */
  last_step: number
}

interface SecondFactorStore {
  of(account: number, tx?: Tx): Promise<StoredFactor | undefined>
  /**
   * Decides what waits for its confirmation: one after the other for an account, so that two that ask at once are shown what is kept.
   * @param decide is given what is there; a secret that it gives is put in its place
   * @returns what stands afterwards
   */
  propose(account: number, decide: (found: StoredFactor | undefined) => Buffer | undefined, now: number): Promise<StoredFactor>
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
  const factorOf = (from: Db | Tx, account: number): Promise<StoredFactor | undefined> =>
    from
      .selectFrom('second_factor')
      .select(['secret', 'created_at', 'confirmed_at', 'last_step'])
      .where('account_id', '=', account)
      .executeTakeFirst()
  return {
    of: (account, tx) => factorOf(tx ?? db, account),
    propose: (account, decide, now) =>
      database.transaction(async (tx) => {
        await tx.selectFrom('account').select('id').where('id', '=', account).forNoKeyUpdate().executeTakeFirstOrThrow()
        const found = await factorOf(tx, account)
        const secret = decide(found)
        if (!secret) return found!
        const row = { secret, created_at: now, confirmed_at: null, last_step: 0 }
        const query = tx
          .insertInto('second_factor')
          .values({ ...row, account_id: account })
          .onConflict((one) => one.column('account_id').doUpdateSet(row))
        await write(1, query)
        return row
      }),
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
