import { randomUUID } from 'node:crypto'
import {
  bodyText,
  type Did,
  type GroupedWork,
  type Idempotency,
  type IdempotencyOptions,
  ownerOf,
  setKeyOf,
} from '#api-server/idempotency/idempotency.ts'
import { type Member, type MemberOutcome, runTogether, workOfOne } from '#api-server/idempotency/keys.group.ts'
import { createKeyStore, type KeyRow, type NewKey } from '#api-server/idempotency/keys.store.ts'
import { ApiProblem } from '#contract/problem.ts'
import { type Database, RowCountError, type Tx } from '#server-kit/db/db.ts'
import type { Caller } from '#server-kit/http/http.ts'
import { isUnavailable, mayTryAlone } from '#server-kit/http/unavailable.ts'
import type { Clock } from '#server-kit/ops/clock.ts'
import type { PlannedJob } from '#server-kit/ops/every.ts'
import { createGroup } from '#server-kit/ops/group.ts'
import type { Log } from '#server-kit/ops/log.ts'
import type { Secrets } from '#server-kit/security/secrets.ts'

interface IdempotencyDeps {
  database: Database
  clock: Clock
  secrets: Secrets
  log: Log
}
export type Outcome = { state: 'done' | 'running' | 'unknown'; call: string; answer: string }

/** Idempotency keys of one server. */
export interface IdempotencyKeys extends Idempotency {
  /**
   * Like `run`, for a call that runs several transactions of its own. The key is taken before them and the answer is stored after them.
   * When the process ends in between, the outcome is unknown.
   * @throws ApiProblem('key_reused'), ApiProblem('outcome_unknown')
   */
  keep<A>(caller: Caller, options: Pick<IdempotencyOptions, 'call' | 'input'>, work: () => Promise<A>): Promise<A>
  /** Returns the outcome of the call that used this key. @throws ApiProblem('outcome_unknown') when it cannot be determined */
  outcome(caller: Caller, key: string): Promise<Outcome>
  /** Removes keys older than a day. @returns the number of removed keys */
  removeOld(): Promise<number>
  /** Removes old keys. */
  readonly jobs: readonly PlannedJob[]
}

export const keyLimits = {
  keptMs: 24 * 3_600_000,
  answerBytesMax: 131_072,
  /** A run without an answer after this time counts as abandoned; its statements and proofs are limited to less. */
  abandonedMs: 30_000,
  /** A second call with the same key waits this long for the answer of the first. */
  waitMs: 5_000,
  lookEveryMs: 50,
  sweepEveryMs: 3_600_000,
  sweepRows: 1_000,
} as const

/** The key of a call, and the callback for a replayed answer. */
type Claim = NewKey & Pick<Caller, 'replayed'>

const sealName = ({ owner, key }: { owner: string; key: string }) => `answer ${owner} ${key}`
const overtaken = new Error('another run has taken the key over')
const thisProcess = randomUUID()
const isUnknown = (error: unknown) => error instanceof ApiProblem && error.code === 'outcome_unknown'
const pause = (ms: number) => new Promise((wake) => setTimeout(wake, ms))

function textOf(value: unknown): string {
  const text = JSON.stringify(value ?? null)
  if (Buffer.byteLength(text) > keyLimits.answerBytesMax) throw new Error(`an answer of ${text.length} characters is too long to keep`)
  return text
}

