import { createInterface } from 'node:readline'
import { type Readable, Writable } from 'node:stream'

export interface Question {
  name: string
  /** Not shown while it is typed. */
  secret?: true
}
/** Standard input, or what stands for it. */
export type Terminal = Readable & { isTTY?: boolean }

/**
 * Answers to questions, in order: typed on a terminal, otherwise one a line from standard input.
 * @param to where questions are written; not where answers of a command go
 * @throws Error when the input ends before the last answer
 */
export async function askAll(questions: readonly Question[], from: Terminal, to: Writable): Promise<string[]> {
  const typed = from.isTTY === true
  const shown = { now: true }
  const reader = createInterface({ input: from, ...(typed && { output: muted(to, shown), terminal: true }) })
  const lines = reader[Symbol.asyncIterator]()
  const answers: string[] = []
  try {
    for (const { name, secret } of questions) {
      if (typed) to.write(`${name}: `)
      shown.now = !secret
      const { value, done } = await lines.next()
      if (typed && secret) to.write('\n')
      if (done) throw new Error(`the input ended before ${name}`)
      answers.push(value)
    }
    return answers
  } finally {
    reader.close()
  }
}

/** Returns an output that writes to the terminal only while it may be seen. */
const muted = (to: Writable, shown: { now: boolean }): Writable =>
  new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (shown.now) to.write(chunk)
      done()
    },
  })
