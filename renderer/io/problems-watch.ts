import { CallProblem } from '#renderer/io/api.ts'
import type { Engine } from '#renderer/io/engine.ts'

/** What the window hears when a part of the app that is to be shown does not load. */
export const chunkFailed = 'chunk-failed'

/** A connection that comes back by itself within this time is nobody's concern. */
const blipMs = 10_000

/** Listens for the problems that no call has: of the socket, and of parts of the app that do not load. */
export function watchProblems(engine: Pick<Engine, 'feed' | 'problems' | 'device'>, page: Pick<Window, 'addEventListener'>): void {
  const { feed, problems, device } = engine
  feed.on('invalid-message', () => problems.tell('socket_message_invalid'))
  feed.on('connect-error', ({ reason }) => {
    // Without any network the bar says so already.
    const look = () => navigator.onLine && feed.health().state !== 'connected' && problems.tell('socket_connect_error', reason)
    setTimeout(look, blipMs)
  })
  // A busy server has not said that the token is wrong.
  feed.on('auth', ({ error }) => error !== 'busy' && problems.take(new CallProblem(401, 'unauthorized'), { secret: device.token() }))
  feed.onHealth(() => feed.health().state === 'connected' && problems.over('socket_connect_error'))
  page.addEventListener(chunkFailed, () => navigator.onLine && problems.tell('chunk_load_failed'))
}
