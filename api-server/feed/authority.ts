import { type Connection, leaveSession, type Sender } from '#api-server/feed/connection.ts'
import type { Sessions } from '#api-server/feed/feed-market.ts'
import type { PrivateTopicHub } from '#api-server/feed/private.topic.ts'
import type { FeedMessage } from '#contract/feed.ts'
import type { Log } from '#server-kit/ops/log.ts'

/** Every session that has a socket is looked up so often, whatever the bus said or did not say. */
export const authorityEveryMs = 2_000
const lookUpMax = 500

export interface AuthorityOptions {
  sessions: Sessions
  connections: ReadonlySet<Connection>
  sender: Sender
  privates: Pick<PrivateTopicHub, 'leave'>
  log: Log
}

/**
 * A token is checked when it is shown; this watches what becomes of it. When its session ends, the connection is a visitor's again: nothing
 * private goes out any more and the client is told `unauthorized`. Public topics go on.
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
      // Another token may have been shown meanwhile; it was checked by itself.
      for (const { one, session } of part) if (one.session === session && !alive.has(session)) end(one, bytes)
    }
  }
  const failed = (error: unknown) => log.warn({ err: error }, 'sessions of sockets could not be looked up')

  return {
    /** Sessions of this account may have ended. */
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
