import { CallProblem } from '#renderer/calls/api.ts'
import type { Engine } from '#renderer/engine/types.ts'

/** A connection that comes back by itself within this time is nobody's concern. */
const blipMs = 10_000

/** Listens for the problems of the socket, which no call has. */
export function watchFeed({ feed, problems, device }: Pick<Engine, 'feed' | 'problems' | 'device'>): void {
  feed.on('invalid-message', () => problems.tell('socket_message_invalid'))
  feed.on('connect-error', ({ reason }) => {
    // Without any network the bar says so already.
    const look = () => navigator.onLine && feed.health().state !== 'connected' && problems.tell('socket_connect_error', reason)
    setTimeout(look, blipMs)
  })
  // A busy server has not said that the token is wrong.
  feed.on('auth', ({ error }) => error !== 'busy' && problems.take(new CallProblem(401, 'unauthorized'), { secret: device.token() }))
  feed.onHealth(() => feed.health().state === 'connected' && problems.over('socket_connect_error'))
}
