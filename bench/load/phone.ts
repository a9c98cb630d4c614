import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, type BrowserContextOptions, type CDPSession, chromium, type Page } from 'playwright'

const slowdown = 4
const systems = '/usr/bin/chromium'
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export interface Phone {
  page: Page
  context: BrowserContext
  cdp: CDPSession
}

export const openBrowser = (): Promise<Browser> => {
  const path = process.env.CHROMIUM_PATH ?? systems
  return chromium.launch({ args, ...(existsSync(path) && { executablePath: path }) })
}

/** A new profile with the window of a phone and a quarter of this machine's speed. @throws on an error of the page */
export async function onPhone<T>(
  browser: Browser,
  work: (phone: Phone) => Promise<T>,
  storageState?: BrowserContextOptions['storageState'],
): Promise<T> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    locale: 'en',
    serviceWorkers: 'block',
    ...(storageState && { storageState }),
  })
  context.setDefaultTimeout(30_000)
  // The loader of these files adds a helper call to inner functions, which the page does not have.
  await context.addInitScript('globalThis.__name ??= (named) => named')
  try {
    const page = await context.newPage()
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(error.message))
    const cdp = await context.newCDPSession(page)
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    const result = await work({ page, context, cdp })
    if (problems.length > 0) throw new Error(`The page failed: ${problems.join('; ')}`)
    return result
  } finally {
    await context.close()
  }
}
