import { type RawBuilder, sql } from 'kysely'
import type * as z from 'zod'
import type { Standing } from '#api-server/account/proof.ts'
import { type Decision, decided, type OfficeCall, type OfficeHandlers, type OfficePorts } from '#api-server/kit/decision.ts'
import { loggedCheck } from '#api-server/kit/logged.check.ts'
import { type Check, type Range, type Space, within } from '#api-server/ledger/audit/audit.check.ts'
import type { Notice } from '#contract/calls/notice.kinds.ts'
import type { backOfficeCalls } from '#contract/calls/office.calls.ts'
import type { BackOfficeAction } from '#contract/calls/office.rows.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Tables, Tx } from '#server-kit/db/db.ts'
import type { Operator, OperatorCaller } from '#server-kit/http/http.ts'
import { rowsIn } from '#server-kit/http/list-bounds.ts'

/**
 * Review queues of the back office. A module defines its queue: where the rows come from, how they are shown, and the steps that decide about one. The
 * kit gives the list with search and customers, one row, each step once for its key, the counts, the place in line, the notice to the customer, the
 * row of the log in the same transaction, the push after the commit, and check D2 of the audit.
 */

type Calls = typeof backOfficeCalls
type InputOf<N extends OfficeCall> = z.output<Calls[N]['input']>
export type AnswerOf<N extends OfficeCall> = z.input<Calls[N]['output']>
/** A row of the answer of a list. */
type RowOf<N extends OfficeCall> = AnswerOf<N> extends { list: readonly (infer R)[] } ? R : never
/** Name of a count of the back office. */
export type QueueCount = keyof AnswerOf<'office.counts'>
/** Members of a row that say whose it is; the kit adds them. */
type PersonMember = 'uid' | 'nickname' | 'contact' | 'level' | 'demo' | 'frozen'

interface QueueRow {
  id: number
  uid: number
  status: string
}

interface Deal<C, Row extends QueueRow, N extends OfficeCall> {
  context: C
  /** Passed to the statements that change the row. */
  decision: Decision
  /** As it is in the transaction, locked. */
  row: Row
  input: InputOf<N>
  /** The customer, locked before the row: in the order of the customer's own calls. */
  standing: Standing
}

/** The result of a step. */
interface StepDone<Row> {
  row: Row
  /** News for the customer, written in the same transaction. */
  notice?: Notice | undefined
  /** In place of the action of the step. */
  action?: BackOfficeAction | undefined
  /** Other customers who hear of it after the commit. */
  others?: readonly number[] | undefined
}

interface Step<C, Row extends QueueRow, N extends OfficeCall> {
  /** Of the row in the log. Its detail is the reason, note or reference that was typed. */
  action: BackOfficeAction
  /** States that only this step leads to: each row in one of them has its row in the log, check D2. */
  to?: readonly Row['status'][]
  /** Column of the row with the name of the operator who took the step. */
  by?: keyof Row & string
  /** The work locks customer and row itself, in another order. */
  locksItself?: boolean
  /** Runs in the transaction of the decision. @throws ApiProblem; then nothing is done, and the log has no row */
  work(deal: Deal<C, Row, N>): Promise<StepDone<Row>>
}

export interface QueueDefinition<C, Row extends QueueRow, L extends OfficeCall, O extends OfficeCall> {
  /** Subject of its rows in the log: `recharge` for recharge:12. */
  subject: string
  list: L
  one: O
  /** A query of all rows, with id, uid and status. */
  rows: RawBuilder<Row>
  /** Table of the rows, to lock one. */
  table: keyof Tables & string
  /** States that wait for an operator: the filter `open`, listed oldest first. */
  waiting: readonly Row['status'][]
  /** Names of counts that the back office shows, each with the states that it counts. */
  counts: Partial<Record<QueueCount, readonly Row['status'][]>>
  /** Rows as they are answered, without the members that say whose they are. @param tx reads inside of a decision */
  shown(context: C, rows: readonly Row[], operator: Operator, tx?: Tx): Promise<Omit<RowOf<L>, PersonMember>[]>
  /** Members that one row has beside those of the list. */
  whole?(context: C, row: Row): Promise<Omit<AnswerOf<O>, keyof RowOf<L>>>
  /** Action in the log when an operator looks at one row. */
  look?: BackOfficeAction
  steps: { readonly [N in OfficeCall]?: Step<C, Row, N> }
  /** After the commit: notifies the apps of the customer, and those of others. */
  announce(context: C, row: { id: number; uid: number }, others: readonly number[]): void | Promise<void>
  /** Check D2: a sentence about the decisions, and the numbers by which the audit goes through the rows. */
  audit: {
    about: string
    over: Space
    range: 'id' | 'uid'
    /** In place of the states of the steps: rows of subject, acts (a pattern of actions), operator and times. */
    decisions?: (range: Range) => RawBuilder<unknown>
  }
}

