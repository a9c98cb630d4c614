import { type PGlite, protocol } from '@electric-sql/pglite'

const { serialize } = protocol
const bytea = 17

/**
 * Bounds of what is kept. Plans are made anew now and then: the engine never analyses its tables by itself, so a plan that was made while a table
 * was nearly empty would stay for ever.
 */
const preparedLimits = { kept: 256, textMax: 4_000, firstUses: 16, uses: 1_000, ageMs: 60_000 } as const

const keepable = /^\s*(?:select|insert|update|delete|merge|with|values|start transaction|commit|rollback$)\b/i
/** Anything but these may change what a statement means. */
const harmless = /^\s*(?:set|show|savepoint|release|rollback|checkpoint|analyze)\b/i

interface Prepared {
  name: string
  types: readonly number[]
  fields: readonly { name: string; dataTypeID: number }[]
  madeAt: number
  uses: number
  /** After so many it is planned anew; fewer at first, because a new database grows fastest. */
  usesMax: number
}
export interface Answer {
  rows: Record<string, unknown>[]
  /** The command that was executed, such as INSERT; undefined when the engine did not name it. */
  command: string | undefined
  count: number
}
type Messages = Awaited<ReturnType<PGlite['execProtocolStream']>>

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** The statements of the one connection to the embedded database: each text is parsed and planned once, and executed in one message. */
export class PreparedStatements {
  readonly #pg: PGlite
  readonly #kept = new Map<string, Prepared>()
  #made = 0
  #begin: string | undefined
  #inTransaction = false
  /** This transaction has changed tables; as it may be undone, nothing is kept until its end. */
  #altered = false

  constructor(pg: PGlite) {
    this.#pg = pg
  }

  /** The next statement begins a transaction; the engine hears of it together with that statement. */
  begin(text: string): void {
    this.#begin = text
    this.#inTransaction = true
  }

  /** Ends the transaction with `commit` or `rollback`. @returns undefined when it had not begun */
  async end(text: string): Promise<Answer | undefined> {
    this.#inTransaction = false
    const begun = this.#begin === undefined
    this.#begin = undefined
    try {
      return begun ? await this.run(text, []) : undefined
    } finally {
      this.#altered = false
    }
  }

  async run(text: string, values: readonly unknown[]): Promise<Answer> {
    if (this.#altered || text.length > preparedLimits.textMax || !keepable.test(text)) return this.#once(text, values)
    const parts: Uint8Array[] = []
    const begin = this.#begin
    if (begin !== undefined) parts.push(...this.#call(await this.#prepare(begin), []))
    const statement = await this.#prepare(text)
    parts.push(...this.#call(statement, values), serialize.sync())
    this.#begin = undefined
    return this.#read(await this.#send(parts), statement, begin === undefined ? 1 : 2)
  }

  /** A statement that is not kept. */
  async #once(text: string, values: readonly unknown[]): Promise<Answer> {
    const begin = this.#begin
    this.#begin = undefined
    if (begin !== undefined) await this.#pg.query(begin)
    const answer = await this.#pg.query<Record<string, unknown>>(text, [...values])
    if (!keepable.test(text) && !harmless.test(text)) {
      this.#altered = this.#inTransaction
      await this.#forget([...this.#kept.keys()])
    }
    return { rows: answer.rows, command: answer.command, count: answer.rowCount ?? answer.affectedRows ?? 0 }
  }

  async #prepare(text: string): Promise<Prepared> {
    const found = this.#kept.get(text)
    const now = performance.now()
    if (found && ++found.uses <= found.usesMax && now - found.madeAt <= preparedLimits.ageMs) {
      // The least recently used statement is forgotten first. `start transaction` is sent together with the statement after it, so preparing
      // that one must not forget it.
      this.#kept.delete(text)
      this.#kept.set(text, found)
      return found
    }
    if (found) await this.#forget([text])
    const oldest = this.#kept.size >= preparedLimits.kept ? this.#kept.keys().next().value : undefined
    if (oldest !== undefined) await this.#forget([oldest])
    const name = `s${++this.#made}`
    const said = await this.#send([serialize.parse({ name, text }), serialize.describe({ type: 'S', name }), serialize.sync()])
    const usesMax = found ? Math.min(found.usesMax * 4, preparedLimits.uses) : preparedLimits.firstUses
    const made = { name, types: [] as number[], fields: [] as Prepared['fields'], madeAt: now, uses: 1, usesMax }
    for (const message of said) {
      if (message instanceof protocol.messages.ParameterDescriptionMessage) made.types = message.dataTypeIDs
      else if (message instanceof protocol.messages.RowDescriptionMessage) made.fields = message.fields
    }
    this.#kept.set(text, made)
    return made
  }

  async #forget(texts: readonly string[]): Promise<void> {
    if (!texts.length) return
    const parts = texts.map((text) => serialize.close({ type: 'S', name: this.#kept.get(text)!.name }))
    for (const text of texts) this.#kept.delete(text)
    await this.#send([...parts, serialize.sync()])
  }

  #call({ name, types }: Prepared, values: readonly unknown[]): Uint8Array[] {
    const written = values.map((value, at) => {
      if (value === null || value === undefined) return null
      const type = types[at]!
      if (type === bytea && value instanceof Uint8Array) return value
      const write = this.#pg.serializers[type]
      return write ? write(value) : String(value)
    })
    return [serialize.bind({ statement: name, values: written }), serialize.execute({})]
  }

  #send(parts: readonly Uint8Array[]): Promise<Messages> {
    return this.#pg.execProtocolStream(joined(parts), { syncToFs: false })
  }

  /** @param tags how many statements were sent */
  #read(said: Messages, { fields }: Prepared, tags: number): Answer {
    const answer: Answer = { rows: [], command: undefined, count: 0 }
    let heard = 0
    for (const message of said) {
      if (message instanceof protocol.messages.DataRowMessage) {
        const row: Record<string, unknown> = {}
        for (const [at, { name, dataTypeID }] of fields.entries()) {
          const text = message.fields[at]
          const read = this.#pg.parsers[dataTypeID]
          const value = text === null || text === undefined ? null : read ? read(text, dataTypeID) : text
          if (name === '__proto__') Object.defineProperty(row, name, { value, enumerable: true, configurable: true, writable: true })
          else row[name] = value
        }
        answer.rows.push(row)
      } else if (message instanceof protocol.messages.CommandCompleteMessage && ++heard === tags) {
        const words = message.text.split(' ')
        answer.command = words[0]
        answer.count = Number(words.at(-1)) || 0
      }
    }
    return answer
  }
}
