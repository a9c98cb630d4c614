import { type RawBuilder, type Selectable, sql } from 'kysely'
import type * as z from 'zod'
import { type Decision, decided, type OfficeHandlers, type OfficeNote, type OfficePorts, proven } from '#api-server/kit/decision.ts'
import { loggedCheck } from '#api-server/kit/logged.check.ts'
import type { OfficeProposalRow } from '#api-server/kit/office.migration.ts'
import type { Check } from '#api-server/ledger/audit/audit.check.ts'
import type { BackOfficeAction, proposalShown } from '#contract/calls/office.rows.ts'
import { ApiProblem } from '#contract/problem.ts'
import { isUniqueViolation, type Tx, write } from '#server-kit/db/db.ts'
import type { Operator, OperatorCaller } from '#server-kit/http/http.ts'

/**
 * Changes that need two operators. A module defines the kind: the terms that count now, how a change is shown, and how it is carried out. The kit
 * gives proposing, agreeing and dropping: never the same person, after a recent login, based on the version that counts, with the row of the log in
 * the same transaction, and check D2 of the audit.
 */

export type Proposal = Selectable<OfficeProposalRow>
/** A proposal as the back office shows it. */
export type ShownProposal = z.input<typeof proposalShown>
/** A change of one member; `shown` is with its unit, `before` is empty where the member is new. */
export type ProposedChange = ShownProposal['changes'][number]

/** Terms that count. */
interface Counting<T> {
  version: number
  /** Undefined for something new. */
  terms: T | undefined
}

/** Prefix of actions in the log: `instrument` for instrument.propose, .agree, .withdraw and .refuse. */
export type ProposalActions = BackOfficeAction extends infer A ? (A extends `${infer P}.propose` ? P : never) : never
type ProposalStep = 'propose' | 'agree' | 'withdraw' | 'refuse'

export interface ProposalDefinition<C, T> {
  kind: string
  /** Or each action by itself; `overtake` is the pattern of those that overtake a proposal. */
  actions: ProposalActions | Readonly<Record<ProposalStep | 'overtake', BackOfficeAction>>
  /** Subject of its rows in the log; by default that of the proposal. */
  subject?(subject: string): string
  /** Reads stored terms. @throws Error for terms of another form */
  read(stored: unknown): T
  /** The terms that count. In a transaction, no other change of them runs until it ends. @throws ApiProblem('not_found') */
  now(context: C, subject: string, tx?: Tx): Promise<Counting<T>>
  /** Differences between two versions, in the order of the members. */
  changes(context: C, subject: string, before: T | undefined, after: T, tx?: Tx): ProposedChange[] | Promise<ProposedChange[]>
  /** Text of the row of the log; by default the changes, or the name of the author where a proposal is dropped. */
  detail?(context: C, subject: string, after: T, tx: Tx): Promise<string>
  /** Asked before a proposal is agreed to. @throws ApiProblem for a change that time has overtaken */
  check?(context: C, change: { subject: string; before: T | undefined; after: T }, tx: Tx, at: number): void | Promise<void>
  /**
   * Carries out the change. @param by names of both operators
   * @returns rows of the log for other things that it changed, which stand before its own
   */
  apply(
    context: C,
    decision: Decision,
    change: { subject: string; version: number; before: T | undefined; after: T; by: string },
  ): Promise<readonly OfficeNote[]>
  /** After a proposal was withdrawn or refused, in the same transaction. */
  dropped?(context: C, decision: Decision, subject: string, state: 'withdrawn' | 'refused'): Promise<unknown>
  /** After the commit of anything about the subject. */
  announce?(context: C, subject: string): void | Promise<void>
}

/** The result of a step about a proposal. */
export interface ProposalDone {
  id: number
  kind: string
  subject: string
  state: Proposal['state']
}

/** A kind of proposals in a running server. */
export interface OpenProposals<T> {
  readonly kind: string
  /** The open proposal of a subject, as an operator sees it. */
  shown(subject: string, operator: Operator): Promise<{ shown: ShownProposal; after: T } | undefined>
  /** Number of the open proposal of a subject. */
  find(subject: string, tx: Tx): Promise<number | undefined>
  /** Subjects with an open proposal, and the terms that it proposes. */
  open(): Promise<ReadonlyMap<string, T>>
  /**
   * @param change.subject or a function that makes the row which the proposal is about
   * @param change.version that the page showed @param change.detail text of the row of the log, in place of that of the kind
   * @throws ApiProblem terms_changed; state_wrong when nothing is different, or another change waits; fresh_login_required
   */
  propose(
    tx: Tx,
    operator: Operator,
    change: { subject: string | ((decision: Decision) => Promise<string>); after: T; version?: number | undefined; detail?: string },
  ): Promise<ProposalDone>
  /** @throws ApiProblem state_wrong, own_decision, fresh_login_required, and the refusals of the kind */
  agree(tx: Tx, operator: Operator, id: number, detail?: string): Promise<ProposalDone>
  /** The author withdraws a proposal, another operator refuses it. @throws ApiProblem('state_wrong') */
  drop(tx: Tx, operator: Operator, id: number, detail?: string): Promise<ProposalDone>
  /** Ends an open proposal that a change without a second operator has overtaken. */
  overtake(decision: Decision, subject: string): Promise<void>
  /** After the commit of a step. */
  announce(subject: string): Promise<void>
}

