import type { AppDoc, RoutesDoc, ThemeDoc } from '#language/documents/documents.ts'
import { createBusy } from '#renderer/actions/busy.ts'
import { type BoundFormats, createFormats, type Formats } from '#renderer/core/format.ts'
import type { Say } from '#renderer/core/resolve.ts'
import { addressOf, createRouter, type MatchedRoute } from '#renderer/core/route.ts'
import { isComputed, subscribeComputed, Topics } from '#renderer/core/scope.ts'
import { createAccess } from '#renderer/engine/access.ts'
import { createTicks } from '#renderer/engine/ticks.ts'
import type { Engine, EnginePorts, Host, Mover, Session, SessionRoot } from '#renderer/engine/types.ts'
import { browserEntry, createVisits } from '#renderer/engine/visits.ts'

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

export function createEngine<View>(ports: EnginePorts<View>): Engine<View> {
  const { config, device, i18n, feed, queries, api } = ports
  const topics = new Topics()
  const tick = createTicks(ports.clock, (topic) => topics.wake(topic))
  const busy = ports.busy ?? createBusy()
  const visits = createVisits(browserEntry)
  let shown = 0
  let endPrompt: (() => void) | undefined
  let tab: string | undefined
  let mover: Mover | undefined
  let leave: ((move: () => void) => void) | undefined
  let openBeside: ((address: string) => boolean) | undefined
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
  const session = (ports.session ?? noSession)(host)
  const fiat = ports.fiat?.(host) ?? (() => undefined)
  const { gate, problems, load } = createAccess({
    session,
    device,
    ui: ports.ui,
    match: (path) => engine.match(path),
    move: (address, replace) => mover?.go(address, replace),
    where: () => globalThis.location?.hash.slice(1) || '/',
    toast: (text) => ports.ui.toast(text, 'warn'),
    say,
    constants: () => app().constants,
    pocket: pocket(),
    elapsed: ports.clock.elapsed,
    reload: () => location.reload(),
  })

  const engine: Engine<View> = {
    ...ports,
    session,
    gate,
    problems,
    loadAccess: load,
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
      const chosen = engine.fiat()
      const fiat = chosen && `${chosen.code} ${chosen.rate}`
      if (bound?.from !== value || bound.fiat !== fiat) {
        bound = {
          from: value,
          fiat,
          value: {
            ...value,
            ago: (time, form) => value.ago(time, ports.clock.now(), form),
            fiat: (usd) => value.fiat(usd, engine.fiat()),
            t: say,
          },
        }
      }
      return bound.value
    },
    match(path) {
      const doc = config.document('routes/routes') as RoutesDoc
      if (router?.doc !== doc) router = { doc, match: createRouter(doc) }
      return router.match(path)
    },
    beginBusy: busy.begin,
    moved: busy.moved,
    visit: visits.current,
    release: () => shown,
    onRelease: (wake) => topics.subscribe('$release', wake),
    go(route, params, replace, beside = false) {
      const address = addressOf(route, params)
      if (beside && openBeside?.(address)) return
      gate.go(address, replace)
    },
    isBeside: false,
    back: (pressed) => (pressed && ports.ui.uncover()) || mover?.back(),
    setBeside(open) {
      openBeside = open
    },
    setMover(next) {
      mover = visits.endedBy(next, (move) => (leave ?? move)(move))
    },
    setLeave(next) {
      leave = next
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
            return { ...session.root(), language: i18n.language(), fiat: device.get('fiat'), fiat_time: fiat()?.saveTime }
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
            return Math.floor(ports.clock.now())
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
        const offs = [topics.subscribe(topic, wake), tick(root)]
        return () => {
          for (const off of offs) off()
        }
      },
    },
  }
  config.watch((manifest, _changed, areas) => {
    const here = areas.filter((area) => i18n.hasArea(manifest.locale, area))
    for (const area of here) i18n.addArea(manifest.locale, area, config.texts(area) ?? {})
    if (here.length && manifest.locale === i18n.language()) topics.wake('session.language')
    shown += 1
    topics.wake('$release')
  })
  ports.ui.subscribe(() => {
    const open = ports.ui.prompts().length > 0
    if (open) endPrompt ??= busy.begin('prompt')
    else endPrompt = void endPrompt?.()
  })
  i18n.onChange(() => topics.wake('session.language'))
  return engine
}

/** Returns the storage of the tab; undefined where the browser blocks it. */
function pocket(): Storage | undefined {
  try {
    return globalThis.sessionStorage
  } catch {
    return undefined
  }
}
