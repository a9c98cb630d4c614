import type { CompiledQuery, DatabaseConnection, Driver } from 'kysely'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { ApiProblem } from '#contract/problem.ts'
import { type GuardedKysely, guardedKysely, transact } from '#server-kit/db/guarded-driver.ts'
import { problemOf } from '#server-kit/http/refusals.ts'

const refusal = new ApiProblem('insufficient_balance')
const failing = (code: string) => Object.assign(new Error('the engine says no'), { code })

test.each<[what: string, thrown: unknown, times: number, outcome: string, runs: number]>([
  ['a deadlock that passes', failing('40P01'), 2, 'done', 3],
  ['a serialisation failure that passes', failing('40001'), 3, 'done', 4],
  ['a deadlock each time', failing('40P01'), 9, 'busy', 4],
  ['a statement that took too long', failing('57014'), 9, 'busy', 1],
  ['a row that is there already', failing('23505'), 9, 'the engine says no', 1],
  ['a lock that was not to be waited for', failing('55P03'), 9, 'the engine says no', 1],
  ['a refusal', refusal, 9, 'insufficient_balance', 1],
])('%s', async (_what, thrown, times, outcome, expected) => {
  let runs = 0
  const db = { inTransaction: (work: (tx: never) => Promise<string>) => work(undefined as never) } as unknown as GuardedKysely
  const work = async () => {
    if (runs++ < times) throw thrown
    return 'done'
  }
  const received = await transact(db, work).catch((error: Error) => (error instanceof ApiProblem ? error.code : error.message))
  expect([received, runs]).toEqual([outcome, expected])
})

const lost = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
const silent = new Error('Connection terminated unexpectedly')
const shutDown = failing('57P01')

test.each<[where: string, thrown: Error, received: string]>([
  ['connect', lost, 'busy'],
  ['begin', silent, 'busy'],
  ['statement', lost, 'busy'],
  ['statement', shutDown, 'busy'],
  ['statement', failing('23505'), 'internal'],
  ['commit', lost, 'outcome_unknown'],
  ['commit', silent, 'outcome_unknown'],
  ['commit', shutDown, 'outcome_unknown'],
  ['commit', failing('23505'), 'internal'],
])('a database that goes away at %s (%s) is told as %s', async (where, thrown, received) => {
  const at = async (place: string) => {
    if (place === where) throw thrown
  }
  const connection = {
    executeQuery: async (_query: CompiledQuery) => {
      await at('statement')
      return { rows: [] }
    },
  } as unknown as DatabaseConnection
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => {
      await at('connect')
      return connection
    },
    beginTransaction: () => at('begin'),
    commitTransaction: () => at('commit'),
    rollbackTransaction: () => Promise.reject(thrown),
    releaseConnection: async () => {},
    destroy: async () => {},
  }
  const db = guardedKysely(() => driver)
  const error = await transact(db, (tx) => sql`select 1`.execute(tx)).catch((cause: unknown) => cause)
  expect(problemOf(error).code).toBe(received)
})