/** A queue of a running server. */
export interface OpenQueue<L extends OfficeCall = OfficeCall, O extends OfficeCall = OfficeCall> {
  readonly handlers: OfficeHandlers
  /** Rows that wait, by the names of the counts. */
  counts(): Promise<Partial<Record<QueueCount, number>>>
  list(
    ask: { status: string; search?: string | undefined; page: number; size: number },
    operator: Operator,
  ): Promise<{ list: RowOf<L>[]; total: number }>
  /** @throws ApiProblem('not_found') */
  one(id: number, operator: Operator): Promise<AnswerOf<O>>
  /**
   * Takes a step in the caller's transaction; the row of the log is its last statement. Nobody is notified of it.
   * @throws ApiProblem not_found, and the refusals of the step
   */
  decide<N extends OfficeCall>(tx: Tx, operator: Operator, call: N, input: InputOf<N>): Promise<AnswerOf<N>>
}

interface Typed {
  id: number
  reason?: string
  note?: string | undefined
  reference?: string
}
/** With the reason trimmed. @throws ApiProblem('reason_missing') for a reason of spaces */
function readTyped(input: Typed): Typed {
  if (input.reason === undefined) return input
  const reason = input.reason.trim()
  if (!reason) throw new ApiProblem('reason_missing', { field: 'reason' })
  return { ...input, reason }
}

/**
 * Defines a queue.
 * @typeParam C context of the module
 * @typeParam L call of the list
 * @typeParam O call of one row
 */
