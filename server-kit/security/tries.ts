import { type Database, type TableOf, write, writeAny } from '#server-kit/db/db.ts'

/** Bounds on guessing one secret. Tries are counted before they are made, so that many at once are no way around. */
export const triesLimits = {
  windowMs: 15 * 60_000,
  triesMax: 10,
  /** So many follow each other freely; then each waits twice as long as the one before. */
  freeTries: 3,
  firstDelayMs: 1_000,
  delayMsMax: 60_000,
} as const

export type Turn = { allowed: true; tries: number[] } | { allowed: false; waitMs: number }

/** @param tries times (ms, oldest first) of tries that were not right */
export function takeTurn(tries: readonly number[], now: number): Turn {
  const { windowMs, triesMax, freeTries, firstDelayMs, delayMsMax } = triesLimits
  const counted = tries.filter((at) => at > now - windowMs)
  if (counted.length >= triesMax) return { allowed: false, waitMs: counted[counted.length - triesMax]! + windowMs - now }
  const over = counted.length - freeTries
  const next = over < 0 ? 0 : counted.at(-1)! + Math.min(delayMsMax, firstDelayMs * 2 ** over)
  return next > now ? { allowed: false, waitMs: next - now } : { allowed: true, tries: [...counted, now] }
}

/** Times of tries that were not right, as JSON. `subject` is a MAC: what people type as their name may be their password. */
export interface TriesRow {
  subject: string
  tries: number[] | string
  tried_at: number
}

/** Counts tries at a secret, across nodes. `subject` names whose and which secret. */
export interface Tries {
  /** @returns how long to wait in ms; 0: the try is counted and may be made */
  take(subject: string, now: number): Promise<number>
  /** The try was right as far as it went: it does not count, those before it do. */
  giveBack(subject: string): Promise<void>
  /** All was right. */
  clear(subject: string): Promise<void>
  removeOld(now: number): Promise<void>
}

/** @param table one for each kind of person */
export function createTries(database: Database, table: TableOf<TriesRow>): Tries {
  const { db } = database
  return {
    take: (subject, now) =>
      database.transaction(async (tx) => {
        const empty = { subject, tries: '[]', tried_at: now }
        // Made or locked by one statement: a success of somebody else may remove the row between two.
        const [row] = await write(
          1,
          tx
            .insertInto(table)
            .values(empty)
            .onConflict((one) => one.column('subject').doUpdateSet({ subject }))
            .returning('tries'),
        )
        const turn = takeTurn(row!.tries as number[], now)
        if (!turn.allowed) return turn.waitMs
        const kept = { tries: JSON.stringify(turn.tries), tried_at: now }
        await write(1, tx.updateTable(table).set(kept).where('subject', '=', subject))
        return 0
      }),
    giveBack: (subject) =>
      database.transaction(async (tx) => {
        const row = await tx.selectFrom(table).select('tries').where('subject', '=', subject).forUpdate().executeTakeFirst()
        if (!row) return
        const tries = JSON.stringify((row.tries as number[]).slice(0, -1))
        await write(1, tx.updateTable(table).set({ tries }).where('subject', '=', subject))
      }),
    clear: async (subject) => void (await writeAny(db.deleteFrom(table).where('subject', '=', subject))),
    removeOld: async (now) => void (await writeAny(db.deleteFrom(table).where('tried_at', '<', now - triesLimits.windowMs))),
  }
}
