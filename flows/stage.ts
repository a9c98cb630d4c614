import type { Browser, BrowserContext, Page, Route } from 'playwright'
import {
  type AnswerRules,
  accountOf,
  answerTo,
  callFinder,
  type DataState,
  type MadeCall,
  type PushedRow,
  pushedRow,
} from '#flows/answers.ts'
import { createSampleFeed } from '#flows/feed.ts'
import { addressOf, type Pages } from '#flows/set.ts'
import type { FlowAnswer, FlowPush, FlowWho } from '#language/documents/documents.ts'
import type { Catalog } from '#language/types/catalog.ts'
import { routeOf } from '#language/types/row-keys.ts'

/** Records the texts of toasts in `flowToasts`, because toasts disappear after a moment. */
function rememberToasts(): void {
  const said: string[] = []
  Object.assign(window, { flowToasts: said })
  const look = () => {
    for (const toast of document.querySelectorAll<HTMLElement>('.toast')) {
      const text = toast.innerText.trim().replace(/\s+/g, ' ')
      if (text !== '' && said.at(-1) !== text) said.push(text)
    }
  }
  new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true })
}

/** The running app in one window, with another set of documents and, by default, sample answers. */
export interface Stage {
  readonly page: Page
  /** How long a step waits for what it names, in ms. */
  readonly patienceMs: number
  /** Calls since the window was opened, in order. */
  readonly made: readonly MadeCall[]
  /** Errors of the page, except broken nodes. */
  readonly problems: readonly string[]
  state: DataState
  /** Given answers, by call. */
  readonly given: Map<string, FlowAnswer>
  who: FlowWho
  /** Sets the person and the stored values, and starts the app anew at a route. */
  enter(route: string, options?: EnterOptions): Promise<void>
  /** Navigates inside the running app. */
  go(route: string, params?: Readonly<Record<string, unknown>>): Promise<void>
  /** Texts of toasts since they were last cleared. */
  toasts(): Promise<string[]>
  forgetToasts(): Promise<void>
  /** Pushes a change of one row to the customer, after the app has subscribed. @throws Error when it does not subscribe */
  push(change: FlowPush): Promise<void>
  /** Resolves when no answer is pending and the page is drawn. Held answers do not count. */
  settled(withinMs?: number): Promise<void>
  close(): Promise<void>
}
interface EnterOptions {
  params?: Readonly<Record<string, unknown>>
  who?: FlowWho
  language?: string
  theme?: 'dark' | 'light'
}

interface StageOptions {
  browser: Browser
  /** Address of a served app: `http://127.0.0.1:8080`. */
  origin: string
  pages: Pages
  catalog: Catalog
  /** False: calls go to the API of the origin, and its test hook creates customers. */
  dry: boolean
  /** Calls of presses, as opposed to sources. */
  pressed?: ReadonlySet<string>
  viewport?: { width: number; height: number }
  /** Customers receive changes of rows. */
  pushes?: boolean
  /** How long a step waits for what it names, in ms; 5 s by default. */
  patienceMs?: number | undefined
}

const phone = { width: 390, height: 844 } as const
/** Window of flows that are `wide`. */
export const desktop = { width: 1280, height: 800 } as const
const pricesEveryMs = 1_000
const sampleToken = 'sample-token-of-nobody'
const json = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }

/** Calls and topics in the form of the app's contract. */
function contractOf({ calls, topics }: Catalog): object {
  return {
    calls: Object.fromEntries(calls.map((call) => [call.name, routeOf(call)])),
    topics: Object.fromEntries(topics.map(({ name, ...topic }) => [name, topic])),
  }
}

