import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { badTexts } from '#tests/support/bad-inputs.ts'
import { stands, useBrowser } from '#tests/support/browser/browser.ts'
import { expectToast } from '#tests/support/browser/messages.ts'
import { firstOf } from '#tests/support/house/sizes.ts'
import { bendCall, document, type Part } from '#tests/support/meddle.ts'
import { logIn, person, profile } from '#tests/support/people/people.ts'
import { useApp } from '#tests/support/servers/app.ts'

/** Texts that would run, load or navigate if they were not treated as text. Every policy violation and foreign request fails the test. */
const app = useApp()
const { visit } = useBrowser()
const lines = badTexts('xss', 'url').map(({ value }) => value)
const pwned = (page: Page) => page.evaluate(() => (window as { __pwn?: number }).__pwn)
const as = async (path: string, screen: string) => {
  const ann = await person(app.origin, { nickname: 'Ann' })
  return { ...(await visit({ origin: app.origin, path, screen, storageState: profile(app.origin, ann.token) })), ann }
}
const move = async (page: Page, path: string, screen: string) => {
  await page.evaluate((hash) => {
    location.hash = hash
  }, `#/${path}`)
  await stands(page, screen)
}

describe('hostile text', () => {
  test('is looked at', () => {
    expect(lines.length).toBeGreaterThan(35)
    expect(lines).toContain('javascript:window.__pwn=1')
  })

  test('is refused as a nickname and a signature, and not stored', async () => {
    const ann = await person(app.origin, { nickname: 'Ann' })
    const headers = { authorization: ann.token }
    const taken: string[] = []
    for (const value of badTexts('xss').map((line) => line.value)) {
      for (const name of ['nickname', 'signature']) {
        const answer = await fetch(`${app.origin}/api/user/editNickname`, {
          method: 'POST',
          headers,
          body: new URLSearchParams({ [name]: value }),
        })
        if (((await answer.json()) as { code: number }).code === 1) taken.push(`${name} ${value}`)
      }
    }
    expect(taken).toEqual([])
    const { data } = (await (await fetch(`${app.origin}/api/user/info`, { headers })).json()) as { data: Part }
    expect([data.nickname, data.signature]).toEqual(['Ann', ''])
  })

  test('as a name, a signature and a contact reads as typed', { tags: 'full' }, async () => {
    const { page } = await as('pages/setting/userInfo', 'setting.userInfo')
    let [now, other] = ['', '']
    await bendCall(page, 'user.info', () => ({
      nickname: now,
      signature: other,
      email: now,
      has_email: true,
      mobile: other,
      has_mobile: true,
    }))
    const short = firstOf(
      lines.filter((line) => line.length < 2_000),
      8,
    )
    // Two at a time, so that each text is shown once.
    for (let i = 0; i < short.length; i += 2) {
      ;[now = '', other = now] = short.slice(i, i + 2)
      await page.reload()
      await stands(page, 'setting.userInfo')
      const row = page.locator('button[data-node="nickname"]')
      await expect.poll(() => row.textContent()).toBe(`Nickname${now}`)
      expect(await page.locator('button[data-node="signature"]').textContent()).toBe(`Bio${other}`)
      expect(await pwned(page)).toBeUndefined()
    }
    await page.locator('button[data-node="signature"]').click()
    await expect.poll(() => page.locator('[name=signature]').inputValue()).toBe(other)
    await page.keyboard.press('Escape')
    await move(page, 'pages/setting/security', 'setting.security')
    await expect.poll(() => page.locator('button[data-node="email"]').textContent()).toContain(now)
    await move(page, 'pages/setting/setting', 'setting.setting')
    await expect.poll(() => page.locator('[data-node="profile"]').textContent()).toContain(now)
    expect(await pwned(page)).toBeUndefined()
  })

  test('as a picture loads and runs nothing', { tags: 'full' }, async () => {
    const { page, allow } = await as('pages/setting/userInfo', 'setting.userInfo')
    // A path on this host may be requested; it does not exist.
    allow(/status of 404 \(Not Found\) http:\/\/127\.0\.0\.1:\d+\/pages\/fund\//)
    let now = ''
    await bendCall(page, 'user.info', () => ({ head_portrait: now }))
    for (now of badTexts('url')
      .map(({ value }) => value)
      .filter((line) => line.length < 2_000)) {
      await page.reload()
      await stands(page, 'setting.userInfo')
      await page.locator('button[data-node="nickname"]').waitFor()
      const src = await page
        .locator('[data-node="avatar"] img')
        .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).src))
      expect(
        src.filter((one) => !one.startsWith(`${app.origin}/`)),
        now,
      ).toEqual([])
    }
    expect(await pwned(page)).toBeUndefined()
  })

  test('as the name of a device reads as typed, in the list and in the sheet', { tags: 'full' }, async () => {
    const { page } = await as('pages/setting/security', 'setting.security')
    let now: string[] = []
    await bendCall(page, 'user.sessions', (data) => {
      const [one] = data.list as Part[]
      return { list: now.map((device, i) => ({ ...one, id: `x${i}`, device, ip: device.slice(0, 40), current: false })) }
    })
    const short = lines.filter((_, i) => i % 2 === 0)
    // A list renders its visible rows.
    for (let from = 0; from < short.length; from += 6) {
      now = short.slice(from, from + 6)
      await page.goto(`${app.origin}/#/pages/setting/sessions`)
      await page.reload()
      await expect.poll(() => page.locator('[data-node="session"] [id$="name"]').allTextContents()).toEqual(now)
      await page.locator('[data-node="session"]').first().locator('button').click()
      const sheet = page.getByRole('dialog')
      await sheet.waitFor()
      await expect.poll(() => sheet.locator('dd').allTextContents()).toEqual([now[0], now[0]?.slice(0, 40)])
      await page.keyboard.press('Escape')
      expect(await pwned(page)).toBeUndefined()
    }
  })

  test('as an invite code and its link reads as typed', { tags: 'full' }, async () => {
    const { page } = await as('pages/setting/share', 'setting.share')
    let now = ''
    await bendCall(page, 'user.invite', () => ({ code: now, link: now }))
    for (now of lines.filter((line) => line.length < 500).filter((_, i) => i % 6 === 0)) {
      await page.reload()
      await expect.poll(() => page.locator('[data-node="code"] output').textContent()).toBe(now)
      expect(await page.locator('[data-node="link"] output').textContent()).toBe(app.origin + now)
      await page.locator('[data-node="qr"] svg[role=img]').waitFor()
    }
    expect(await pwned(page)).toBeUndefined()
  })

  test('as what the server says reads as typed, in toasts and below fields', { tags: 'full' }, async () => {
    await app.force({ 'app/app': { ...document('app'), constants: { ...(document('app').constants as Part), clickThrottleMs: 0 } } })
    const { page, allow } = await visit({ origin: app.origin, path: 'pages/common/login', screen: 'common.login' })
    allow(/Failed to load resource: the server responded with a status of 400/)
    await page.locator('[name=username]').fill('ann@test.example')
    await page.locator('[name=password]').fill('seven sober sailors')
    let answer = { msg: '', name: '' }
    await page.route('**/api/user/login', (route) => route.fulfill({ status: 400, json: { code: 400, data: null, ...answer } }))
    const shown = { internal: page.locator('.toast').last(), login_failed: page.locator('[id$="password-problem"]') }
    // Each line in one of the two places.
    for (const [i, msg] of lines.filter((line) => line.length < 2_000).entries()) {
      const name = i % 2 === 0 ? 'internal' : 'login_failed'
      answer = { msg, name }
      await page.locator('button[type=submit]').click()
      await expect.poll(() => shown[name].textContent()).toBe(msg)
      await page.waitForFunction(() => !window.document.querySelector('button[type=submit][aria-disabled]'))
    }
    expect(await pwned(page)).toBeUndefined()
    await app.restore()
  })
})

