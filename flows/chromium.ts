import { existsSync } from 'node:fs'
import type { Browser } from 'playwright'

/** The headless shell is preferred: without a hidden window a page costs half as much. */
const known = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'].map(
  (name) => `/usr/bin/${name}`,
)
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Playwright is a development dependency; a server without it reports that it runs no flows. */
const load = () => import('playwright').catch(() => undefined)

async function pathOf(wanted: string | undefined): Promise<string | undefined> {
  if (wanted) return existsSync(wanted) ? wanted : undefined
  const present = known.find((path) => existsSync(path))
  if (present) return present
  const own = (await load())?.chromium.executablePath()
  return own && existsSync(own) ? own : undefined
}

/** Whether flows can be run here. @param wanted path of the only Chromium to use */
export async function hasBrowser(wanted?: string): Promise<boolean> {
  return (await pathOf(wanted)) !== undefined && (await load()) !== undefined
}

/** @throws Error when there is no browser; nothing is installed */
export async function openBrowser(wanted?: string): Promise<Browser> {
  const [playwright, executablePath] = [await load(), await pathOf(wanted)]
  if (!playwright || executablePath === undefined) throw new Error('there is no Chromium here to run in; CHROMIUM_PATH may name one')
  return playwright.chromium.launch({ args, executablePath })
}
