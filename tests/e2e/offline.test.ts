import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stands, useBrowser } from '#tests/support/browser/browser.ts'
import { settled } from '#tests/support/browser/waits.ts'
import { useApp } from '#tests/support/servers/app.ts'

const app = useApp()
const { visit } = useBrowser()

/** The product behind a proxy that can serve the worker of a newer build: the same code with another first line. */
let front: Server
let origin = ''
let build = 1
beforeAll(async () => {
  front = createServer((req, res) => {
    const { 'if-none-match': _, 'accept-encoding': __, ...headers } = req.headers
    const inner = request(app.origin + req.url, { method: req.method, headers }, (answer) => {
      const worker = req.url === '/sw.js' && build > 1
      const { 'content-length': length, ...rest } = answer.headers
      res.writeHead(answer.statusCode ?? 502, worker || length === undefined ? rest : { ...rest, 'content-length': length })
      if (worker) res.write(`/* build ${build} */\n`)
      answer.pipe(res)
    })
    inner.on('error', () => res.destroy())
    req.pipe(inner)
  })
  await new Promise<void>((done) => front.listen(0, '127.0.0.1', done))
  origin = `http://127.0.0.1:${(front.address() as AddressInfo).port}`
})
afterAll(() => {
  front.closeAllConnections()
  front.close()
})

const installed = (page: Page) =>
  expect.poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.state)).toBe('activated')
/** Whether a newer build is installed, or is about to be, and waits to be taken. */
const waiting = (page: Page) =>
  page.evaluate(async () => {
    const worker = await navigator.serviceWorker.getRegistration()
    return Boolean(worker?.installing ?? worker?.waiting)
  })
/** Whether the documents and texts of the release are stored on the device. */
const kept = (page: Page) =>
  expect
    .poll(
      () =>
        page.evaluate(async () => {
          // Opening it here first would make it, without the app's own store.
          if (!(await indexedDB.databases()).some(({ name }) => name === 'tessera')) return false
          return new Promise<boolean>((done) => {
            const opening = indexedDB.open('tessera')
            opening.onerror = () => done(false)
            opening.onsuccess = () => {
              const asked = opening.result.transaction('sets').objectStore('sets').get('last')
              asked.onsuccess = () => done(asked.result !== undefined)
            }
          })
        }),
      { interval: 500 },
    )
    .toBe(true)
const offlineNoise = /Failed to load resource|WebSocket connection|ERR_INTERNET_DISCONNECTED|net::ERR_/

describe('an installed app', () => {
  test('says what it is to those who install it', async () => {
    const { page } = await visit({ origin, screen: 'home.home' })
    const manifest = await page.evaluate(async () => {
      const link = document.querySelector<HTMLLinkElement>('link[rel=manifest]')
      const answer = await fetch(link?.href ?? '')
      return { type: answer.headers.get('content-type'), body: await answer.json() }
    })
    expect(manifest.type).toMatch(/^application\/manifest\+json/)
    expect(manifest.body).toMatchObject({ start_url: '/', display: 'standalone' })
    const sizes = await page.evaluate(
      (icons) =>
        Promise.all(
          icons.map(async ({ src, sizes: said }) => {
            const picture = new Image()
            picture.src = src
            await picture.decode()
            return [said, `${picture.naturalWidth}x${picture.naturalHeight}`]
          }),
        ),
      (manifest.body.icons as { src: string; sizes: string; type: string }[]).filter(({ type }) => type === 'image/png'),
    )
    expect(sizes.length).toBeGreaterThan(1)
    expect(sizes.filter(([said, real]) => said !== real)).toEqual([])
  })

  test('starts without a network, from its cache, and says so', async () => {
    const { page, context, allow } = await visit({ origin, screen: 'home.home', serviceWorkers: 'allow', ahead: true })
    allow(offlineNoise)
    await installed(page)
    await page.reload()
    await stands(page, 'home.home')
    await kept(page)
    await context.setOffline(true)
    await page.reload()
    await stands(page, 'home.home')
    await page.locator('.offline', { hasText: 'You are offline' }).waitFor()
    await page.goto(`${origin}/#/pages/setting/setting`)
    await stands(page, 'setting.setting')
    await context.setOffline(false)
    await expect.poll(() => page.locator('.offline').textContent()).toBe('')
  })

  test('offers a newer build and applies it on request', { tags: 'full' }, async () => {
    build = 1
    const { page } = await visit({ origin, screen: 'home.home', serviceWorkers: 'allow', ahead: true })
    await installed(page)
    await page.reload()
    await stands(page, 'home.home')
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
    expect(await page.locator('.update-take').count()).toBe(0)
    build = 2
    await page.evaluate(async () => void (await (await navigator.serviceWorker.getRegistration())?.update()))
    await page.locator('.update', { hasText: 'A new version is available' }).waitFor()
    const reloaded = page.waitForEvent('framenavigated')
    await page.locator('.update-take').click()
    await reloaded
    await stands(page, 'home.home')
    await expect.poll(() => waiting(page)).toBe(false)
    await settled(page)
    expect(await page.locator('.update-take').count()).toBe(0)
  })

  test('a declined build does not change the page', { tags: 'full' }, async () => {
    build = 1
    const { page } = await visit({ origin, screen: 'home.home', serviceWorkers: 'allow', ahead: true })
    await installed(page)
    await page.reload()
    await stands(page, 'home.home')
    build = 3
    await page.evaluate(async () => void (await (await navigator.serviceWorker.getRegistration())?.update()))
    let moved = false
    page.on('framenavigated', () => {
      moved = true
    })
    await page.locator('.update-later').click()
    await settled(page)
    expect([await page.locator('.update-take').count(), moved]).toEqual([0, false])
  })
})
