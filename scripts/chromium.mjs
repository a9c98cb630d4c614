import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const known = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/usr/bin/google-chrome-stable']
const runs = (command, args) => spawnSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32' }).status === 0

async function playwrights() {
  const { chromium } = await import('playwright')
  const path = chromium.executablePath()
  return existsSync(path) ? path : undefined
}

/** Path of a Chromium: the system's, Playwright's, or one that is installed now. Undefined where none can be had. */
export async function findChromium() {
  const own = process.env.CHROMIUM_PATH
  if (own) return existsSync(own) ? own : undefined
  const present = known.find((path) => existsSync(path)) ?? (await playwrights())
  if (present) return present
  console.log('No Chromium here; installing one.')
  if (runs('npx', ['playwright', 'install', 'chromium'])) return playwrights()
  if (process.platform === 'linux' && process.getuid?.() === 0 && runs('apt-get', ['update'])) {
    runs('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'])
  }
  return known.find((path) => existsSync(path))
}
