import { rowsOf } from '#contract/topic.ts'
import type { SourceDoc, Value } from '#language/documents/documents.ts'
import type { Scope } from '#language/expression/expression.ts'
import { compileValue } from '#language/expression/value.ts'
import { CallProblem, ofSession } from '#renderer/calls/api.ts'
import { isLost } from '#renderer/calls/perform-call.ts'
import { pause } from '#renderer/calls/perform-outcome.ts'
import { wholeValue } from '#renderer/core/plan.ts'
import { overlay } from '#renderer/core/scope.ts'
import { outdate, renewShown } from '#renderer/data/data-live.ts'
import type { Engine } from '#renderer/engine/types.ts'
import { draftsOf } from '#renderer/forms/drafts.ts'

/**
 * Rows that customers send and that the list does not have yet: each is shown at once, and its call goes out in turn. They outlive the
 * screen, and with the drafts of the tab a reload.
 */

type Row = Readonly<Record<string, unknown>>

/** One row. Its id is the idempotency key of its call too, so that sending it again cannot store it twice. */
interface Entry {
  id: string
  /** Call and arguments of the list that it stands in. */
  list: string
  call: string
  args: Row
  row: Row
  state: 'pending' | 'sent' | 'failed'
  /** It failed without an answer, so it may have arrived. */
  lost: boolean
  /** Why it failed, in the customer's language. */
  problem: string | undefined
}

/** Waits before each further attempt after an answer was lost. */
const waitsMs = [1_000, 2_000, 4_000] as const

/** Lays rows over the answers of one source. */
export interface Overlay {
  /**
   * The answer with the rows that it does not have; undefined where there are none. The same object for the same answer and rows.
   * @param args of the answer, as JSON
   */
  lay(answer: unknown, args: string | undefined): unknown
  end(): undefined
}

const listOf = (call: string, args: string) => `${call} ${args}`
const rowsIn = (answer: unknown): unknown => (Array.isArray(answer) ? answer : (answer as { list?: unknown } | undefined)?.list)

export class Unsent {
  private readonly engine: Engine
  private uid: string
  /** Oldest first. */
  private entries: readonly Entry[] = []
  private readonly wakes = new Set<() => void>()
  /** Lists whose rows are being sent, one after the other. */
  private readonly running = new Set<string>()

  constructor(engine: Engine) {
    this.engine = engine
    this.uid = engine.session.root().uid
    this.entries = this.kept()
    engine.outer.subscribe('session.uid', () => {
      const { uid } = engine.session.root()
      if (uid === this.uid) return
      this.uid = uid
      this.entries = this.kept()
      this.wake()
    })
  }

  /** Shows a row of a source at once and sends it in turn. @throws TooMuchData */
  add({ call, send, args: asks = {} }: SourceDoc, scope: Scope, args: Row): void {
    const { call: sends, id: name, optimistic = {} } = send as NonNullable<SourceDoc['send']>
    const id = crypto.randomUUID()
    const given = Object.entries(args).filter(([, value]) => value !== undefined && value !== null)
    const sent: Row = Object.fromEntries([...given, [name, id]])
    const more = wholeValue(compileValue(optimistic as Value), overlay(scope, { value: sent }), this.engine.say) as Row
    const row: Row = { ...sent, ...more, [name]: id }
    const list = listOf(call, JSON.stringify(compileValue(asks as Value).evaluate(scope, this.engine.say).value))
    this.put([...this.entries, { id, list, call: sends, args: sent, row, state: 'pending', lost: false, problem: undefined }])
    void this.run(list)
  }

  /** Sends a row that failed once more. Those that failed without an answer go together, in their order. */
  resend(id: string): void {
    const failed = this.entries.find((one) => one.id === id && one.state === 'failed')
    if (!failed) return
    const again = (one: Entry) => one === failed || (failed.lost && one.lost && one.list === failed.list)
    this.put(this.entries.map((one) => (again(one) ? { ...one, state: 'pending', lost: false, problem: undefined } : one)))
    void this.run(failed.list)
  }

  /** Leaves a row that failed. */
  discard(id: string): void {
    this.put(this.entries.filter((one) => one.id !== id || one.state !== 'failed'))
  }

