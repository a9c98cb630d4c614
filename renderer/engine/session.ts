import type { QueryClient } from '@tanstack/query-core'
import type { Api } from '#renderer/calls/api.ts'
import type { Device } from '#renderer/device/device.ts'
import type { Engine } from '#renderer/engine/engine.ts'
import type { Visitor } from '#renderer/engine/gate.rules.ts'

/** What every session gives to root `session`; an app may add members. */
export interface SessionRoot {
  readonly logged_in: boolean
  /** visitor: no token · checking: a token whose account has not answered yet · customer. */
  readonly state: 'visitor' | 'checking' | 'customer'
  readonly uid: string
}

/** Who is logged in on this device. An app brings its own; without one everybody is a visitor. */
export interface Session {
  root(): SessionRoot
  who(): Visitor
  /** False for a call that needs a session while there is none. */
  mayCall(call: string): boolean
  /** Asks for the account of a kept token, now and after each login. Called once, after the first paint. */
  start(): void
  /** Step `login`. False when the token is none, or is refused at once. */
  login(token: string): Promise<boolean>
  /** Step `logout`. */
  logout(): Promise<void>
  /** The server says that the session is over. */
  end(): void
  /** An answer came, to a call that was sent with this token. */
  heard(call: string, answer: unknown, secret: string | undefined): void
}

/** What the engine gives to what an app brings. */
export interface Host {
  device: Device
  queries: QueryClient
  api: Pick<Api, 'call'>
  /** Whether a call needs a session. */
  needsUser: (call: string) => boolean
  /** Tells who reads it that a topic of the scope, such as `session.user`, has another value. */
  wake: (topic: string) => void
  /** The engine itself; asked for when something happens, never before it is whole. */
  engine: () => Engine
  /** The token is another, or none: the socket greets the server anew. */
  onToken: () => void
}

const visitor: SessionRoot = { logged_in: false, state: 'visitor', uid: '' }

/** The session of an app without accounts. */
export const noSession = ({ needsUser }: Pick<Host, 'needsUser'>): Session => ({
  root: () => visitor,
  who: () => ({ loggedIn: false, level: undefined, asking: false }),
  mayCall: (call) => !needsUser(call),
  start: () => undefined,
  login: async () => false,
  logout: async () => undefined,
  end: () => undefined,
  heard: () => undefined,
})
