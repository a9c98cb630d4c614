import { sql } from 'kysely'
import { type Database, type Db, type TableOf, type Tables, type Tx, write, writeAny } from '#server-kit/db/db.ts'
import { randomToken, tokenHash } from '#server-kit/security/secrets.ts'

/**
 * Sessions of customers and of operators: two tables, which neither know one another nor share a token. How a session is looked up differs on
 * purpose: a node believes for some seconds what it read of a customer, while of an operator the database is asked each time.
 */

/** The columns that each table has; the other columns belong to the table. Times are ms UTC. */
export interface StoredSession {
  id: string
  token_hash: Buffer
  created_at: number
  seen_at: number
  expires_at: number
}
interface SessionLimits {
  /** Without a request for so long a session is over. */
  idleMs: number
  /** However much it is used. */
  absoluteMs: number
  /** Of one person. */
  sessionsMax: number
  /** How often the time of the last request is written. */
  seenEveryMs: number
}

const idBytes = 12

/** A new session; its token is returned once and kept nowhere. */
export function newSession({ absoluteMs }: SessionLimits, now: number): { token: string; session: StoredSession } {
  const token = randomToken()
  const session = { id: randomToken(idBytes), token_hash: tokenHash(token), created_at: now, seen_at: now, expires_at: now + absoluteMs }
  return { token, session }
}

export const isOver = ({ seen_at, expires_at }: Pick<StoredSession, 'seen_at' | 'expires_at'>, { idleMs }: SessionLimits, now: number) =>
  expires_at <= now || seen_at + idleMs <= now

/** Whether the time of the last request is old enough to be written anew. */
export const isSeenAgain = ({ seen_at }: Pick<StoredSession, 'seen_at'>, { seenEveryMs }: SessionLimits, now: number) =>
  now - seen_at >= seenEveryMs

type SessionTableName = TableOf<StoredSession>
export interface SessionTable<Row extends StoredSession> {
  /** Last used first, those that are over too. */
  list(person: number): Promise<Row[]>
  /** Beyond the limit the one that was used longest ago ends. */
  create(tx: Tx, person: number, session: Row): Promise<void>
  /** @returns whether there was one */
  end(to: Db | Tx, person: number, id: string): Promise<boolean>
  /** Ends all, or all but one. @returns how many */
  endAll(tx: Tx, person: number, but?: string): Promise<number>
  removeOver(now: number): Promise<void>
}

/** @param person column that says whose a session is */
export function createSessionTable<Name extends SessionTableName>(
  { db }: Database,
  name: Name,
  { person: personColumn, limits }: { person: keyof Tables[Name] & string; limits: SessionLimits },
): SessionTable<Tables[Name]> {
  const table: SessionTableName = name
  const person = sql.ref<number>(personColumn)
  return {
    list: async (of) =>
      (await db.selectFrom(table).selectAll().where(person, '=', of).orderBy('seen_at', 'desc').execute()) as Tables[Name][],
    async create(tx, of, session) {
      const surplus = tx
        .selectFrom(table)
        .select('id')
        .where(person, '=', of)
        .orderBy('seen_at', 'desc')
        .offset(limits.sessionsMax - 1)
      await writeAny(tx.deleteFrom(table).where('id', 'in', surplus))
      await write(1, tx.insertInto(table).values(session))
    },
    end: async (to, of, id) => (await writeAny(to.deleteFrom(table).where(person, '=', of).where('id', '=', id))) === 1,
    endAll(tx, of, but) {
      const all = tx.deleteFrom(table).where(person, '=', of)
      return writeAny(but === undefined ? all : all.where('id', '<>', but))
    },
    async removeOver(now) {
      const over = db.deleteFrom(table).where((row) => row.or([row('expires_at', '<=', now), row('seen_at', '<=', now - limits.idleMs)]))
      await writeAny(over)
    },
  }
}
