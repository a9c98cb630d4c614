import type pg from 'pg'

/**
 * Sends all statements of one turn of the event loop as one packet and reads the answers together. Each statement is parsed once per connection.
 * node-postgres keeps the connection and reads the messages.
 */

/** A connection keeps so many statements under a name. Lists of other lengths make ever new texts, so there is an end to it. */
const kept = { most: 500, textMax: 4_000 } as const

/** Counts the times that tables were changed under statements that are kept: after one, each connection has them parsed anew. */
let generation = 0
export const forgetStatements = (): void => void generation++

export interface Answer {
  rows: Record<string, unknown>[]
  /** The command that was executed, such as INSERT. */
  command: string
  count: number
}

interface Field {
  name: string
  dataTypeID: number
}
/** A statement that the connection knows by its name, from the first time on. */
interface Known {
  name: string
  text: string
  isParsed: boolean
  fields: readonly Field[]
}
type Sent = string | Buffer | null
interface Asked {
  known: Known
  values: Sent[]
  resolve(answer: Raw): void
  reject(error: unknown): void
}
interface Raw {
  rows: (string | null)[][]
  tag: string
}

/** The part of node-postgres' connection that writes messages. */
interface Wire {
  stream: { cork(): void; uncork(): void }
  parse(message: { name: string; text: string }): void
  describe(message: { type: 'S'; name: string }): void
  close(message: { type: 'S'; name: string }): void
  bind(message: { statement: string; values: readonly Sent[] }): void
  execute(message: object): void
  sync(): void
  sendCopyFail(why: string): void
}

function arrayText(list: readonly unknown[]): string {
  const items = list.map((item) => {
    if (item === null || item === undefined) return 'NULL'
    if (Array.isArray(item)) return arrayText(item)
    const text = valueText(item)
    if (typeof text !== 'string') throw new Error('bytes are not sent in lists')
    return `"${text.replace(/\\/g, '\\\\').replace(/"/g, '\\"')}"`
  })
  return `{${items.join(',')}}`
}

/** A parameter as it is sent: as text, bytes as they are. */
function valueText(value: unknown): Sent {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return null
  if (typeof value !== 'object') return String(value)
  if (Buffer.isBuffer(value)) return value
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  if (Array.isArray(value)) return arrayText(value)
  if (value instanceof Date) throw new Error('times are numbers here')
  return JSON.stringify(value)
}

const beyond = () => {
  throw new Error('the database answers what nobody asked')
}

/** Statements that are sent together. After the first that fails none is executed. */
class Group {
  readonly #asked: readonly Asked[]
  readonly #unsure: readonly string[]
  /** Told once, with the statements that nobody can say of whether they were parsed. */
  readonly #over: (unsure: readonly Known[]) => void
  /** Places of the statements that are parsed on the way. */
  readonly #parsed = new Set<number>()
  readonly #answers: Raw[] = []
  #rows: (string | null)[][] = []
  #isSettled = false
  callback = (): void => {}
  handlePortalSuspended = beyond

  /** @param unsure names that may be there; closing one that is not is no error */
  constructor(asked: readonly Asked[], unsure: readonly string[], over: (unsure: readonly Known[]) => void) {
    this.#asked = asked
    this.#unsure = unsure
    this.#over = over
  }

  submit(wire: Wire): null {
    wire.stream.cork()
    for (const name of this.#unsure) wire.close({ type: 'S', name })
    for (const [at, { known, values }] of this.#asked.entries()) {
      const { name, text } = known
      if (!known.isParsed || name === '') {
        wire.parse({ name, text })
        wire.describe({ type: 'S', name })
        known.isParsed = true
        this.#parsed.add(at)
      }
      wire.bind({ statement: name, values })
      wire.execute({})
    }
    wire.sync()
    wire.stream.uncork()
    return null
  }

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    this.#asked[this.#answers.length]!.known.fields = fields
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.#rows.push(fields)
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#answers.push({ rows: this.#rows, tag: text })
    this.#rows = []
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' })
  }

