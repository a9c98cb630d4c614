import type { Page } from 'playwright'
import { beforeAll, describe, expect, test } from 'vitest'
import { stands, useBrowser, type Visit } from '#tests/support/browser/browser.ts'
import { sessionScreens } from '#tests/support/browser/session-screens.ts'
import { settled, throttlePassed, timePasses } from '#tests/support/browser/waits.ts'
import { useApp } from '#tests/support/servers/app.ts'

const app = useApp()
const { visit } = useBrowser()

interface Made {
  token: string
  username: string
  password: string
}
async function makeUser(fields: Record<string, string> = {}): Promise<Made> {
  const answer = await fetch(`${app.origin}/test/user`, { method: 'POST', body: new URLSearchParams({ nickname: 'Ann', ...fields }) })
  const { code, data, msg } = (await answer.json()) as { code: number; data: Made; msg: string }
  if (code !== 1) throw new Error(`POST /test/user: ${code} ${msg}`)
  return data
}
const call = (path: string, token: string) => fetch(app.origin + path, { headers: { authorization: token } })

let ann: Made
beforeAll(async () => {
  ann = await makeUser()
  await app.force(sessionScreens(ann))
})

const press = (page: Page, name: string) => page.locator(`[data-node="${name}"]`).click()
/** For pages that any answer may end: presses a control that still exists. */
const pressIfThere = (page: Page, name: string) =>
  page.evaluate((node) => window.document.querySelector<HTMLElement>(`[data-node="${node}"]`)?.click(), name)
const shown = (page: Page, text: string) => page.getByText(text, { exact: true }).waitFor()
const kept = (page: Page, name: string) => page.evaluate((key) => localStorage.getItem(`tessera.${key}`), name)
/** Texts of all toasts that have been there, in order. Watched from the start, because they pass. */
async function watchToasts({ page }: Visit): Promise<() => Promise<string[]>> {
  // They come soon after the first screen.
  await page.waitForSelector('.toasts', { state: 'attached' })
  await page.evaluate(() => {
    const seen: string[] = []
    Object.assign(window, { seen })
    const box = document.querySelector('.toasts')
    if (!box) throw new Error('no place for toasts')
    new MutationObserver((changes) => {
      for (const change of changes) for (const node of change.addedNodes) seen.push(node.textContent ?? '')
    }).observe(box, { childList: true })
  })
  return () => page.evaluate(() => (window as unknown as { seen: string[] }).seen)
}
const open = (token?: string, path = 'pages/probe/open', screen = 'probe.open') =>
  visit({ origin: app.origin, path, screen, clock: true, storageState: state(token) })
/** A profile in which somebody is logged in already. */
function state(token: string | undefined) {
  const values = { version: '1', ...(token !== undefined && { token }) }
  const localStorage = Object.entries(values).map(([name, value]) => ({ name: `tessera.${name}`, value }))
  return { cookies: [], origins: [{ origin: app.origin, localStorage }] }
}
const closed = 'pages/probe/closed?currency_id=3'

describe('a closed page', () => {
  test('asks for a login, redirects after 1200 ms, and returns to the wanted page', async () => {
    const v = await open()
    const toasts = await watchToasts(v)
    const pressedAt = Date.now()
    await press(v.page, 'to-closed')
    await pressIfThere(v.page, 'to-closed')
    await stands(v.page, 'probe.login')
    expect(Date.now() - pressedAt).toBeGreaterThan(1_190)
    expect(await toasts()).toEqual(['Log in first'])
    await press(v.page, 'enter')
    await stands(v.page, 'probe.closed')
    expect(new URL(v.page.url()).hash).toBe('#/pages/probe/closed?currency_id=3')
    await shown(v.page, 'currency 3')
    await v.page.goBack()
    await stands(v.page, 'probe.open')
    await shown(v.page, 'customer Ann')
  })

  test('opened directly is not shown, and is opened after a reload of the login page', { tags: 'full' }, async () => {
    const { page } = await open(undefined, closed, 'loading')
    expect(await page.locator('[data-node="param"]').count()).toBe(0)
    await stands(page, 'probe.login')
    await page.reload()
    await stands(page, 'probe.login')
    await press(page, 'enter')
    await stands(page, 'probe.closed')
    await shown(page, 'currency 3')
  })

  test('a visitor who goes elsewhere meanwhile stays there', { tags: 'full' }, async () => {
    const { page } = await open()
    await press(page, 'to-closed')
    await shown(page, 'Log in first')
    await page.evaluate(() => {
      location.hash = '#/pages/common/faq'
    })
    await stands(page, 'common.faq')
    await timePasses(page, 2_000)
    await stands(page, 'common.faq')
  })

  test('of a level leads to the verification page', { tags: 'full' }, async () => {
    const { token } = await makeUser({ level: '1' })
    const v = await open(token)
    await shown(v.page, 'customer Ann')
    const toasts = await watchToasts(v)
    await press(v.page, 'to-proved')
    await stands(v.page, 'probe.real')
    expect(await toasts()).toEqual(['Verify your identity first'])
    const proved = await makeUser({ level: '2' })
    await stands((await open(proved.token, 'pages/probe/proved', 'probe.proved')).page, 'probe.proved')
  })
})