describe('hostile addresses', () => {
  test('of an invitation stand in the field as they came, and go nowhere', { tags: 'full' }, async () => {
    const { page } = await visit({ origin: app.origin, path: 'pages/common/login', screen: 'common.login' })
    for (const value of lines.filter((line) => line.length < 2_000)) {
      await move(page, `pages/common/register?extension_code=${encodeURIComponent(value)}`, 'common.register')
      const entry = page.locator('[name=extension_code]')
      // A single-line field contains no line breaks.
      await expect.poll(() => entry.inputValue()).toBe(value.replace(/[\r\n]/g, ''))
      await move(page, 'pages/common/login', 'common.login')
    }
    expect(await pwned(page)).toBeUndefined()
    expect(new URL(page.url()).origin).toBe(app.origin)
  })

  // All of them where an address is shown, some of them elsewhere.
  const places = [
    ['pages/common/webView?url=', ['common.webView', 'not-found'], 1],
    ['pages/common/article?nid=', ['common.article', 'not-found'], 4],
    ['pages/common/aboutus?page=', ['common.aboutus', 'not-found'], 4],
    ['pages/transaction/index?symbol=', ['transaction.index', 'not-found'], 4],
  ] as const
  test.for(firstOf(places, 2))('in %s… open, load and run nothing', async ([path, screens, each]) => {
    const { page, allow } = await visit({ origin: app.origin, path: 'pages/common/faq', screen: 'common.faq' })
    allow(/Failed to load resource: the server responded with a status of 4\d\d/)
    for (const value of lines.filter((line) => line.length < 2_000).filter((_, i) => i % each === 0)) {
      await page.evaluate(
        (hash) => {
          location.hash = hash
        },
        `#/${path}${encodeURIComponent(value)}`,
      )
      await page.locator(screens.map((screen) => `[data-screen="${screen}"]`).join()).waitFor()
      expect(await page.locator('iframe, object, embed').count(), value).toBe(0)
      expect(new URL(page.url()).origin, value).toBe(app.origin)
    }
    expect(await pwned(page)).toBeUndefined()
    expect(page.context().pages()).toHaveLength(1)
  })

  test.for(firstOf(['//evil.example', 'javascript:window.__pwn=1', '/\\evil.example', 'https://app.example@evil.example/'], 1))(
    'kept as the place to return to do not lead away: %s',
    async (value) => {
      const ann = await person(app.origin, { nickname: 'Ann' })
      const { page } = await visit({ origin: app.origin, path: 'pages/common/faq', screen: 'common.faq' })
      await page.evaluate((wanted) => sessionStorage.setItem('tessera.return', wanted), value)
      await page.reload()
      await logIn(page, app.origin, ann)
      await expectToast(page, 'Logged in')
      await page.locator('[data-screen]:not([data-screen="common.login"])').waitFor()
      expect(new URL(page.url()).origin).toBe(app.origin)
      expect(await pwned(page)).toBeUndefined()
    },
  )
})

test('the name of an uploaded file is not stored', { tags: 'full' }, async () => {
  const { page } = await as('pages/setting/userInfo', 'setting.userInfo')
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGP8z4APMOGVHbHSAEEsAROxCnMTAAAAAElFTkSuQmCC', 'base64')
  for (const name of lines.filter((line) => line.length < 200).filter((_, i) => i % 24 === 0)) {
    const answered = page.waitForResponse('**/api/common/upload')
    await page.locator('[data-node="avatar"] input[type=file]').setInputFiles({ name: `${name}.png`, mimeType: 'image/png', buffer: png })
    const { data } = (await (await answered).json()) as { data: { url: string } }
    expect(data.url).toMatch(/^\/api\/upload\/[\w.-]+$/)
    await expectToast(page, 'Picture changed')
  }
  expect(await pwned(page)).toBeUndefined()
})