/** Text of the log about changes. */
export const detailOf = (changes: readonly ProposedChange[]) =>
  changes.map(({ name, shown, before }) => `${name} ${before || '–'} → ${shown || '–'}`).join('; ')

/** Check D2 of all kinds: each proposal and each decision about one. A kind's subject in the log is that of the row. */
const checkOf = (kind: string, actions: Record<ProposalStep | 'overtake', string>, subject: RawBuilder<unknown>): Check =>
  loggedCheck({
    says: `each proposal of ${kind} and each decision about it stands in the log of the back office`,
    over: 'all',
    decisions: () => sql`select ${subject} as subject, e.acts, e.operator, count(*) as times from office_proposal
      cross join lateral (values (${sql.lit(actions.propose)}, operator), (case state when 'agreed' then ${sql.lit(actions.agree)}
        when 'withdrawn' then ${sql.lit(actions.withdraw)} when 'refused' then ${sql.lit(actions.refuse)} else ${sql.lit(actions.overtake)} end,
        decided_by)) as e (acts, operator) where kind = ${sql.lit(kind)} and e.operator <> '' group by 1, 2, 3`,
  })

const named = (prefix: ProposalActions) => {
  const of = <S extends string>(step: S) => `${prefix}.${step}` as BackOfficeAction
  return { propose: of('propose'), agree: of('agree'), withdraw: of('withdraw'), refuse: of('refuse'), overtake: `${prefix}.%` }
}

