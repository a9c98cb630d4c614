import { QueryClient } from '@tanstack/query-core'
import type { AppEngine } from '#app/session/app-engine.ts'
import { createSession } from '#app/session/session.ts'
import type { RouteDoc } from '#language/documents/documents.ts'
import { CallProblem } from '#renderer/calls/api.ts'
import { createRouter } from '#renderer/core/route.ts'
import { createDevice, type DeviceOptions } from '#renderer/device/device.ts'
import { createGate } from '#renderer/engine/gate.ts'
import { createProblems } from '#renderer/engine/problems.ts'

/** Storage shared by several tabs; `tell` sends a change to the other tabs, as a browser does. */
export class SharedStorage {
  [name: string]: unknown
  readonly map = new Map<string, string>()
  private readonly tabs: { self: object; listener: (event: { key: string | null; newValue: string | null }) => void }[] = []

  /** The storage as seen by one tab. */
  tab(): { storage: Storage; events: NonNullable<DeviceOptions['events']> } {
    const self = {}
    const { map, tabs } = this
    const tell = (key: string, newValue: string | null) => {
      for (const tab of tabs) if (tab.self !== self) tab.listener({ key, newValue })
    }
    const storage = {
      get length() {
        return map.size
      },
      key: (index: number) => [...map.keys()][index] ?? null,
      getItem: (key: string) => map.get(key) ?? null,
      setItem(key: string, value: string) {
        map.set(key, value)
        tell(key, value)
      },
      removeItem(key: string) {
        if (map.delete(key)) tell(key, null)
      },
      clear: () => map.clear(),
    }
    return { storage, events: { addEventListener: (_type, listener) => void tabs.push({ self, listener: listener as never }) } }
  }
}

export const account = (more: object = {}) => ({
  uid: 7,
  nickname: 'Ann',
  head_portrait: '',
  signature: '',
  credit_score: 100,
  email: 'a***@b.com',
  mobile: '',
  has_email: true,
  has_mobile: false,
  has_pay_password: false,
  totp: false,
  level: 0,
  invite_code: 'ABC',
  withdraw_hold_until: null,
  demo: false,
  frozen: false,
  created: 1,
  ...more,
})

const routes: Record<string, RouteDoc> = {
  '/': { screen: 'home', tab: 'home' },
  'pages/fund/assets': { screen: 'assets', tab: 'assets', auth: true },
  'pages/fund/withdraw': { screen: 'withdraw', auth: true, aliases: ['pages/old/withdraw'] },
  'pages/fund/buy': { screen: 'buy', auth: true, kyc: 2 },
  'pages/setting/setting': { screen: 'setting' },
  'pages/setting/real_mark': { screen: 'real', auth: true },
  'pages/common/login': { screen: 'login' },
  'pages/common/register': { screen: 'register' },
  'pages/game/game': { screen: 'game', auth: true, off: true, aliases: ['pages/old/game'] },
}

const privateCalls = new Set(['user.info', 'user.getOptionalList', 'user.addOptional', 'user.delOptional', 'user.logout', 'wallet.list'])

type Answers = Record<string, (args: Record<string, unknown>) => unknown>

/** One tab with a complete session. `log` records what the customer sees, in order. */
export function sessionStage(
  options: { shared?: SharedStorage; token?: string; user?: unknown; answers?: Answers; at?: string; constants?: object } = {},
) {
  const shared = options.shared ?? new SharedStorage()
  shared.map.set('tessera.version', '1')
  if (options.token !== undefined) shared.map.set('tessera.token', options.token)
  if (options.user !== undefined) shared.map.set('tessera.user', JSON.stringify(options.user))
  const log: string[] = []
  const calls: { name: string; args: Record<string, unknown>; token: string | undefined }[] = []
  const woken: string[] = []
  const pocket = new Map<string, string>()
  let address = options.at ?? '/'
  const answers: Answers = { 'user.info': () => account(), 'user.getOptionalList': () => ({ list: [] }), ...options.answers }

  const device = createDevice({
    ...shared.tab(),
    keys: { favourites: { type: 'list', default: [], max: 100 } },
    onProblem: (problem) => log.push(`modal ${problem}`),
  })
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } })
  const api = {
    needsUser: (name: string) => privateCalls.has(name),
    changesSession: (name: string) => name === 'user.editNickname',
    async call(name: string, args: Record<string, unknown>) {
      const token = device.token()
      calls.push({ name, args, token })
      try {
        if (privateCalls.has(name) && token === undefined) throw new CallProblem(401, 'unauthorized')
        const answer = await answers[name]?.(args)
        engine.session.heard(name, answer, token)
        return answer
      } catch (error) {
        if (error instanceof CallProblem) engine.problems.take(error, { secret: token })
        throw error
      }
    },
  }
  const prompts: { text: string; settle: (agreed: boolean) => void }[] = []
  const ui = {
    prompts: () => prompts,
    toast: (text: string, tone = 'info') => void log.push(`toast ${tone} ${text}`),
    ask: async (prompt: { title: string; text: string; ok: string }) => {
      log.push(`modal ${prompt.title}: ${prompt.text} [${prompt.ok}]`)
      return true
    },
  }
  const say = (key: string) => key
  let now = 0
  const session = createSession({
    device,
    queries,
    api: api as never,
    needsUser: api.needsUser,
    wake: (topic) => void woken.push(topic.replace('session.', '')),
    onToken: () => void log.push('socket'),
    engine: () => engine,
  })
  const gate = createGate({
    session,
    match: createRouter({ kind: 'routes', id: 'routes', format: 1, routes }),
    move(to, replace) {
      log.push(`${replace ? 'replace' : 'go'} ${to}`)
      address = to
      gate.visited(to.split('?')[0]!.slice(1), false)
    },
    where: () => address,
    toast: (text) => void log.push(`toast warn ${text}`),
    say,
    constants: () => ({
      redirectWaitMs: 1_200,
      ...(options.constants ?? { loginRoute: 'pages/common/login', verifyRoute: 'pages/setting/real_mark' }),
    }),
    pocket: {
      getItem: (key) => pocket.get(key) ?? null,
      setItem: (key, value) => void pocket.set(key, value),
      removeItem: (key) => void pocket.delete(key),
    },
  })
  const problems = createProblems({
    session,
    gate,
    device,
    ui: ui as never,
    say,
    elapsed: () => now,
    reload: () => void log.push('reload'),
  })
  const engine = { device, queries, api, ui, session, gate, problems, say } as unknown as AppEngine
  return {
    engine,
    shared,
    prompts,
    log,
    calls,
    woken,
    pocket,
    answers,
    names: () => calls.map((call) => call.name),
    /** The customer opens a page by address, by the back button, or by a link. */
    open(to: string, popped = false) {
      address = to
      gate.visited(to.split('?')[0]!.slice(1), popped)
      if (gate.entry(to.split('?')[0]!) !== 'open') gate.turnAway(to.split('?')[0]!.slice(1))
    },
    later: (ms: number) => {
      now += ms
    },
  }
}
