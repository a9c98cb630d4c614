import type { QueryClient } from '@tanstack/query-core'
import type { Emitter } from 'mitt'
import type { Told, TopicTable } from '#contract/topic.ts'
import type { AppDoc, RoutesDoc, Step, ThemeDoc } from '#language/documents/documents.ts'
import type { Operator } from '#language/expression/operator.ts'
import type { DocumentKey } from '#language/publish/release.ts'
import { createHolds, type Holds } from '#renderer/actions/holds.ts'
import { createLateGuards } from '#renderer/actions/late-guards.ts'
import type { Api } from '#renderer/calls/api.ts'
import type { Config } from '#renderer/config/config.ts'
import { type BoundFormats, createFormats, type Formats } from '#renderer/core/format.ts'
import type { Registry } from '#renderer/core/registry.ts'
import type { Say } from '#renderer/core/resolve.ts'
import { addressOf, createRouter, type MatchedRoute } from '#renderer/core/route.ts'
import { isComputed, subscribeComputed, Topics } from '#renderer/core/scope.ts'
import type { Device } from '#renderer/device/device.ts'
import type { I18n } from '#renderer/device/i18n.ts'
import type { Gate } from '#renderer/engine/gate.ts'
import type { Problems } from '#renderer/engine/problems.ts'
import { type Host, noSession, type Session } from '#renderer/engine/session.ts'
import type { OuterScope } from '#renderer/engine/store.ts'
import type { Ui } from '#renderer/engine/ui.ts'
import { browserEntry, createVisits } from '#renderer/engine/visits.ts'
import type { Feed } from '#renderer/feed/feed.ts'

/** What happens inside the engine, for the inspector and for error reports. Customers never see it. */
export type EngineEvents = {
  action: { screen: string; steps: readonly Step[] }
  'call-failed': { screen: string; call: string; name: string }
  /** The server told of a change. */
  live: Told
  /** `stands`: its author named something to stand in its place; `whole`: nothing of its screen is left. */
  'node-broken': { screen: string; node: string; widget: string; reason: string; stands?: boolean; whole?: boolean }
  'screen-drawn': { screen: string }
  /** A release that the app cannot live with was not taken over. */
  'release-unfit': { release: number }
  /** A document of the release cannot be had, or is none. */
  'document-lost': { document: DocumentKey }
  /** A document that broke here was put back to an earlier revision. */
  'document-pinned': { document: string; revision: string }
  'guard-closed': { screen: string; node: string; what: string; missing: readonly string[] }
}

export interface EngineParts<View> {
  registry: Registry<View>
  api: Api
  config: Config
  feed: Feed
  i18n: I18n
  device: Device
  queries: QueryClient
  bus: Emitter<EngineEvents>
  ui: Ui
  /** Milliseconds since 1970. */
  now: () => number
  /** While developing: what a part threw is shown in its place, and nothing of its document stands in for it. */
  exposes?: boolean
  /** The one that `config` waits for. */
  holds?: Holds
  /** Topics of the contract. */
  topics: TopicTable
  /** Makes the session; absent in an app without accounts. */
  session?: ((host: Host) => Session) | undefined
  /** Makes what tells the rate of the fiat that the customer has chosen; absent in an app that shows none. */
  fiat?: ((host: Host) => FiatRate) | undefined
  /** Brings the functions of the domain, for the first document that calls one. */
  functions?: (() => Promise<Readonly<Record<string, Operator>>>) | undefined
  /** Call that says what became of another, by the key that it was sent under; absent where no call takes one. */
  outcomeCall?: string | undefined
}

/** The chosen fiat and what one USD is worth in it; undefined for USD, and while the rate is not known. */
export type FiatRate = () => { code: string; rate: string } | undefined

/** Moves the router; the adapter gives it. */
export interface Mover {
  go(address: string, replace: boolean): void
  back(): void
}

export interface Engine<View = unknown> extends Omit<EngineParts<View>, 'session' | 'fiat'> {
  readonly session: Session
  readonly gate: Gate
  readonly problems: Problems
  /** Fetches what turns people away and tells of problems, before it is needed. @throws when it cannot be had; it is tried again */
  readyToGuard(): Promise<void>
  readonly outer: OuterScope
  readonly say: Say
  app(): AppDoc
  theme(): ThemeDoc
  match(path: string): MatchedRoute | undefined
  formats(): Formats
  /** The same, with the time and the customer's fiat filled in. */
  bound(): BoundFormats
  language(): { id: string; tag: string }
  go(route: string, params: Record<string, unknown>, replace: boolean): void
  back(): void
  setMover(mover: Mover): void
  setTab(tab: string | undefined): void
  /**
   * While anything is held (`form`, `prompt`), a new release waits for the next page.
   * @returns lets go
   */
  hold(name: string): () => void
  /** The customer has gone to another page. */
  moved(): void
  /** Number of the visit that lasts now: another one after every move, by the app or by the customer. */
  visit(): number
  /** Another number for each release, and for each document that was put back; and who wants to hear of the next. */
  release(): number
  onRelease(wake: () => void): () => void
  readonly fiat: FiatRate
}

