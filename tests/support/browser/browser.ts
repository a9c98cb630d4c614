import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright'
import { afterEach, beforeAll, expect } from 'vitest'
import { openBrowser } from '#flows/chromium.ts'
import { watchMessages } from '#tests/support/browser/messages.ts'
import { followRequests, notePresses } from '#tests/support/browser/waits.ts'

export const phone = { width: 390, height: 844 } as const
export const desktop = { width: 1280, height: 800 } as const

export interface Visit {
  page: Page
  context: BrowserContext
  /** All problems of the page so far. */
  problems: string[]
  /** Allows a problem that the test provokes. */
  allow(pattern: RegExp): void
  /** Opens a route by its path and waits until its screen is shown. */
  go(path: string, screen?: string): Promise<void>
}

export interface VisitOptions extends Omit<BrowserContextOptions, 'screen'> {
  origin: string
  /** First address; '' opens nothing. */
  path?: string
  /** Screen that must be shown before the visit begins. */
  screen?: string
  keep?: Record<string, unknown>
  /** Without it the browser saves data, so that it does not fetch all other screens ahead for each of many short visits. */
  ahead?: boolean
  /** The clock of the page is one that `timePasses` of waits.ts moves; until then it runs like any other. */
  clock?: boolean
}

let ofWorker: Promise<Browser> | undefined

/** The browser of this worker, used by its files one after the other; it ends with the worker. */
async function browserOfWorker(): Promise<Browser> {
  const before = await ofWorker
  if (before?.isConnected()) return before
  ofWorker = openBrowser(process.env.CHROMIUM_PATH)
  return ofWorker
}

/**
 * Visits in one browser per worker, each with a profile of its own. A visit fails on errors, policy violations and requests to other origins.
 */
export function useBrowser(): { readonly browser: Browser; visit(options: VisitOptions): Promise<Visit> } {
  let browser: Browser
  let open: { context: BrowserContext; page: Page; problems: string[]; allowed: RegExp[]; trail: string[] }[] = []
  beforeAll(async () => {
    browser = await browserOfWorker()
  })
  afterEach(async ({ task }) => {
    const visits = open
    open = []
    if (task.result?.state === 'fail') for (const { page, trail } of visits) await describePage(page, trail)
    await Promise.all(visits.map(({ context }) => context.close()))
    const wrong = visits.flatMap(({ problems, allowed }) => problems.filter((text) => !allowed.some((pattern) => pattern.test(text))))
    expect(wrong).toEqual([])
  })
  return {
    get browser() {
      return browser
    },
    async visit({ origin, path = '', screen, keep, ahead = false, clock = false, ...options }) {
      // Service workers would answer requests that tests intercept; the test of the offline shell allows them.
      const context = await browser.newContext({
        viewport: phone,
        locale: 'en',
        serviceWorkers: 'block',
        reducedMotion: 'reduce',
        ...options,
      })
      // As for any expectation; see vitest.config.ts.
      context.setDefaultTimeout(120_000)
      const page = await context.newPage()
      const problems: string[] = []
      const allowed: RegExp[] = []
      const trail: string[] = []
      open.push({ context, page, problems, allowed, trail })
      watch(page, problems, [origin, origin.replace('http', 'ws')])
      follow(page, trail)
      followRequests(page)
      if (clock) await page.clock.install()
      await context.addInitScript(notePresses)
      await context.addInitScript(watchMessages)
      if (!ahead)
        await context.addInitScript(() =>
          Object.defineProperty(navigator, 'connection', { value: Object.assign(new EventTarget(), { saveData: true }) }),
        )
      const store = (values: Record<string, unknown>) =>
        context.addInitScript((kept) => {
          if (window !== window.top || sessionStorage.getItem('kept')) return
          sessionStorage.setItem('kept', '1')
          localStorage.setItem('tessera.version', '1')
          for (const [name, value] of Object.entries(kept)) localStorage.setItem(`tessera.${name}`, JSON.stringify(value))
        }, values)
      if (keep) await store(keep)
      const go = async (to: string, wanted?: string) => {
        await page.goto(`${origin}/#/${to.replace(/^\//, '')}`)
        await stands(page, wanted)
      }
      if (screen !== undefined) await go(path, screen)
      return { page, context, problems, allow: (pattern) => void allowed.push(pattern), go }
    },
  }
}

/** Waits for a screen by name; without a name for any screen that is not a placeholder. */
export async function stands(page: Page, screen?: string): Promise<void> {
  await page.waitForSelector(screen === undefined ? '[data-screen]:not([data-screen="loading"])' : `[data-screen="${screen}"]`)
}

function watch(page: Page, problems: string[], origins: string[]): void {
  page.on('pageerror', (error) => problems.push(`page error: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()} ${message.location().url}`)
  })
  page.on('request', (request) => {
    const url = request.url()
    const own = origins.some((origin) => url.startsWith(`${origin}/`)) || /^(?:data|blob):/.test(url)
    if (!own) problems.push(`foreign request: ${url}`)
  })
  page.on('websocket', (socket) => {
    if (!origins.some((origin) => socket.url().startsWith(`${origin}/`))) problems.push(`foreign socket: ${socket.url()}`)
  })
  void page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample} ${event.sourceFile}`)
    })
  })
}

const trailMax = 80
const textMax = 600

/** Notes what the page asked the server and wrote to its console, each with the ms since the visit began; the last of it is kept. */
function follow(page: Page, trail: string[]): void {
  const begun = Date.now()
  const note = (text: string) => {
    trail.push(`${Date.now() - begun} ${text.slice(0, 200)}`)
    if (trail.length > trailMax) trail.shift()
  }
  page.on(
    'response',
    (answer) => /\/assets\//.test(answer.url()) || note(`${answer.status()} ${answer.request().method()} ${answer.url()}`),
  )
  page.on('requestfailed', (request) => note(`failed ${request.url()} ${request.failure()?.errorText}`))
  page.on('console', (message) => note(`${message.type()}: ${message.text()}`))
  page.on('framenavigated', (frame) => note(`${frame === page.mainFrame() ? '' : 'frame '}at ${frame.url()}`))
}

/** Prints what a page shows whose test has failed: a failure that does not come again must be explained from this. */
async function describePage(page: Page, trail: readonly string[]): Promise<void> {
  const read = () => {
    const screens = [...document.querySelectorAll('[data-screen]')].map((one) => one.getAttribute('data-screen'))
    const broken = [...document.querySelectorAll('.broken')].map((one) => one.getAttribute('data-node'))
    return { screens, broken, pins: localStorage.getItem('tessera.pins'), text: document.body.innerText }
  }
  for (const frame of page.frames()) {
    const shown = await frame.evaluate(read).catch((error: unknown) => String(error))
    console.error(`the ${frame === page.mainFrame() ? 'page' : 'frame'} at ${frame.url()} shows ${JSON.stringify(shown).slice(0, textMax)}`)
  }
  console.error(trail.join('\n'))
}
