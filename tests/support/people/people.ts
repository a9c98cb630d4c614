import type { Page } from 'playwright'
import { stands } from '#tests/support/browser/browser.ts'

/** A customer created by the test hook, with a known password and without a code. */
export interface Person {
  token: string
  uid: number
  username: string
  password: string
  totp_secret: string | null
  recovery_codes: string[]
}

async function ask<T>(origin: string, path: string, body?: Record<string, string>): Promise<T> {
  const answer = await fetch(origin + path, body && { method: 'POST', body: new URLSearchParams(body) })
  const envelope = (await answer.json()) as { code: number; msg: string; data: T }
  if (envelope.code !== 1) throw new Error(`${path}: ${answer.status} ${JSON.stringify(envelope)}`)
  return envelope.data
}

export const person = (origin: string, fields: Record<string, string> = {}) => ask<Person>(origin, '/test/user', fields)

/** The code last sent to an address. */
export async function codeFor(origin: string, to: string): Promise<string> {
  const until = performance.now() + 20_000
  for (;;) {
    const { list } = await ask<{ list: { to: string; code?: string; text: string }[] }>(
      origin,
      `/test/outbox?${new URLSearchParams({ to })}`,
    )
    const code = list.map(({ code: own, text }) => own ?? /\b\d{6}\b/.exec(text)?.[0]).find((one) => one !== undefined)
    if (code !== undefined) return code
    if (performance.now() > until) throw new Error(`nothing was sent to ${to}`)
    await new Promise((done) => setTimeout(done, 50))
  }
}

/** Logs in through the page, as a customer does. */
export async function logIn(page: Page, origin: string, { username, password }: Pick<Person, 'username' | 'password'>): Promise<void> {
  await page.goto(`${origin}/#/pages/common/login`)
  await stands(page, 'common.login')
  await page.locator('input[name=username]').fill(username)
  await page.locator('input[name=password]').fill(password)
  await page.locator('button[type=submit]').click()
}

/** Logs in on another device, without a page. */
export const logInElsewhere = (origin: string, { username, password }: Pick<Person, 'username' | 'password'>) =>
  ask<{ token: string }>(origin, '/api/user/login', { username, password })

/** A browser profile with a logged-in customer, or without a token with a visitor. */
export function profile(origin: string, token?: string) {
  const values = { version: '1', ...(token !== undefined && { token }) }
  const localStorage = Object.entries(values).map(([name, value]) => ({ name: `tessera.${name}`, value }))
  return { cookies: [], origins: [{ origin, localStorage }] }
}
