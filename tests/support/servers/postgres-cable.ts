import { type Cable, layCable, type Watch } from '#tests/support/servers/proxy.ts'

/**
 * A cable to PostgreSQL that can be cut right before a commit, which is undone then, and right after it, whose answer is lost: who asked knows
 * neither.
 */
export interface PostgresCable extends Cable {
  /** @param skipped so many commits of this node are left alone before it */
  failCommit(how: 'before' | 'after', skipped: number): void
  /** How many commits have failed. */
  failed(): { before: number; after: number }
}

/** Calls `take` with each whole message. The first one of a client has no type. */
function readMessages(hasType: boolean, take: (type: string, body: Buffer) => void): (part: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  let typeLength = hasType ? 1 : 0
  return (part) => {
    rest = rest.length ? Buffer.concat([rest, part]) : part
    while (rest.length >= typeLength + 4) {
      const end = typeLength + rest.readInt32BE(typeLength)
      if (rest.length < end) return
      if (typeLength) take(String.fromCharCode(rest[0]!), rest.subarray(5, end))
      rest = rest.subarray(end)
      typeLength = 1
    }
  }
}

/** Statements are parsed once for a connection and executed by their names. */
function watchCommits(sent: () => boolean, answered: () => boolean): Watch {
  const texts = new Map<string, string>()
  const strings = (body: Buffer) => body.toString('latin1').split('\0', 2) as [string, string]
  let isCut = false
  const readSent = readMessages(false, (type, body) => {
    const [first, second] = type === 'P' || type === 'B' ? strings(body) : []
    if (type === 'P') texts.set(first!, second!)
    if (type === 'B' && texts.get(second!) === 'commit') isCut ||= sent()
  })
  const readAnswered = readMessages(true, (type, body) => {
    if (type === 'C' && strings(body)[0] === 'COMMIT') isCut ||= answered()
  })
  return {
    sent(part) {
      readSent(part)
      return isCut
    },
    answered(part) {
      readAnswered(part)
      return isCut
    },
  }
}

/** @param target `http://127.0.0.1:5432` */
export async function layPostgresCable(target: string): Promise<PostgresCable> {
  const due: Record<'before' | 'after', number[]> = { before: [], after: [] }
  const failed = { before: 0, after: 0 }
  const passes = (how: 'before' | 'after') => () => {
    const isHit = due[how].includes(0)
    due[how] = due[how].map((left) => left - 1).filter((left) => left >= 0)
    if (isHit) failed[how]++
    return isHit
  }
  const cable = await layCable(target, () => watchCommits(passes('before'), passes('after')))
  return {
    ...cable,
    failCommit: (how, skipped) => void due[how].push(skipped),
    failed: () => ({ ...failed }),
  }
}
