import type { People } from '#api-server/account/people.reads.ts'
import type { Proofs } from '#api-server/account/proof.ts'
import type { Idempotency } from '#api-server/idempotency/idempotency.ts'
import type { Notices } from '#api-server/notices/notice.ts'
import type { backOfficeCalls } from '#contract/calls/office.calls.ts'
import type { BackOfficeAction } from '#contract/calls/office.rows.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Database, Tx } from '#server-kit/db/db.ts'
import type { Operator, OperatorCaller } from '#server-kit/http/http.ts'
import type { Clock } from '#server-kit/ops/clock.ts'

/** Decisions of operators. Each one leaves a row in the log of the back office, in the transaction that carries it out. */

/** The row that a decision leaves. */
export interface OfficeNote {
  action: BackOfficeAction
  /** The thing that was decided about: recharge:12, customer:100001. */
  subject: string
  /** In words; typed by operators, or the values before and after. Never a name, number or address of a customer. */
  detail: string
}

/** Ports of everything that operators decide about. */
export interface OfficePorts {
  database: Database
  clock: Clock
  once: Idempotency
  /** Adds a row to the log of the back office: the last statement of a transaction, since others that add rows wait from here to its end. */
  log: { append(tx: Tx, operator: Operator, note: OfficeNote, at: number): Promise<void> }
  people: People
  proofs: Pick<Proofs, 'standing' | 'lock'>
  notices: Notices
  /** From this worth in USD on, two operators must approve. */
  fourEyesUsd(tx?: Tx): Promise<string>
  /** After the commit: a queue or a rule is another than before; every open back office hears of it. */
  queueChanged(): void
}

/** Answer of a decision, and its rows in the log. */
export interface Decided<A> {
  answer: A
  notes: readonly [OfficeNote, ...OfficeNote[]]
}

/**
 * The right to change a state that operators decide about. Statements that change one ask for it. Only `decided` makes one, and adds the rows of the
 * log, so a decision without its row cannot be written.
 */
export class Decision {
  readonly tx: Tx
  readonly operator: Operator
  /** ms UTC */
  readonly at: number
  // A member that nothing else can have: no other object is taken for a decision.
  protected readonly isRight = true

  private constructor(tx: Tx, operator: Operator, at: number) {
    this.tx = tx
    this.operator = operator
    this.at = at
  }
  /** Name of the operator, as rows keep it. */
  get by(): string {
    return this.operator.name
  }
  static async take<A>(
    { log, clock }: Pick<OfficePorts, 'log' | 'clock'>,
    tx: Tx,
    operator: Operator,
    work: (decision: Decision) => Promise<Decided<A>>,
  ): Promise<A> {
    const decision = new Decision(tx, operator, clock.now())
    const { answer, notes } = await work(decision)
    for (const note of notes) await log.append(tx, operator, note, decision.at)
    return answer
  }
}

/** Carries out a decision in the caller's transaction; its rows of the log are the last statements. A decision that throws leaves no row. */
export const decided = Decision.take

/** The same once for the key of the operator, in a transaction of its own that also stores the answer. */
export const decideOnce = <A>(
  ports: Pick<OfficePorts, 'log' | 'clock' | 'once'>,
  caller: OperatorCaller,
  call: OfficeCall,
  input: object,
  work: (decision: Decision) => Promise<Decided<A>>,
): Promise<A> => ports.once.run(caller, { call, input }, (tx) => decided(ports, tx, caller.operator, work))

/**
 * For decisions that need two operators: a session that somebody left open is no proof of who is there.
 * @throws ApiProblem('fresh_login_required')
 */
export function proven({ fresh }: Operator): void {
  if (!fresh) throw new ApiProblem('fresh_login_required')
}

/** Name of a call of the back office. */
export type OfficeCall = keyof typeof backOfficeCalls & string
/** Handlers of calls of the back office by name; the contract checks inputs and answers. */
export type OfficeHandlers = Readonly<Record<string, (input: never, caller: OperatorCaller) => unknown>>