describe('the account of the session', () => {
  test('is shown at once at the next start, also without an answer', { tags: 'full' }, async () => {
    const { token } = await makeUser()
    const { page, context, allow } = await open(token)
    await shown(page, 'customer Ann')
    allow(/Failed to load resource|ERR_FAILED/)
    await context.route('**/api/user/**', (route) => route.abort())
    await page.reload()
    await stands(page, 'probe.open')
    await shown(page, 'customer Ann')
  })

  test('the socket hears of the token after the login, and never in its address', async () => {
    const sent: string[] = []
    const v = await visit({ origin: app.origin })
    v.page.on('websocket', (socket) => {
      expect(socket.url()).not.toContain('?')
      socket.on('framesent', ({ payload }) => {
        if (String(payload).includes('checkToken')) sent.push(String(payload))
      })
    })
    await v.go('pages/probe/open', 'probe.open')
    await expect.poll(() => sent.length).toBe(1)
    await press(v.page, 'to-login')
    await press(v.page, 'enter')
    await stands(v.page, 'probe.open')
    await expect.poll(() => sent.map((text) => typeof JSON.parse(text).token)).toEqual(['undefined', 'string'])
    expect(JSON.parse(sent[1] ?? '').token).toBe(await kept(v.page, 'token'))
  })

  test('a logout removes the data, tells the server, and does not ask for a login', { tags: 'full' }, async () => {
    const { token } = await makeUser()
    const v = await open(token, closed, 'probe.closed')
    await shown(v.page, 'Ann')
    const toasts = await watchToasts(v)
    await press(v.page, 'leave')
    await stands(v.page, 'home.home')
    await timePasses(v.page, 2_000)
    expect(await toasts()).toEqual([])
    expect([await kept(v.page, 'token'), await kept(v.page, 'user')]).toEqual([null, null])
    await expect.poll(async () => (await call('/api/user/info', token)).status).toBe(401)
  })
})

describe('a session that ends', () => {
  const refused = (code: number, name: string, msg: string) => ({
    status: code === 401 ? 401 : 403,
    contentType: 'application/json',
    body: JSON.stringify({ code, msg, data: null, name }),
  })

  test('with many calls at once is said once in the words of the server, and comes back to where it was', async () => {
    const { token } = await makeUser()
    const v = await open(token, closed, 'probe.closed')
    v.allow(/Failed to load resource/)
    await shown(v.page, 'sessions 1')
    const toasts = await watchToasts(v)
    await v.context.route('**/api/user/**', (route) => route.fulfill(refused(401, 'unauthorized', 'Your session is over')))
    await pressIfThere(v.page, 'reload')
    await stands(v.page, 'probe.login')
    expect(await toasts()).toEqual(['Your session is over'])
    expect([await kept(v.page, 'token'), await kept(v.page, 'user')]).toEqual([null, null])
    await v.context.unroute('**/api/user/**')
    await press(v.page, 'enter')
    await stands(v.page, 'probe.closed')
    await shown(v.page, 'currency 3')
    await timePasses(v.page, 2_000)
    await stands(v.page, 'probe.closed')
  })

  test('elsewhere ends here too', { tags: 'full' }, async () => {
    const { token } = await makeUser()
    const v = await open(token, closed, 'probe.closed')
    v.allow(/Failed to load resource/)
    await shown(v.page, 'sessions 1')
    const toasts = await watchToasts(v)
    await call('/api/user/logout', token)
    await pressIfThere(v.page, 'ask')
    await stands(v.page, 'probe.login')
    expect(await toasts()).toHaveLength(1)
    expect(await toasts()).not.toContain('Still here')
  })

  test('402 leads to the verification page and keeps the session', { tags: 'full' }, async () => {
    const { token } = await makeUser()
    const v = await open(token, closed, 'probe.closed')
    v.allow(/Failed to load resource/)
    await shown(v.page, 'sessions 1')
    const toasts = await watchToasts(v)
    await v.context.route('**/api/user/sessions*', (route) => route.fulfill(refused(402, 'verification_required', 'Show your papers')))
    await press(v.page, 'ask')
    await stands(v.page, 'probe.real')
    expect(await toasts()).toEqual(['Show your papers'])
    expect(await kept(v.page, 'token')).toBe(token)
  })
})

test('two tabs log in and out together', { tags: 'full' }, async () => {
  const { page, context } = await open()
  const other = await context.newPage()
  await other.goto(`${app.origin}/#/pages/probe/open`)
  await shown(other, 'visitor')
  await press(page, 'to-login')
  await press(page, 'enter')
  await stands(page, 'probe.open')
  await shown(other, 'customer Ann')
  await other.goto(`${app.origin}/#/${closed}`)
  await stands(other, 'probe.closed')
  await press(page, 'leave')
  await shown(page, 'visitor')
  await stands(other, 'probe.login')
  expect(new URL(page.url()).hash).toBe('#/pages/probe/open')
})

