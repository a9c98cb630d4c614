import type { QueryClient } from '@tanstack/query-core'
import type { Emitter } from 'mitt'
import type { TopicMessage, TopicTable } from '#contract/topic.ts'
import type { AppDoc, Step, ThemeDoc } from '#language/documents/documents.ts'
import type { Operator } from '#language/expression/operator.ts'
import type { StopReason } from '#language/expression/run.ts'
import type { DocumentKey } from '#language/publish/release.ts'
import type { Busy } from '#renderer/actions/busy.ts'
import type { Api } from '#renderer/calls/api.ts'
import type { Config } from '#renderer/config/config.ts'
import type { BoundFormats, Formats } from '#renderer/core/format.ts'
import type { Registry } from '#renderer/core/registry.ts'
import type { Say } from '#renderer/core/resolve.ts'
import type { MatchedRoute } from '#renderer/core/route.ts'
import type { LiveScope } from '#renderer/core/scope.ts'
import type { Clock } from '#renderer/device/clock.ts'
import type { Device } from '#renderer/device/device.ts'
import type { I18n } from '#renderer/device/i18n.ts'
import type { Entry, Visitor } from '#renderer/engine/gate.rules.ts'
import type { Ui } from '#renderer/engine/ui.ts'
import type { Feed } from '#renderer/feed/feed.ts'

/** The engine as its parts see it. */

/** Events inside the engine, for the inspector and for error reports. Customers never see it. */
export type EngineEvents = {
  action: { screen: string; steps: readonly Step[] }
  'call-failed': { screen: string; call: string; name: string }
  /** The server announced a change. */
  live: TopicMessage
  /** `stands`: the document names a fallback. `whole`: the whole screen failed. */
  'node-broken': { screen: string; node: string; widget: string; reason: string; stands?: boolean; whole?: boolean }
  'screen-drawn': { screen: string }
  /** A release that the app cannot live with was not taken over. */
  'release-unfit': { release: number }
  /** The server answered with something that is not a document of the release. A network that fails is not reported here. */
  'document-lost': { document: DocumentKey }
  /** A document that broke here was put back to an earlier revision. */
  'document-pinned': { document: string; revision: string }
  /** A limit of expressions has ended the evaluation of a prop, a guard or a list: the error state stands in its place. */
  'node-stopped': { screen: string; node: string; what: string; reason: StopReason }
  'guard-closed': { screen: string; node: string; what: string; missing: readonly string[] }
}

export interface EnginePorts<View> {
  registry: Registry<View>
  api: Api
  config: Config
  feed: Feed
  i18n: I18n
  device: Device
  queries: QueryClient
  bus: Emitter<EngineEvents>
  ui: Ui
  /** The one clock: nothing in the app reads another one. */
  clock: Clock
  /** While developing: what a part threw is shown in its place, and nothing of its document stands in for it. */
  exposes?: boolean
  /** The one that `config` waits for. */
  busy?: Busy
  /** Topics of the contract. */
  topics: TopicTable
  /** Makes the session; absent in an app without accounts. */
  session?: ((host: Host) => Session) | undefined
  /** Creates the source of the fiat rate. Absent: amounts are shown in USD. */
  fiat?: ((host: Host) => FiatRate) | undefined
  /** Brings the functions of the domain, for the first document that calls one. */
  functions?: (() => Promise<Readonly<Record<string, Operator>>>) | undefined
  /** Call that returns the outcome of another call by its idempotency key. */
  outcomeCall?: string | undefined
  /** Call that takes a file; absent where none does. */
  uploadCall?: string | undefined
}

/** The chosen fiat, what one USD is worth in it, and the time of that rate, both undefined while it is not known; undefined as a whole for USD. */
export type FiatRate = () => { code: string; rate: string | undefined; saveTime?: number | undefined } | undefined

/** Moves the router; the adapter gives it. */
export interface Mover {
  go(address: string, replace: boolean): void
  back(): void
}