export function defineProposal<C, T>(definition: ProposalDefinition<C, T>) {
  const { kind, actions: asked } = definition
  const actions = typeof asked === 'string' ? named(asked) : asked
  const logged = (subject: string) => definition.subject?.(subject) ?? subject
  // The subject of the log as SQL: a prefix before that of the proposal, or a text that is always the same.
  const mark = '\u0000'
  const [prefix, rest] = logged(mark).split(mark)
  const subjects = rest === undefined ? sql`${sql.lit(prefix!)}` : sql`${sql.lit(prefix!)} || subject`
  const check = checkOf(kind, actions, subjects)

  function open(office: OfficePorts, context: C): OpenProposals<T> {
    const { db } = office.database
    const find = (tx?: Tx) => (tx ?? db).selectFrom('office_proposal').selectAll().where('kind', '=', kind).where('state', '=', 'open')
    const note = (step: ProposalStep, subject: string, detail: string): OfficeNote => ({
      action: actions[step],
      subject: logged(subject),
      detail,
    })
    /** @throws ApiProblem('state_wrong') */
    async function locked(tx: Tx, id: number): Promise<Proposal> {
      const row = await find(tx).where('id', '=', id).forUpdate().executeTakeFirst()
      if (!row) throw new ApiProblem('state_wrong')
      return row
    }
    const end = ({ tx, by, at }: Decision, id: number, state: Exclude<Proposal['state'], 'open'>) =>
      write(
        1,
        tx.updateTable('office_proposal').set({ state, decided_by: by, decided_at: at }).where('id', '=', id).where('state', '=', 'open'),
      )

    return {
      kind,
      async shown(subject, operator) {
        const row = await find().where('subject', '=', subject).executeTakeFirst()
        if (!row) return undefined
        const [before, after] = [(await definition.now(context, subject)).terms, definition.read(row.after)]
        const own = row.operator_id === operator.id
        const shown = {
          id: row.id,
          by: row.operator,
          time: row.at,
          changes: await definition.changes(context, subject, before, after),
          own,
          may_agree: !own && operator.roles.includes('administrator'),
        }
        return { shown, after }
      },
      open: async () => new Map((await find().orderBy('id').execute()).map(({ subject, after }) => [subject, definition.read(after)])),
      find: async (subject, tx) => (await find(tx).where('subject', '=', subject).executeTakeFirst())?.id,
      propose(tx, operator, { subject: asked, after, version, detail: own }) {
        proven(operator)
        return decided(office, tx, operator, async (decision) => {
          const { at, by } = decision
          const subject = typeof asked === 'string' ? asked : await asked(decision)
          const now = await definition.now(context, subject, tx)
          if (version !== undefined && version !== now.version) throw new ApiProblem('terms_changed')
          const changes = await definition.changes(context, subject, now.terms, after, tx)
          if (!changes.length || (await find(tx).where('subject', '=', subject).executeTakeFirst())) throw new ApiProblem('state_wrong')
          const row = {
            kind,
            subject,
            version: now.version,
            before: now.terms === undefined ? null : JSON.stringify(now.terms),
            after: JSON.stringify(after) ?? null,
            operator_id: operator.id,
            operator: by,
            at,
          }
          const rest = { state: 'open', decided_by: '', decided_at: null } as const
          const [made] = await write(
            1,
            tx
              .insertInto('office_proposal')
              .values({ ...row, ...rest })
              .returning('id'),
          ).catch((error: unknown) => {
            // Another one may have come since the look.
            throw isUniqueViolation(error) ? new ApiProblem('state_wrong', { cause: error }) : error
          })
          const detail = own ?? (await definition.detail?.(context, subject, after, tx)) ?? detailOf(changes)
          return { answer: { id: made!.id, kind, subject, state: 'open' as const }, notes: [note('propose', subject, detail)] }
        })
      },
      agree(tx, operator, id, own) {
        proven(operator)
        return decided(office, tx, operator, async (decision) => {
          const row = await locked(tx, id)
          const { subject } = row
          const now = await definition.now(context, subject, tx)
          if (row.version !== now.version) throw new ApiProblem('state_wrong')
          if (row.operator_id === operator.id) throw new ApiProblem('own_decision')
          const change = { subject, version: now.version + 1, before: now.terms, after: definition.read(row.after) }
          await definition.check?.(context, change, tx, decision.at)
          await end(decision, id, 'agreed')
          const changes = await definition.changes(context, subject, now.terms, change.after, tx)
          const detail = own ?? (await definition.detail?.(context, subject, change.after, tx)) ?? detailOf(changes)
          const [first, ...rest] = await definition.apply(context, decision, { ...change, by: `${row.operator}, ${decision.by}` })
          const agreed = note('agree', subject, detail)
          return { answer: { id, kind, subject, state: 'agreed' as const }, notes: first ? [first, ...rest, agreed] : [agreed] }
        })
      },
      drop: (tx, operator, id, typed) =>
        decided(office, tx, operator, async (decision) => {
          const row = await locked(tx, id)
          const { subject } = row
          const own = row.operator_id === operator.id
          const state = own ? 'withdrawn' : 'refused'
          await end(decision, id, state)
          await definition.dropped?.(context, decision, subject, state)
          const detail = typed ?? (await definition.detail?.(context, subject, definition.read(row.after), tx)) ?? row.operator
          return { answer: { id, kind, subject, state }, notes: [note(own ? 'withdraw' : 'refuse', subject, detail)] }
        }),
      async overtake(decision, subject) {
        const row = await find(decision.tx).where('subject', '=', subject).forUpdate().executeTakeFirst()
        if (row) await end(decision, row.id, 'overtaken')
      },
      announce: async (subject) => definition.announce?.(context, subject),
    }
  }
  return { kind, check, open }
}

/** Handlers of the two calls that decide about proposals of any kind. */
export function proposalHandlers(office: OfficePorts, kinds: readonly OpenProposals<never>[]): OfficeHandlers {
  const of = new Map(kinds.map((one) => [one.kind, one]))
  async function step(caller: OperatorCaller, call: string, input: { id: number }, take: 'agree' | 'drop'): Promise<ProposalDone> {
    const { operator } = caller
    if (take === 'agree') proven(operator)
    const done = await office.once.run(caller, { call, input }, async (tx) => {
      const row = await tx.selectFrom('office_proposal').select('kind').where('id', '=', input.id).executeTakeFirst()
      const kind = row && of.get(row.kind)
      if (!kind) throw new ApiProblem('state_wrong')
      return kind[take](tx, operator, input.id)
    })
    await of.get(done.kind)!.announce(done.subject)
    office.queueChanged()
    return done
  }
  return {
    'office.proposalAgree': (input: { id: number }, caller: OperatorCaller) => step(caller, 'office.proposalAgree', input, 'agree'),
    'office.proposalDrop': (input: { id: number }, caller: OperatorCaller) => step(caller, 'office.proposalDrop', input, 'drop'),
  } as OfficeHandlers
}
