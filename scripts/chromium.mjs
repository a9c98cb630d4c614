import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** The headless shell is preferred: without a hidden window a page costs half as much. */
const known = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'].map(
  (name) => `/usr/bin/${name}`,
)
const runs = (command, args) => spawnSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32' }).status === 0

async function playwrights() {
  const { chromium } = await import('playwright')
  const path = chromium.executablePath()
  return existsSync(path) ? path : undefined
}

/** Path of a Chromium: the system's, Playwright's, or one installed now. Undefined when none is available. */
export async function findChromium() {
  const own = process.env.CHROMIUM_PATH
  if (own) return existsSync(own) ? own : undefined
  const present = known.find((path) => existsSync(path)) ?? (await playwrights())
  if (present) return present
  console.log('No Chromium found; installing one.')
  if (runs('npx', ['playwright', 'install', 'chromium'])) return playwrights()
  if (process.platform === 'linux' && process.getuid?.() === 0 && runs('apt-get', ['update'])) {
    const wanted = ['chromium-headless-shell', 'chromium']
    wanted.some((name) => runs('apt-get', ['install', '-y', '--no-install-recommends', name]))
  }
  return known.find((path) => existsSync(path))
}