export function createEngine<View>(parts: EngineParts<View>): Engine<View> {
  const { config, device, i18n, feed, queries, api } = parts
  const topics = new Topics()
  const holds = parts.holds ?? createHolds()
  const visits = createVisits(browserEntry)
  let shown = 0
  let endPrompt: (() => void) | undefined
  let tab: string | undefined
  let mover: Mover | undefined
  let formats: { tag: string; value: Formats } | undefined
  let bound: { from: Formats; fiat: string | undefined; value: BoundFormats } | undefined
  let router: { doc: unknown; match: (path: string) => MatchedRoute | undefined } | undefined
  let appRoot: { doc: AppDoc; tab: string | undefined; value: Record<string, unknown> } | undefined

  const app = () => config.document('app/app') as AppDoc
  const tagOf = (id: string) => app().languages.find((l) => l.id === id)?.tag ?? id
  const language = () => ({ id: i18n.language(), tag: tagOf(i18n.language()) })
  const deviceRoot = () => Object.fromEntries(Object.keys(app().device).map((name) => [name, device.get(name)]))
  const say: Say = (key, args) => i18n.say(key, args)

  const host: Host = {
    device,
    queries,
    api,
    needsUser: api.needsUser,
    wake: (topic) => topics.wake(topic),
    onToken: feed.reconnect,
    engine: () => engine as Engine,
  }
  const session = (parts.session ?? noSession)(host)
  const fiat = parts.fiat?.(host) ?? (() => undefined)
  const { gate, problems, ready } = createLateGuards({
    session,
    device,
    ui: parts.ui,
    match: (path) => engine.match(path),
    move: (address, replace) => mover?.go(address, replace),
    where: () => globalThis.location?.hash.slice(1) || '/',
    toast: (text) => parts.ui.toast(text, 'warn'),
    say,
    constants: () => app().constants,
    pocket: pocket(),
    now: parts.now,
    reload: () => location.reload(),
  })

  const engine: Engine<View> = {
    ...parts,
    session,
    gate,
    problems,
    readyToGuard: ready,
    app,
    theme: () => config.document('theme/theme') as ThemeDoc,
    language,
    say,
    formats() {
      const { tag } = language()
      if (formats?.tag !== tag) formats = { tag, value: createFormats(tag, () => i18n.say('engine.just_now')) }
      return formats.value
    },
    bound() {
      const value = engine.formats()
      const fiat = engine.fiat()
      if (bound?.from !== value || bound.fiat !== fiat?.rate) {
        bound = {
          from: value,
          fiat: fiat?.rate,
          value: { ...value, ago: (time) => value.ago(time, parts.now()), fiat: (usd) => value.fiat(usd, engine.fiat()) },
        }
      }
      return bound.value
    },
    match(path) {
      const doc = config.document('routes/routes') as RoutesDoc
      if (router?.doc !== doc) router = { doc, match: createRouter(doc) }
      return router.match(path)
    },
    hold: (name) => holds.hold(name),
    moved: () => holds.moved(),
    visit: visits.current,
    release: () => shown,
    onRelease: (wake) => topics.subscribe('$release', wake),
    go: (route, params, replace) => gate.go(addressOf(route, params), replace),
    back: () => mover?.back(),
    setMover(next) {
      mover = visits.endedBy(next)
    },
    setTab(next) {
      if (tab === next) return
      tab = next
      topics.wake('app.tab')
    },
    fiat,
    outer: {
      get(root) {
        switch (root) {
          case 'session':
            return { ...session.root(), language: i18n.language(), fiat: device.get('fiat') }
          case 'app': {
            const doc = app()
            if (appRoot?.doc !== doc || appRoot.tab !== tab) {
              appRoot = {
                doc,
                tab,
                value: {
                  ...doc.constants,
                  tab,
                  origin: globalThis.location?.origin ?? '',
                  languages: doc.languages,
                  fiats: doc.fiats ?? [],
                  links: doc.links,
                },
              }
            }
            return appRoot.value
          }
          case 'device':
            return deviceRoot()
          case 'feed':
            return Object.fromEntries([...feed.quotes()].map((quote) => [quote.symbol, quote]))
          case 'format':
            return engine.bound()
          case 'clock':
            // Whole milliseconds: the time is compared with those of answers, and sent.
            return Math.floor(parts.now())
          default:
            return undefined
        }
      },
      subscribe(topic, wake) {
        if (isComputed(topic)) return subscribeComputed(engine.outer, topic, wake)
        const dot = topic.indexOf('.')
        const root = dot < 0 ? topic : topic.slice(0, dot)
        const name = dot < 0 ? '' : topic.slice(dot + 1)
        if (root === 'device') return device.onChange(name, wake)
        if (root === 'feed') {
          if (name === '') return feed.onQuotes(wake)
          const offs = [feed.wantQuotes([name]), feed.onQuote(name, wake)]
          return () => {
            for (const off of offs) off()
          }
        }
        return topics.subscribe(topic, wake)
      },
    },
  }
  config.watch((manifest, _changed, areas) => {
    const held = areas.filter((area) => i18n.hasArea(manifest.locale, area))
    for (const area of held) i18n.addArea(manifest.locale, area, config.texts(area) ?? {})
    if (held.length && manifest.locale === i18n.language()) topics.wake('session.language')
    shown += 1
    topics.wake('$release')
  })
  parts.ui.subscribe(() => {
    const open = parts.ui.prompts().length > 0
    if (open) endPrompt ??= holds.hold('prompt')
    else endPrompt = void endPrompt?.()
  })
  i18n.onChange(() => topics.wake('session.language'))
  return engine
}

/** What lives as long as the tab; a browser may block it. */
function pocket(): Storage | undefined {
  try {
    return globalThis.sessionStorage
  } catch {
    return undefined
  }
}
