import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type * as z from 'zod'
import { mask } from '#api-server/account/address/address.rules.ts'
import { bindScenes, codeLimits, codeOf, countsOf } from '#api-server/account/codes/code.rules.ts'
import { createCodeStore } from '#api-server/account/codes/code.store.ts'
import { codeMessage } from '#api-server/account/messages.ts'
import type { Post } from '#api-server/outbox/post.ts'
import type { codeSent, Scene } from '#contract/calls/auth.calls.ts'
import { codeDigits } from '#contract/credentials.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Database, Tx } from '#server-kit/db/db.ts'
import { addressRange } from '#server-kit/http/limiter.ts'
import type { Clock } from '#server-kit/ops/clock.ts'
import { randomToken, type Secrets, tokenHash } from '#server-kit/security/secrets.ts'

interface SendCode {
  channel: 'mail' | 'sms'
  /** Canonical. */
  target: string
  scene: Scene
  /** Whose it is; 0 for somebody without an account. */
  account: number
  lang: string
  /** Address of the sender. */
  ip: string
  /** An account that asks for itself, or a device that the account knows. Absent: a stranger, who counts by address range. */
  knownAs?: { account: number } | { device: string } | undefined
  /** Nobody gets it, and no code opens it: the address has no account. */
  drop: boolean
}
interface CodeOf {
  scene: Scene
  account: number
  target?: string
  /** A visitor, who may use only a code that the same visitor asked for. Absent: the account, which is signed in. */
  visitor?: { ticket: string | undefined; ip: string }
  /** As typed. */
  code: string
  /** Name of the input. */
  field: string
}

/** Six digits that prove an address. At rest they are MACs; a copy of the database cannot try them out. */
export interface Codes {
  /** @throws ApiProblem code_too_soon, code_daily_limit */
  send(ask: SendCode): Promise<z.input<typeof codeSent>>
  /** Counts a wrong guess against the ticket, uses nothing up. @returns what `use` takes @throws ApiProblem code_wrong, code_void */
  check(of: CodeOf): Promise<string>
  /** @throws ApiProblem code_wrong when it was used in the meantime */
  use(tx: Tx, id: string, field: string): Promise<void>
  removeOld(now: number): Promise<void>
}

const idBytes = 12
const digits = () => String(randomInt(10 ** codeDigits)).padStart(codeDigits, '0')

export function createCodes({ database, clock, secrets, post }: { database: Database; clock: Clock; secrets: Secrets; post: Post }): Codes {
  const store = createCodeStore(database)
  const hashOf = (id: string, code: string) => secrets.mac('code', `${id}\n${code}`)
  const rangeOf = (ip: string) => secrets.mac('code-range', addressRange(ip))
  const networkOf = (ip: string) => `range:${addressRange(ip)}`
  const askerOf = ({ knownAs, ip }: SendCode): string => {
    if (!knownAs) return networkOf(ip)
    return 'account' in knownAs ? `account:${knownAs.account}` : `device:${knownAs.device}`
  }

  return {
    async send(ask) {
      const { channel, target, scene, account, lang, drop } = ask
      const now = clock.now()
      const id = randomToken(idBytes)
      const ticket = randomToken()
      const code = digits()
      const owns = ask.knownAs !== undefined && bindScenes[scene] === undefined
      const counts = countsOf({ scene, target, asker: askerOf(ask), network: networkOf(ask.ip), owns }).map((count) => ({
        ...count,
        subject: secrets.mac('code-count', count.subject).toString('base64url'),
      }))
      const asked = await database.transaction(async (tx) => {
        const turn = await store.ask(tx, counts, now)
        if (turn.outcome !== 'send') return turn
        const hash = drop ? randomBytes(32) : hashOf(id, code)
        const row = {
          id,
          target,
          scene,
          account_id: account,
          hash,
          ticket: tokenHash(ticket),
          range: rangeOf(ask.ip),
          wrong: 0,
          wrong_without_ticket: 0,
          sent_at: now,
          expires_at: now + codeLimits.lifeMs,
          used_at: null,
        }
        await store.insert(tx, row)
        await post.put(tx, codeMessage({ channel, to: target, lang, scene, code, sentAt: now, drop }))
        return turn
      })
      if (asked.outcome !== 'send') throw new ApiProblem(asked.outcome, { retryAfterSeconds: Math.ceil(asked.waitMs / 1_000) })
      const { resendMs, lifeMs } = codeLimits
      return { target: mask(target), resend_after: resendMs / 1_000, expires_in: lifeMs / 1_000, digits: codeDigits, ticket }
    },
    async check({ scene, account, target, visitor, code, field }) {
      const typed = codeOf(code)
      const ticket = visitor?.ticket
      const asker = visitor && (ticket === undefined ? { range: rangeOf(visitor.ip) } : { ticket: tokenHash(ticket) })
      const checked = await store.check(
        { scene, account, target, asker },
        (row) => timingSafeEqual(row.hash, hashOf(row.id, typed)),
        clock.now(),
      )
      if (checked.outcome !== 'right') throw new ApiProblem(checked.outcome, { field })
      return checked.id
    },
    async use(tx, id, field) {
      if (!(await store.use(tx, id, clock.now()))) throw new ApiProblem('code_wrong', { field })
    },
    removeOld: store.removeOld,
  }
}