export interface Engine<View = unknown> extends Omit<EnginePorts<View>, 'session' | 'fiat'> {
  readonly session: Session
  readonly gate: Gate
  readonly problems: Problems
  /** Loads gate and problems before they are needed. @throws when loading fails; the next call tries again */
  loadAccess(): Promise<unknown>
  /** Roots that every screen sees: session, app, device, feed. A screen only reads them. */
  readonly outer: LiveScope
  readonly say: Say
  app(): AppDoc
  theme(): ThemeDoc
  match(path: string): MatchedRoute | undefined
  formats(): Formats
  /** The same, with the time and the customer's fiat filled in. */
  bound(): BoundFormats
  language(): { id: string; tag: string }
  /** @param beside the page may open beside the one that is shown, which then stays */
  go(route: string, params: Record<string, unknown>, replace: boolean, beside?: boolean): void
  /** @param pressed a back button was pressed, so that the topmost layer is closed first */
  back(pressed?: boolean): void
  /** The engine for a page beside another one: `back` closes that page. */
  readonly isBeside: boolean
  setMover(mover: Mover): void
  /** @param leave runs a move, once the history has no entries of layers */
  setLeave(leave: (move: () => void) => void): void
  /** @param open opens a page beside the one that is shown; false when there is no room, or the page may not be seen */
  setBeside(open: ((address: string) => boolean) | undefined): void
  setTab(tab: string | undefined): void
  /**
   * While the customer is busy (`form`, `prompt`), a new release waits for the next page.
   * @returns ends it
   */
  beginBusy(name: string): () => void
  /** The customer has gone to another page. */
  moved(): void
  /** Number of the visit that lasts now: another one after every move, by the app or by the customer. */
  visit(): number
  /** Increases with each release and each pinned document. `onRelease` subscribes to it. */
  release(): number
  onRelease(wake: () => void): () => void
  readonly fiat: FiatRate
}

/** The members of root `session` that every session provides; an app may add members. */
export interface SessionRoot {
  readonly logged_in: boolean
  /** visitor: no token · checking: a token whose account has not answered yet · customer. */
  readonly state: 'visitor' | 'checking' | 'customer'
  readonly uid: string
}

/** The login state of this device. An app brings its own; without one everybody is a visitor. */
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

/** The parts of the engine that an app's own parts may use. */
export interface Host {
  device: Device
  queries: QueryClient
  api: Pick<Api, 'call' | 'changesSession'>
  /** Whether a call needs a session. */
  needsUser: (call: string) => boolean
  /** Notifies subscribers of a topic of the scope, such as `session.user`. */
  wake: (topic: string) => void
  /** The engine itself; asked for when something happens, never before it is whole. */
  engine: () => Engine
  /** The token is another, or none: the socket greets the server anew. */
  onToken: () => void
}

/** Guards every page: a visitor who may not enter gets the reason and is brought to where that can be changed, and back afterwards. */
export interface Gate {
  go(address: string, replace: boolean): void
  /** Returns the requirement of a page for the present visitor; a page that does not exist has none. */
  entry(path: string): Entry
  /** The page is closed, and the app has no page where that can be changed. */
  isShut(path: string): boolean
  /** A page that may not be seen was opened directly: by the address bar, a link, a reload, or because the session ended. */
  turnAway(path: string): void
  /** The session is over: said once, then the login page, and back here afterwards. */
  /**
   * @param from page that the reason belongs to: a customer who has left it gets the message, and is not moved. Absent: the page that is
   * shown
   */
  toLogin(text: string, from?: string): void
  toVerify(text: string, from?: string): void
  /** Step `return`: to where the customer wanted to go, otherwise home. */
  back(): void
  /** Tells of every page that stands in the address bar. `popped`: by going back or forward. */
  visited(path: string, popped: boolean): void
  /** The customer logs out: the page that is shown may become a closed one, and nobody is asked to log in. */
  leave(): void
}

/** Problems that belong to no call of a screen: they stand over whatever is shown. */
export type AppProblem =
  | 'socket_message_invalid'
  | 'socket_connect_error'
  | 'local_data_setting_failed'
  | 'delete_data_failed'
  | 'chunk_load_failed'

/** The one place that says what a problem means for the whole app. The screen's document defines the meaning for that screen. */
export interface Problems {
  /**
   * True when the problem is about the session (401) or the identity (402): it is dealt with here, and nobody else says or does anything.
   * @param sent the token that the refused call was sent with, and the page that it was sent from; a refusal of an older token says nothing about
   * the present one
   */
  take(problem: unknown, sent?: { secret: string | undefined; from?: string | undefined }): boolean
  /** The server's own sentence, which is in the language of the request, otherwise ours. */
  words(problem: unknown): string
  /** A modal for what the customer must know and cannot change. The same one never lies over itself, and does not come back at once. */
  tell(name: AppProblem, reason?: string): void
  /** It has gone by itself: nobody needs to read of it any more. */
  over(name: AppProblem): void
}