export async function openStage(options: StageOptions): Promise<Stage> {
  const { browser, origin, pages, catalog, dry, patienceMs = 5_000 } = options
  const context: BrowserContext = await browser.newContext({
    viewport: options.viewport ?? phone,
    locale: 'en',
    serviceWorkers: 'block',
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(2 * patienceMs)
  const page = await context.newPage()
  // Compilers that keep function names leave a helper call in functions sent to the page.
  await page.addInitScript('globalThis.__name ??= (value) => value')
  await page.addInitScript(rememberToasts)
  // Documents with calls of their own need an app that knows those calls, and a build may be older than planned ones.
  if (catalog.ownContract || catalog.calls.some(({ planned }) => planned))
    await page.addInitScript((ownContract) => void Object.assign(window, { ownContract }), contractOf(catalog))
  const made: MadeCall[] = []
  const problems: string[] = []
  const find = callFinder(catalog)
  const startedMs = Date.now()
  const pushed: PushedRow[] = []
  const rules: AnswerRules = {
    pushed,
    state: 'ok',
    who: 'visitor',
    given: new Map<string, FlowAnswer>(),
    dry,
    atMs: startedMs,
    ...(options.pressed && { pressed: options.pressed }),
  }
  let running = 0
  let asked = 0
  const held = new Set<Route>()
  /** Sends a message on the connection that subscribed to changes. */
  let tell: ((message: string) => void) | undefined

  page.on('pageerror', (error) => problems.push(`page error: ${error.message}`))
  page.on('console', (message) => {
    // The browser logs every refused call; refusals are part of flows.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) problems.push(`console: ${message.text()}`)
  })
  await page.route(/\/(?:config|api)\//, async (route) => {
    running += 1
    asked += 1
    try {
      await answer(route)
    } catch (error) {
      // The page may have been closed while an answer was prepared.
      if (!page.isClosed() && !/closed|already handled|canceled|No resource/i.test(String(error))) problems.push(String(error))
    } finally {
      running -= 1
    }
  })
  if (dry) {
    await page.routeWebSocket(/\/ws(?:\?|$)/, (socket) => {
      const listens = () => {
        tell = (message) => socket.send(message)
        return pushed.length
      }
      const feed = createSampleFeed(catalog, () => Date.now(), options.pushes ? listens : undefined)
      const say = (message: string) => {
        for (const text of feed(message)) socket.send(text)
      }
      let prices: string | undefined
      socket.onMessage((message) => {
        if (/"getQuota"/.test(String(message))) prices = String(message)
        say(String(message))
      })
      // As a market repeats its prices: a page that receives none for ten seconds takes no orders.
      const again = setInterval(() => prices !== undefined && say(prices), pricesEveryMs)
      const end = () => clearInterval(again)
      socket.onClose(end)
      page.once('close', end)
    })
  }

  async function answer(route: Route): Promise<void> {
    const request = route.request()
    const url = new URL(request.url())
    if (url.pathname.startsWith('/config/')) return config(route, url)
    if (!url.pathname.startsWith('/api/')) return route.continue()
    const form = request.headers()['content-type']?.startsWith('application/x-www-form-urlencoded') ? (request.postData() ?? '') : ''
    const args = Object.fromEntries([...url.searchParams, ...new URLSearchParams(form)])
    for (const name of ['lang', 'agent_id']) delete args[name]
    const asked = {
      method: request.method(),
      path: url.pathname.slice('/api'.length),
      args,
      loggedIn: 'authorization' in request.headers(),
    }
    const found = answerTo(asked, rules, catalog, find)
    if (!found) return dry ? route.fulfill({ status: 404, body: '' }) : route.continue()
    made.push(found.made)
    if (found.kind === 'pass') return route.continue()
    if (found.kind === 'hold') return void held.add(route)
    return route.fulfill({ status: found.status, headers: json, body: found.body })
  }

  function config(route: Route, url: URL): Promise<void> {
    if (url.pathname === '/config/manifest')
      return route.fulfill({ headers: json, body: pages.manifest(url.searchParams.get('locale') ?? pages.app.defaultLanguage) })
    if (url.pathname === '/config/blank') return route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>-</title>' })
    // Makes the browser ask again after an hour, so that no release arrives during a flow.
    if (url.pathname === '/config/events')
      return route.fulfill({ headers: { 'content-type': 'text/event-stream' }, body: 'retry: 3600000\n\n' })
    const sha256 = /^\/config\/documents\/([0-9a-f]{64})\.json$/.exec(url.pathname)?.[1]
    const body = sha256 === undefined ? undefined : pages.document(sha256)
    if (body !== undefined) return route.fulfill({ headers: json, body })
    return route.fulfill({ status: sha256 === undefined ? 204 : 404, body: '' })
  }

  /** Creates a customer through the test hook of the API. */
  async function tokenOf(who: FlowWho): Promise<string | undefined> {
    if (who === 'visitor') return undefined
    if (dry) return sampleToken
    const { kyc = 1, info = {} } = who.customer
    const fields = new URLSearchParams({ level: String(kyc), ...(typeof info.nickname === 'string' && { nickname: info.nickname }) })
    const made = await fetch(`${origin}/test/user`, { method: 'POST', body: fields })
    const { data } = (await made.json().catch(() => ({}))) as { data?: { token?: string } }
    if (!data?.token) throw new Error('a flow that is not dry needs a server with TEST_HOOKS=1 to make its customer')
    return data.token
  }

  const where = (route: string, params?: Readonly<Record<string, unknown>>) => `${origin}/#${addressOf(route === '/' ? '' : route, params)}`
  const stage: Stage = {
    page,
    patienceMs,
    made,
    problems,
    given: rules.given as Map<string, FlowAnswer>,
    get state() {
      return rules.state
    },
    set state(next) {
      rules.state = next
    },
    get who() {
      return rules.who
    },
    set who(next) {
      rules.who = next
    },
    async enter(route, { params, who = rules.who, language, theme } = {}) {
      rules.who = who
      const token = await tokenOf(who)
      const account = dry && who !== 'visitor' ? accountOf(who, catalog) : undefined
      const kept: Record<string, string | null> = {
        version: '1',
        token: token ?? null,
        user: account ? JSON.stringify(account) : null,
        ...(language !== undefined && { language: JSON.stringify(language) }),
        ...(theme !== undefined && { theme: JSON.stringify(theme) }),
      }
      held.clear()
      // An empty page of the same origin, so that no code of the app runs while its storage is changed.
      await page.goto(`${origin}/config/blank`)
      await page.evaluate((values) => {
        for (const [name, value] of Object.entries(values)) {
          if (value === null) localStorage.removeItem(`tessera.${name}`)
          else localStorage.setItem(`tessera.${name}`, value)
        }
      }, kept)
      await page.goto(where(route, params), { waitUntil: 'domcontentloaded' })
    },
    async go(route, params) {
      await page.evaluate(
        (hash) => {
          location.hash = hash
        },
        `#${addressOf(route === '/' ? '' : route, params)}`,
      )
    },
    async push(change) {
      const until = performance.now() + patienceMs
      while (!tell && performance.now() < until) await new Promise((done) => setTimeout(done, 10))
      if (!tell) throw new Error('the app does not listen for changes')
      const one = pushedRow(change, catalog, Date.now())
      pushed.push(one)
      tell(JSON.stringify({ action: change.push, seq: pushed.length, change: one.change, row: one.row }))
    },
    async settled(withinMs = 3_000) {
      const until = performance.now() + withinMs
      let seen: number
      do {
        while (running > 0 && performance.now() < until) await new Promise((done) => setTimeout(done, 10))
        seen = asked
        // Two frames: the first draws the changes of an answer, the second sends requests that follow from them.
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))))
      } while ((running > 0 || asked > seen) && performance.now() < until)
    },
    toasts: () => page.evaluate(() => (window as { flowToasts?: string[] }).flowToasts ?? []),
    forgetToasts: () => page.evaluate(() => void (window as { flowToasts?: string[] }).flowToasts?.splice(0)),
    close: () => context.close(),
  }
  return stage
}