  handleCopyInResponse(wire: Wire): void {
    wire.sendCopyFail('nothing is copied')
  }

  /**
   * Outside of a transaction the last one may fail after it was executed: its effect is undone then, so no result is passed on before the
   * end.
   */
  handleError(error: unknown): void {
    if (this.#isSettled) return
    this.#isSettled = true
    const failed = Math.min(this.#answers.length, this.#asked.length - 1)
    this.#over(this.#asked.filter((_, at) => at >= failed && this.#parsed.has(at)).map(({ known }) => known))
    for (const [at, { resolve, reject }] of this.#asked.entries()) {
      if (at < failed) resolve(this.#answers[at]!)
      else reject(error)
    }
  }

  handleReadyForQuery(): void {
    if (this.#isSettled) return
    if (this.#answers.length !== this.#asked.length) return void this.handleError(new Error('a statement was not answered'))
    this.#isSettled = true
    this.#over([])
    for (const [at, { resolve }] of this.#asked.entries()) resolve(this.#answers[at]!)
  }
}

type Client = pg.PoolClient & { getTypeParser(type: number, format: 'text'): (text: string) => unknown }

/** One connection of the pool, for as long as it lives. */
export class Line {
  readonly #client: Client
  readonly #known = new Map<string, Known>()
  #generation = generation
  #named = 0
  #asked: Asked[] = []
  #unsure: string[] = []
  #isBusy = false

  constructor(client: pg.PoolClient) {
    this.#client = client as Client
  }

  /** Executed in the order of asking. Need not be awaited before the next: inside a transaction nothing is executed after a failure. */
  async ask(text: string, values: readonly unknown[]): Promise<Answer> {
    const known = this.#knownAs(text)
    const written = values.map(valueText)
    const { rows, tag } = await new Promise<Raw>((resolve, reject) => {
      if (this.#asked.push({ known, values: written, resolve, reject }) === 1) process.nextTick(this.#send)
    })
    const words = tag.split(' ')
    return { rows: rows.length ? this.#read(rows, known.fields) : [], command: words[0]!, count: Number(words.at(-1)) || 0 }
  }

  #knownAs(text: string): Known {
    if (this.#generation !== generation) {
      this.#generation = generation
      this.#known.clear()
    }
    const found = this.#known.get(text)
    if (found) return found
    const isKept = this.#known.size < kept.most && text.length <= kept.textMax
    const known: Known = { name: isKept ? `t${++this.#named}` : '', text, isParsed: false, fields: [] }
    if (isKept) this.#known.set(text, known)
    return known
  }

  #send = (): void => {
    if (this.#isBusy || !this.#asked.length) return
    const asked = this.#asked
    this.#asked = []
    this.#isBusy = true
    this.#client.query(new Group(asked, this.#unsure, this.#over) as unknown as pg.Submittable)
    this.#unsure = []
  }

  #over = (unsure: readonly Known[]): void => {
    for (const { name, text } of unsure) {
      this.#known.delete(text)
      if (name !== '') this.#unsure.push(name)
    }
    this.#isBusy = false
    if (this.#asked.length) process.nextTick(this.#send)
  }

  #read(rows: readonly (string | null)[][], fields: readonly Field[]): Record<string, unknown>[] {
    const parsers = fields.map(({ dataTypeID }) => this.#client.getTypeParser(dataTypeID, 'text'))
    return rows.map((texts) => {
      const row: Record<string, unknown> = {}
      for (const [at, { name }] of fields.entries()) {
        const text = texts[at] ?? null
        const value = text === null ? null : parsers[at]!(text)
        if (name === '__proto__') Object.defineProperty(row, name, { value, enumerable: true, configurable: true, writable: true })
        else row[name] = value
      }
      return row
    })
  }
}