  /** @param wake called when the rows are others */
  over({ call, live, send }: SourceDoc, wake: () => void): Overlay {
    const name = (send as NonNullable<SourceDoc['send']>).id
    const topics = [live ?? []].flat().map((topic) => rowsOf(topic, this.engine.topics))
    const isLast = topics.find((rows) => rows?.call === call)?.newest === 'last'
    let shown: { answer: unknown; args: string; entries: readonly Entry[]; value: unknown } | undefined
    const lists = new Set<string>()
    const end = () => {
      this.wakes.delete(wake)
      // What is in no answer now is in the next one.
      this.entries = this.entries.filter((one) => one.state !== 'sent' || !lists.has(one.list))
      return undefined
    }
    this.wakes.add(wake)
    const lay = (answer: unknown, args = ''): unknown => {
      const rows = rowsIn(answer)
      if (!Array.isArray(rows) || this.entries.length === 0) return undefined
      const same = shown !== undefined && shown.answer === answer && shown.args === args && shown.entries === this.entries
      if (shown && same) return shown.value
      const list = listOf(call, args)
      lists.add(list)
      const known = new Set(rows.map((row) => String((row as Row | null)?.[name])))
      const has = (one: Entry) => one.list === list && known.has(one.id)
      if (this.entries.some(has)) {
        this.entries = this.entries.filter((one) => !has(one))
        this.keep()
      }
      const own = this.entries.filter((one) => one.list === list).map(rowOf)
      const all = isLast ? [...rows, ...own] : [...own.reverse(), ...rows]
      const value = own.length === 0 ? undefined : Array.isArray(answer) ? all : { ...(answer as object), list: all }
      shown = { answer, args, entries: this.entries, value }
      return value
    }
    return { lay, end }
  }

  private async run(list: string): Promise<void> {
    if (this.running.has(list)) return
    this.running.add(list)
    const next = () => this.entries.find((one) => one.list === list && one.state === 'pending')
    for (let entry = next(); entry; entry = next()) await this.send(entry)
    this.running.delete(list)
  }

  /** Never throws: the row says what became of it. */
  private async send({ id, list, call, args }: Entry): Promise<void> {
    const { engine } = this
    for (let tries = 0; ; tries++) {
      try {
        const answer = (await engine.api.call(call, args, { key: id })) as Row | null
        this.change(
          (one) => one.id === id,
          (one) => ({ ...one, state: 'sent', row: holds(answer, id) ? { ...one.row, ...answer } : one.row }),
        )
        outdate(engine)
        renewShown(engine)
        return
      } catch (error) {
        const wait = waitsMs[tries]
        const lost = isLost(error)
        // A row that stands in the list by now, or was left with the session, needs no further attempt.
        if (!this.entries.some((one) => one.id === id)) return
        if (lost && wait !== undefined) {
          await pause(wait)
          continue
        }
        engine.bus.emit('call-failed', { screen: '', call, name: error instanceof CallProblem ? error.name : 'internal' })
        const problem = ofSession(error) && engine.problems.take(error) ? undefined : engine.problems.words(error)
        // Those behind it wait for the customer too, so that their order stays.
        this.change(
          (one) => one.list === list && one.state === 'pending' && (one.id === id || lost),
          (one) => ({ ...one, state: 'failed', lost, problem }),
        )
        return
      }
    }
  }

  private change(of: (one: Entry) => boolean, make: (one: Entry) => Entry): void {
    this.put(this.entries.map((one) => (of(one) ? make(one) : one)))
  }

  private put(entries: readonly Entry[]): void {
    this.entries = entries
    this.keep()
    this.wake()
  }

  private wake(): void {
    for (const wake of [...this.wakes]) wake()
  }

  private key(): string {
    return `${this.uid}/?unsent`
  }

  private keep(): void {
    const open = this.entries.filter(({ state }) => state !== 'sent')
    draftsOf(this.engine).write(this.key(), Object.fromEntries(open.map((one) => [one.id, ['unsent', one] as const])))
  }

  /** Rows of this customer from before a reload. Nobody knows what became of their calls, so the customer is asked. */
  private kept(): Entry[] {
    return Object.values(draftsOf(this.engine).read(this.key())).flatMap(([, raw]) => {
      const one = raw as Entry | null
      const isOne = ['id', 'list', 'call'].every((name) => typeof one?.[name as keyof Entry] === 'string')
      if (!isOne || typeof one?.row !== 'object' || typeof one.args !== 'object') return []
      return [{ ...one, state: 'failed', lost: one.lost || one.state === 'pending' }]
    })
  }
}

const holds = (answer: unknown, id: string): answer is Row =>
  typeof answer === 'object' && answer !== null && Object.values(answer).includes(id)

const shownRows = new WeakMap<Entry, Row>()
/** The row as documents read it, the same object until it changes. */
function rowOf(entry: Entry): Row {
  const known = shownRows.get(entry)
  if (known) return known
  const { row, state, problem } = entry
  const made: Row = { ...row, sending: state, ...(problem !== undefined && { sendingProblem: problem }) }
  shownRows.set(entry, made)
  return made
}

const ofEngine = new WeakMap<object, Unsent>()

/** The rows of this tab, one set for each engine. */
export function unsentOf(engine: Engine): Unsent {
  let unsent = ofEngine.get(engine)
  if (!unsent) ofEngine.set(engine, (unsent = new Unsent(engine)))
  return unsent
}