test('favourites are added to the account, follow it, and stay behind after the logout', { tags: 'full' }, async () => {
  const own = await makeUser()
  await app.force(sessionScreens(own))
  const { page } = await visit({ origin: app.origin, path: 'pages/probe/open', screen: 'probe.open', keep: { favourites: ['BTCUSDT'] } })
  const has = async () => {
    const { data } = (await (await call('/api/user/getOptionalList', own.token)).json()) as { data: { list: { symbol: string }[] } }
    return data.list.map((row) => row.symbol).sort()
  }
  await press(page, 'to-login')
  await press(page, 'enter')
  await stands(page, 'probe.open')
  await expect.poll(has).toEqual(['BTCUSDT'])
  await press(page, 'star')
  await expect.poll(has).toEqual(['BTCUSDT', 'ETHUSDT'])
  await press(page, 'leave')
  await shown(page, 'stars 1')
  expect(await has()).toEqual(['BTCUSDT', 'ETHUSDT'])
  await app.force(sessionScreens(ann))
})

describe('a picture', () => {
  test('is sent and said; picking none says nothing', { tags: 'full' }, async () => {
    const { token } = await makeUser()
    const v = await open(token, closed, 'probe.closed')
    const toasts = await watchToasts(v)
    const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
    const [chooser] = await Promise.all([v.page.waitForEvent('filechooser'), press(v.page, 'send')])
    expect(await chooser.element().getAttribute('accept')).toBe('image/jpeg,image/png,image/webp')
    await chooser.setFiles({ name: 'a.png', mimeType: 'image/png', buffer: png })
    await expect.poll(() => v.page.locator('[data-node="picture"]').innerText()).toMatch(/^\/\S+/)
    expect(await toasts()).toEqual(['Uploaded'])
    // A second press within half a second is ignored.
    await throttlePassed(v.page)
    const [again] = await Promise.all([v.page.waitForEvent('filechooser'), press(v.page, 'send')])
    await again.setFiles([])
    await settled(v.page)
    expect(await toasts()).toEqual(['Uploaded'])
  })

  test('of a phone is made small and upright before it is sent; a file that is none is refused with words', { tags: 'full' }, async () => {
    const { token } = await makeUser()
    const v = await open(token, closed, 'probe.closed')
    const toasts = await watchToasts(v)
    const { default: sharp } = await import('sharp')
    const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 }
    const photo = await sharp({ create: { width: 4_032, height: 3_024, channels: 3, background: 'white', noise } })
      .jpeg({ quality: 92 })
      .withMetadata({ orientation: 6 })
      .toBuffer()
    expect(photo.length).toBeGreaterThan(5_242_880)
    const webp = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'red' } })
      .webp()
      .toBuffer()
    const place = v.page.locator('[data-node="picture"]')
    const sent = async (buffer: Buffer) => {
      const before = await place.innerText().catch(() => '')
      const [chooser] = await Promise.all([v.page.waitForEvent('filechooser'), press(v.page, 'send')])
      await chooser.setFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer })
      await expect.poll(() => place.innerText(), { timeout: 20_000 }).not.toBe(before)
      const { format, width, height } = await sharp(
        Buffer.from(await (await call(await place.innerText(), token)).arrayBuffer()),
      ).metadata()
      return [format, width, height]
    }
    expect(await sent(photo)).toEqual(['jpeg', 1_920, 2_560])
    await throttlePassed(v.page)
    expect(await sent(webp)).toEqual(['webp', 30, 20])
    await throttlePassed(v.page)
    const [chooser] = await Promise.all([v.page.waitForEvent('filechooser'), press(v.page, 'send')])
    await chooser.setFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('GIF89a') })
    // The words of the screen for file_type_refused.
    await expect.poll(toasts).toEqual(['Uploaded', 'Uploaded', 'Only pictures'])
  })
})

test('without a network a bar says so, and disappears when it is back', async () => {
  const { page, context, allow } = await open()
  allow(/ERR_INTERNET_DISCONNECTED/)
  await context.setOffline(true)
  await shown(page, 'You are offline. Some information may be out of date.')
  expect(await page.locator('[role="alertdialog"]').count()).toBe(0)
  await context.setOffline(false)
  await expect.poll(() => page.getByText('You are offline').count()).toBe(0)
})

test('an unavailable socket is reported in one dialog; a part that does not load offers a reload', { tags: 'full' }, async () => {
  const v = await visit({ origin: app.origin })
  v.allow(/WebSocket connection|ERR_/)
  await v.page.routeWebSocket(/\/ws$/, (socket) => socket.close())
  await v.go('pages/probe/open', 'probe.open')
  await v.page.getByRole('alertdialog').waitFor()
  expect(await v.page.getByRole('alertdialog').innerText()).toContain('Could not connect to live data')
  await v.page.getByRole('button', { name: 'OK' }).click()
  await v.page.evaluate(() => dispatchEvent(new Event('chunk-failed')))
  await v.page.getByRole('alertdialog').getByText('Loading took too long. Reload the page.').waitFor()
  await Promise.all([v.page.waitForEvent('load'), v.page.getByRole('button', { name: 'Reload' }).click()])
  await stands(v.page, 'probe.open')
})
