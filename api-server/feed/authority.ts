import { type Connection, leaveSession, type Sender } from '#api-server/feed/connection.ts'
import type { Sessions } from '#api-server/feed/feed-market.ts'
import type { PrivateTopicHub } from '#api-server/feed/private.topic.ts'
import type { FeedMessage } from '#contract/feed.ts'
import type { Log } from '#server-kit/ops/log.ts'

/** How often every session with a socket is checked, with or without hints from the bus. */
export const authorityEveryMs = 2_000
const lookUpMax = 500

interface AuthorityOptions {
  sessions: Sessions
  connections: ReadonlySet<Connection>
  sender: Sender
  privates: Pick<PrivateTopicHub, 'leave'>
  log: Log
}

/**
 * Watches the sessions of connected sockets; a token is checked once, when the client sends it. When the session ends, the connection
 * becomes a visitor's: private topics stop, public topics go on, and the client receives `unauthorized`.
 */
export function createAuthority({ sessions, connections, sender, privates, log }: AuthorityOptions) {
  let checking = false

  function end(one: Connection, bytes: Buffer): void {
    privates.leave(one)
    leaveSession(one)
    sender.send(one, bytes)
  }

  async function check(some: readonly Connection[]): Promise<void> {
    const asked = some.flatMap((one) => (one.session === undefined ? [] : [{ one, session: one.session }]))
    const bytes = sender.encode({ action: 'checkToken', error: 'unauthorized' } satisfies FeedMessage)
    for (let from = 0; from < asked.length; from += lookUpMax) {
      const part = asked.slice(from, from + lookUpMax)
      const alive = await sessions.alive([...new Set(part.map(({ session }) => session))])
      // The client may have sent another token meanwhile, which was checked on its own.
      for (const { one, session } of part) if (one.session === session && !alive.has(session)) end(one, bytes)
    }
  }
  const failed = (error: unknown) => log.warn({ err: error }, 'feed: sessions of sockets could not be checked; they are checked again')

  return {
    /** Checks soon, because sessions of this account may have ended. */
    hint(account: number): void {
      const some = [...connections].filter((one) => one.uid === String(account))
      if (some.length) check(some).catch(failed)
    },
    checkAll(): void {
      if (checking) return
      const members = [...connections].filter((one) => one.session !== undefined)
      if (!members.length) return
      checking = true
      check(members)
        .catch(failed)
        .finally(() => {
          checking = false
        })
    },
  }
}