export function createIdempotency({ database, clock, secrets, log }: IdempotencyDeps): IdempotencyKeys {
  const store = createKeyStore(database)
  /** On PostgreSQL other processes may use the same database. */
  const hasNodes = database.engine === 'postgres'
  const thisInstance = `${thisProcess} ${randomUUID()}`
  /** Running calls of this process, by owner and key. These promises never reject. */
  const running = new Map<string, Promise<unknown>>()

  /** Serializes calls with the same key in this process. Between processes the table does that. */
  async function alone<A>({ owner, key }: NewKey, work: () => Promise<A>): Promise<A> {
    const name = `${owner} ${key}`
    for (let before = running.get(name); before; before = running.get(name)) await before
    const mine = work()
    const settled = mine.then(
      () => {},
      () => {},
    )
    running.set(name, settled)
    try {
      return await mine
    } finally {
      running.delete(name)
    }
  }

  function rowOf(caller: Caller, { call, input }: IdempotencyOptions, loose: boolean): Claim | undefined {
    const owner = ownerOf(caller)
    if (!caller.key || !owner) return undefined
    const hash = secrets.mac('once', bodyText(call, input))
    return { owner, key: caller.key, call, hash, run: `${thisInstance} ${randomUUID()}`, loose, at: clock.now(), replayed: caller.replayed }
  }

  const answerOf = (row: KeyRow, named: NewKey): string | undefined =>
    row.answer ?? (row.sealed ? secrets.open(row.sealed, sealName(named)) : undefined)

  /**
   * The embedded database has one process at a time, so a run of another process has ended with that process. Calls with one key run one
   * after the other here, so an unanswered run of this process has ended too: the database was unavailable when the run tried to give the
   * key back.
   */
  const isAbandoned = ({ run, at }: KeyRow) =>
    run.startsWith(thisInstance) || (!hasNodes && !run.startsWith(thisProcess)) || Math.abs(clock.now() - at) > keyLimits.abandonedMs

  /**
   * Decides what to do with a key that is already taken.
   * @returns the stored answer; undefined when this run has taken the key over, because the earlier run was abandoned without an effect
   */
  async function lookBehind(row: Claim): Promise<string | undefined> {
    const endsAt = performance.now() + keyLimits.waitMs
    for (;;) {
      const found = await store.find(row)
      if (!found) {
        if (await store.reserve(row)) return undefined
        continue
      }
      if (found.call !== row.call || !found.hash.equals(row.hash)) throw new ApiProblem('key_reused')
      const answer = answerOf(found, row)
      if (answer !== undefined) {
        row.replayed?.()
        return answer
      }
      const abandoned = isAbandoned(found)
      if (abandoned && !found.loose && (await store.takeOver(row, found.run))) return undefined
      if ((abandoned && found.loose) || performance.now() > endsAt) throw new ApiProblem('outcome_unknown', { retryAfterSeconds: 2 })
      await pause(keyLimits.lookEveryMs)
    }
  }

  /**
   * Does the work and stores the answer in one transaction, for a key that this run already holds. Answers of calls with a proof may
   * contain personal data, so they are encrypted.
   */
  const finish = (row: NewKey, work: (tx: Tx) => Promise<unknown>) =>
    database.transaction(async (tx) => {
      setKeyOf(tx, row)
      const answer = textOf(await work(tx))
      await store.answer(tx, row, { answer: null, sealed: secrets.seal(answer, sealName(row)) }).catch((error: unknown) => {
        throw error instanceof RowCountError ? overtaken : error
      })
      return answer
    })

  async function withProof(row: Claim, prove: () => Promise<void>, work: (tx: Tx) => Promise<unknown>): Promise<string> {
    if (!(await store.reserve(row))) {
      const answer = await lookBehind(row)
      if (answer !== undefined) return answer
    }
    try {
      await prove()
      return await finish(row, work)
    } catch (error) {
      if (error === overtaken) return behind(row)
      // A key that cannot be given back now is taken over by the next call with it. The caller receives the original error.
      await store
        .release(row)
        .catch((cause: unknown) =>
          log.warn({ err: cause, call: row.call }, 'idempotency: a key could not be given back; the next call with it takes it over'),
        )
      throw error
    }
  }
  /** Returns the answer of the run that took the key over. The work of this run is undone. */
  async function behind(row: Claim): Promise<string> {
    const answer = await lookBehind(row)
    if (answer !== undefined) return answer
    await store.release(row)
    throw new ApiProblem('outcome_unknown', { retryAfterSeconds: 2 })
  }

  /**
   * Writes the key once, together with its answer, as the last statement of the transaction: if the key is already taken, the transaction has
   * no effect. Before the work the transaction locks the key, so that another node with the same key waits. The lock is sent together with the
   * first statement of the work, and the key together with the commit, which fails if the insert of the key fails.
   */
  async function withoutProof(row: Claim, work: (tx: Tx) => Promise<unknown>): Promise<string> {
    try {
      return await database.transaction(async (tx) => {
        setKeyOf(tx, row)
        const turn = store.turn(tx, [row])
        const [, done] = await Promise.allSettled([turn, work(tx)])
        await turn
        if (done.status === 'rejected') throw done.reason
        const answer = textOf(done.value)
        store.takeAnswered(tx, [{ ...row, answer }]).catch(() => {})
        return answer
      })
    } catch (error) {
      if (await isFirst(error, row)) throw error
      return withProof(row, async () => {}, work)
    }
  }

  /**
   * False when the effect of an earlier call with this key may have caused the error, for example by spending a balance.
   * @throws ApiProblem('outcome_unknown') when the database does not say whether there was one
   */
  async function isFirst(error: unknown, row: Claim): Promise<boolean> {
    if (isUnavailable(error) || isUnknown(error)) return true
    try {
      return !(await store.find(row))
    } catch (cause) {
      throw new ApiProblem('outcome_unknown', { retryAfterSeconds: 2, cause })
    }
  }

  async function keepWith(row: Claim, work: () => Promise<unknown>): Promise<string> {
    if (!(await store.reserve(row))) {
      const answer = await lookBehind(row)
      if (answer !== undefined) return answer
    }
    let answer: string
    try {
      answer = textOf(await work())
    } catch (error) {
      // A refusal has had no effect. After any other error the outcome is unknown, and the key stays taken.
      if (error instanceof ApiProblem && !isUnknown(error)) await store.release(row)
      else if (isUnavailable(error)) throw new ApiProblem('outcome_unknown', { cause: error })
      throw error
    }
    await store
      .answer(database.db, row, { answer: null, sealed: secrets.seal(answer, sealName(row)) })
      .catch((error: unknown) =>
        log.warn({ err: error, call: row.call }, 'idempotency: an answer could not be stored; the outcome of its call is unknown'),
      )
    return answer
  }

  async function removeOld(): Promise<number> {
    let removed = 0
    for (;;) {
      const some = await store.removeOld(clock.now() - keyLimits.keptMs, keyLimits.sweepRows)
      removed += some
      if (some < keyLimits.sweepRows) return removed
    }
  }

  return {
    async run<A>(caller: Caller, options: IdempotencyOptions, work: (tx: Tx) => Promise<A>) {
      const prove =
        options.prove &&
        (async () => {
          caller.admit?.()
          await options.prove?.()
        })
      const admitted = async (tx: Tx) => {
        caller.admit?.()
        return work(tx)
      }
      const row = rowOf(caller, options, false)
      if (row) return JSON.parse(await alone(row, () => (prove ? withProof(row, prove, admitted) : withoutProof(row, admitted)))) as A
      await prove?.()
      return JSON.parse(JSON.stringify((await database.transaction(admitted)) ?? null)) as A
    },
    grouped<W, R, A, E>(grouped: GroupedWork<W, R, A, E>) {
      const deps = { database, store, textOf }
      const together = (members: readonly Member<W>[]) => {
        const work = () => runTogether(deps, grouped, members)
        return grouped.around ? grouped.around(work) : work()
      }
      const ask = createGroup<Member<W>, MemberOutcome<E>>(grouped.most, async (members) => {
        try {
          return await together(members)
        } catch (error) {
          if (members.length === 1 || !mayTryAlone(error)) throw error
          log.warn({ err: error, call: grouped.call, calls: members.length }, 'idempotency: a group was not committed; each is tried alone')
          const outcomes: MemberOutcome<E>[] = []
          for (const member of members) outcomes.push(...(await together([member]).catch((failed: unknown) => [{ failed }])))
          return outcomes
        }
      })
      async function inGroup(member: Member<W>, row: Claim | undefined): Promise<Did<string, E>> {
        const outcome = await ask(member).catch((failed: unknown) => ({ failed }))
        if (outcome !== 'behind') {
          if ('answer' in outcome) return outcome
          if ('refused' in outcome) throw outcome.refused
          if (!row || (await isFirst(outcome.failed, row))) throw outcome.failed
        }
        let effect: E | undefined
        function replayed(): void {
          effect = undefined
          row!.replayed?.()
        }
        const answer = await withProof(
          { ...row!, replayed },
          async () => {},
          async (tx) => {
            const did = await workOfOne(grouped, member)(tx)
            effect = did.effect
            return did.answer
          },
        )
        return { answer, effect }
      }
      return async (caller: Caller, input: unknown, work: W): Promise<Did<A, E>> => {
        const row = rowOf(caller, { call: grouped.call, input }, false)
        const member = { row, admit: caller.admit, work }
        const { answer, effect } = await (row ? alone(row, () => inGroup(member, row)) : inGroup(member, row))
        return { answer: JSON.parse(answer) as A, effect }
      }
    },
    async keep<A>(caller: Caller, options: Pick<IdempotencyOptions, 'call' | 'input'>, work: () => Promise<A>) {
      const row = rowOf(caller, options, true)
      return row ? (JSON.parse(await alone(row, () => keepWith(row, work))) as A) : work()
    },
    async outcome(caller, key) {
      const none = { state: 'unknown', call: '', answer: '' } as const
      const row = rowOf({ ...caller, key }, { call: 'user.outcome', input: null }, false)
      if (!row) return none
      if (running.has(`${row.owner} ${key}`)) return { ...none, state: 'running' }
      let found = await store.find(row)
      if (!found) {
        if (!(await store.waitForTurn(row))) return { ...none, state: 'running' }
        found = await store.find(row)
        if (!found) return none
      }
      const { call } = found
      const answer = answerOf(found, row)
      if (answer !== undefined) return { state: 'done', call, answer }
      if (!isAbandoned(found)) return { ...none, state: 'running', call }
      if (found.loose) throw new ApiProblem('outcome_unknown')
      return none
    },
    removeOld,
    jobs: [{ name: 'idempotency_keys', everyMs: keyLimits.sweepEveryMs, work: removeOld }],
  }
}