export function defineQueue<C, Row extends QueueRow, L extends OfficeCall, O extends OfficeCall>(queue: QueueDefinition<C, Row, L, O>) {
  const { subject, rows, steps, waiting } = queue
  const named = Object.entries(steps) as [OfficeCall, Step<C, Row, OfficeCall>][]
  const byStates = (range: Range) =>
    sql.join(
      named.flatMap(([, { action, to, by = 'decided_by' }]) =>
        to
          ? sql`select ${sql.lit(`${subject}:`)} || id as subject, ${sql.lit(action)} as acts, ${sql.ref(by)} as operator, 1::bigint as times
              from (${rows}) rows where status in (${sql.join(to.map((state) => sql.lit(state)))}) and ${within(range, queue.audit.range)}`
          : [],
      ),
      sql` union all `,
    )
  const check: Check = loggedCheck({
    says: `each decision about ${queue.audit.about} stands in the log of the back office`,
    over: queue.audit.over,
    decisions: queue.audit.decisions ?? byStates,
  })

  function open(ports: OfficePorts, context: C): OpenQueue<L, O> {
    const { database, people, proofs, clock, log } = ports
    const { db } = database
    const inStates = (states: readonly string[]) => sql<boolean>`status in (${sql.join(states)})`

    /** @throws ApiProblem('not_found') */
    async function rowOf(id: number, tx?: Tx): Promise<Row> {
      const [row] = (await sql<Row>`select * from (${rows}) rows where id = ${id}`.execute(tx ?? db)).rows
      if (!row) throw new ApiProblem('not_found', { field: 'id' })
      return row
    }
    async function answered(found: readonly Row[], operator: Operator, tx?: Tx): Promise<Record<string, unknown>[]> {
      const list = await queue.shown(context, found, operator, tx)
      const uids = found.map(({ uid }) => uid)
      const known = await people.byIds(uids, tx)
      return list.map((row, place) => {
        const { uid, nickname, contact, level, demo, status } = known.get(uids[place]!)!
        return { ...row, uid, nickname, contact, level, demo, frozen: status === 'frozen' }
      })
    }
    async function taken(tx: Tx, operator: Operator, call: OfficeCall, typed: Typed) {
      const step = steps[call] as Step<C, Row, OfficeCall>
      const input = readTyped(typed)
      return decided(ports, tx, operator, async (decision) => {
        const before = await rowOf(input.id, tx)
        const { uid } = before
        const standing = await (step.locksItself ? proofs.standing(uid, tx) : proofs.lock(tx, uid, true))
        if (!step.locksItself) await sql`select 1 from ${sql.table(queue.table)} where id = ${input.id} for update`.execute(tx)
        const row = step.locksItself ? before : await rowOf(input.id, tx)
        const done = await step.work({ context, decision, row, input: input as InputOf<OfficeCall>, standing })
        if (done.notice) await ports.notices.notify(tx, uid, done.notice)
        const [answer] = await answered([done.row], operator, tx)
        return {
          answer: { uid, answer: answer!, others: done.others ?? [] },
          notes: [
            {
              action: done.action ?? step.action,
              subject: `${subject}:${input.id}`,
              detail: input.reason ?? input.note ?? input.reference ?? '',
            },
          ],
        }
      })
    }
    async function once(caller: OperatorCaller, call: OfficeCall, input: { id: number }) {
      const { uid, answer, others } = await ports.once.run(caller, { call, input }, (tx) => taken(tx, caller.operator, call, input))
      ports.queueChanged()
      await queue.announce(context, { id: input.id, uid }, others)
      return answer
    }
    async function list({ status, search, page, size }: Parameters<OpenQueue['list']>[0], operator: Operator) {
      const wanted = [
        ...(status === 'all' ? [] : [inStates(status === 'open' ? waiting : [status])]),
        ...(search?.trim() ? [sql<boolean>`uid = any(${await people.find(search)}::bigint[])`] : []),
      ]
      const found = sql`from (${rows}) rows where ${sql.join([sql`true`, ...wanted], sql` and `)}`
      const order = sql.raw(status === 'open' || waiting.includes(status) ? 'asc' : 'desc')
      const shown = await sql<Row>`select * ${found} order by id ${order} limit ${size} offset ${(page - 1) * size}`.execute(db)
      return { list: (await answered(shown.rows, operator)) as RowOf<L>[], total: await rowsIn(db, sql`select ${found}`) }
    }
    async function one(id: number, operator: Operator) {
      const row = await rowOf(id)
      const [shown] = await answered([row], operator)
      return { ...shown, ...(await queue.whole?.(context, row)) } as AnswerOf<O>
    }

    return {
      handlers: {
        ...Object.fromEntries(named.map(([call]) => [call, (input: never, caller: OperatorCaller) => once(caller, call, input)])),
        [queue.list]: (ask: never, { operator }: OperatorCaller) => list(ask, operator),
        [queue.one]: async ({ id }: { id: number }, { operator }: OperatorCaller) => {
          const answer = await one(id, operator)
          const { look } = queue
          if (look)
            await database.transaction((tx) =>
              log.append(tx, operator, { action: look, subject: `${subject}:${id}`, detail: '' }, clock.now()),
            )
          return answer
        },
      },
      async counts() {
        const found = await sql<{ status: string; n: number }>`select status, count(*)::int as n from (${rows}) rows
          where ${inStates(Object.values(queue.counts).flat())} group by status`.execute(db)
        const of = new Map(found.rows.map(({ status, n }) => [status, n]))
        return Object.fromEntries(
          Object.entries(queue.counts).map(([name, states]) => [name, states.reduce((sum, state) => sum + (of.get(state) ?? 0), 0)]),
        )
      },
      list,
      one,
      decide: async (tx, operator, call, input) => (await taken(tx, operator, call, input as Typed)).answer as AnswerOf<typeof call>,
    }
  }
  return { check, open }
}
