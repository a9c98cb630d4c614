import type { AppDoc } from '#language/documents/documents.ts'
import { segmentsOf } from '#language/documents/segments.ts'
import { compile, scopeOf } from '#language/expression/expression.ts'
import { truthy } from '#language/expression/operator.ts'
import type { Rollout } from '#language/publish/publishing.ts'

/** Properties of a client that a rollout uses. The client reports all of them itself. */
export interface Asker {
  loggedIn: boolean
  /** Level of verification, 0 to 2. */
  kyc: number
  /** 64 random bits that a device keeps, as 16 hexadecimal digits. */
  client: string
}

const segmentPattern = /^([01])\.([012])\.([0-9a-f]{16})$/

/** `1.2.0123456789abcdef`: logged in, level, device. @returns undefined when it is anything else; such a client sees the stable release */
export function readAsker(segment: string | undefined): Asker | undefined {
  const read = segment === undefined ? null : segmentPattern.exec(segment)
  return read ? { loggedIn: read[1] === '1', kyc: Number(read[2]), client: read[3]! } : undefined
}

/** Buckets are hundredths of a percent. */
export const bucketsMax = 10_000

/** FNV-1a with the last step of MurmurHash3, without which neighbouring texts fall into neighbouring buckets. */
function hash32(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** Where a client stands in the queue for a release: the same each time, and another one for each release. @returns 0 to `bucketsMax` - 1 */
export function bucketOf(client: string, release: number): number {
  return hash32(`${release}.${client}`) % bucketsMax
}

/** Whether a client is in a named segment. */
export type InSegment = (name: string, asker: Asker, language: string) => boolean

/** The named segments of an app document, for clients as they describe themselves. Nobody is in an unknown segment. */
export function segmentsIn(app: Pick<AppDoc, 'segments'> | undefined): InSegment {
  const tests = new Map(Object.entries(segmentsOf(app)).map(([name, test]) => [name, compile(test)]))
  return (name, { loggedIn, kyc }, language) => {
    const test = tests.get(name)
    if (!test) return false
    const session = { logged_in: loggedIn, state: loggedIn ? 'customer' : 'visitor', kyc, language }
    const { value, missing, stopped } = test.evaluate(scopeOf({ session }))
    return missing.length === 0 && stopped === undefined && truthy(value)
  }
}

/** Whether a client gets the candidate. A client that is in stays in while the percentage grows. */
export function isIn(
  { segment, percent }: Rollout,
  release: number,
  asker: Asker,
  language: string,
  caps: string | undefined,
  inSegment: InSegment,
): boolean {
  const { loggedIn, kyc, client } = asker
  if (segment.languages && !segment.languages.includes(language)) return false
  if (segment.loggedIn !== undefined && segment.loggedIn !== loggedIn) return false
  if (segment.kyc !== undefined && kyc < segment.kyc) return false
  if (segment.caps && !(caps !== undefined && segment.caps.includes(caps))) return false
  if (segment.named && !segment.named.every((name) => inSegment(name, asker, language))) return false
  return bucketOf(client, release) < percent * (bucketsMax / 100)
}
