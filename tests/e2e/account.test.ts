import { generateSync } from 'otplib'
import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { useApp } from '#tests/support/app.ts'
import { desktop, stands, useBrowser } from '#tests/support/browser.ts'
import { codeFor, logIn, person } from '#tests/support/people.ts'

const app = useApp()
const { visit } = useBrowser()

const screen = (page: Page, id: string) => stands(page, id)
const toast = (page: Page, text: string | RegExp) => page.locator('.toast', { hasText: text }).first().waitFor()
const problem = (page: Page, field: string) => page.locator(`[data-node="form-${field}"] [id$="-problem"]`)
const fill = (page: Page, field: string, text: string) => page.locator(`input[name=${field}]`).fill(text)
const send = (page: Page) => page.locator('button[type=submit]').click()
const press = (page: Page, node: string) => page.locator(`[data-node="${node}"]`).click()
/** A second press of the same button within half a second is no press. */
const rest = (page: Page) => page.waitForTimeout(600)
const refused = /Failed to load resource: the server responded with a status of 4\d\d/

describe('a new customer', () => {
  test('registers with an e-mail address, and is where they wanted to be', async () => {
    const { page, go } = await visit({ origin: app.origin, screen: 'home.home' })
    await go('pages/setting/setting', 'setting.setting')
    await press(page, 'register')
    await screen(page, 'common.register')
    await fill(page, 'email', 'new.customer@test.example')
    await page.getByRole('button', { name: 'Send code' }).click()
    const code = await codeFor(app.origin, 'new.customer@test.example')
    await fill(page, 'code', code)
    await fill(page, 'password', 'seven sober sailors')
    await fill(page, 're_password', 'seven sober sailors')
    await page.locator('[data-node="form-agree"] input').check()
    await send(page)
    await toast(page, 'Registration success')
    await page.goto(`${app.origin}/#/pages/setting/userInfo`)
    await screen(page, 'setting.userInfo')
    expect(await page.evaluate(() => localStorage.getItem('tessera.token'))).toMatch(/^.{40,}$/)
  })

  test('is told at every field what is wrong, and nothing is sent', async () => {
    const { page } = await visit({ origin: app.origin, path: 'pages/common/register', screen: 'common.register' })
    const calls: string[] = []
    page.on('request', (request) => /\/api\/user\//.test(request.url()) && calls.push(request.url()))
    await fill(page, 'email', 'not an address')
    await fill(page, 'password', 'short')
    await fill(page, 're_password', 'other')
    await send(page)
    const said: [field: string, text: RegExp][] = [
      ['email', /valid e-mail/],
      ['code', /fill|digits/],
      ['password', /more than six/],
      ['re_password', /inconsistent/],
    ]
    for (const [field, text] of said) await expect.poll(() => problem(page, field).textContent()).toMatch(text)
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('email')
    expect(await page.locator('input[name=email]').getAttribute('aria-invalid')).toBe('true')
    expect(calls).toEqual([])
  })

  test('who enters a wrong code is told so at the code, and keeps the rest', async () => {
    const { page, allow } = await visit({ origin: app.origin, path: 'pages/common/register', screen: 'common.register' })
    allow(refused)
    await fill(page, 'email', 'wrong.code@test.example')
    await page.getByRole('button', { name: 'Send code' }).click()
    const code = await codeFor(app.origin, 'wrong.code@test.example')
    await fill(page, 'code', code === '000000' ? '000001' : '000000')
    await fill(page, 'password', 'seven sober sailors')
    await fill(page, 're_password', 'seven sober sailors')
    await page.locator('[data-node="form-agree"] input').check()
    await send(page)
    await expect.poll(() => problem(page, 'code').textContent()).toMatch(/wrong or has expired/)
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('code')
    expect(await page.locator('input[name=email]').inputValue()).toBe('wrong.code@test.example')
  })

  test('sees on the button how long the next code takes, also after leaving the page', async () => {
    const { page, go } = await visit({ origin: app.origin, path: 'pages/common/register', screen: 'common.register' })
    await fill(page, 'email', 'again@test.example')
    await page.getByRole('button', { name: 'Send code' }).click()
    const button = page.locator('[data-node="form-code"] button')
    await expect.poll(() => button.textContent()).toMatch(/\d+ ?s/)
    expect(await button.isDisabled()).toBe(true)
    await go('', 'home.home')
    await go('pages/common/register', 'common.register')
    expect(await page.locator('input[name=email]').inputValue()).toBe('again@test.example')
    await expect.poll(() => button.textContent()).toMatch(/\d+ ?s/)
  })
})

describe('a customer', () => {
  test('logs in, and whoever types a wrong password is told nothing about the account', async () => {
    const ann = await person(app.origin, { nickname: 'Ann' })
    const { page, allow } = await visit({ origin: app.origin, screen: 'home.home' })
    allow(refused)
    const said: (string | null)[] = []
    for (const username of [ann.username, 'nobody@test.example']) {
      await logIn(page, app.origin, { username, password: 'wrong password' })
      await expect.poll(() => problem(page, 'password').count()).toBe(1)
      said.push(await problem(page, 'password').textContent())
      await page.reload()
    }
    expect(said[0]).toBe(said[1])
    await logIn(page, app.origin, ann)
    await toast(page, 'Login success')
    await screen(page, 'home.home')
    await page.goto(`${app.origin}/#/pages/setting/setting`)
    await page.locator('[data-node="profile"]', { hasText: 'Ann' }).waitFor()
    expect(await page.locator('[data-node="login"]').count()).toBe(0)
  })

  test('changes nickname, signature and picture', async () => {
    const bea = await person(app.origin, { nickname: 'Bea' })
    const { page, go, allow } = await visit({ origin: app.origin, screen: 'home.home' })
    allow(refused)
    await logIn(page, app.origin, bea)
    await screen(page, 'home.home')
    await go('pages/setting/userInfo', 'setting.userInfo')
    await press(page, 'nickname')
    await page.locator('input[name=nickname]').waitFor()
    expect(await page.locator('input[name=nickname]').inputValue()).toBe('Bea')
    await fill(page, 'nickname', 'B!')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => page.locator('[id$="nickname-problem"]').textContent()).toMatch(/2 to 10/)
    await fill(page, 'nickname', '小美')
    await page.getByRole('button', { name: 'Save' }).click()
    await toast(page, 'Saved')
    await page.locator('[data-node="nickname"]', { hasText: '小美' }).waitFor()
    await press(page, 'signature')
    await page.locator('textarea[name=signature]').fill('Slow and steady')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('[data-node="signature"]', { hasText: 'Slow and steady' }).waitFor()
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGP8z4APMOGVHbHSAEEsAROxCnMTAAAAAElFTkSuQmCC',
      'base64',
    )
    await page.locator('[data-node="avatar"] input[type=file]').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: png })
    await toast(page, 'Picture changed')
    await expect.poll(() => page.locator('[data-node="avatar"] img').evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(10)
  })

  test('turns on a second factor, and needs it from then on', async () => {
    const cho = await person(app.origin, { nickname: 'Cho' })
    const { page, go, allow } = await visit({ origin: app.origin, screen: 'home.home' })
    allow(refused)
    await logIn(page, app.origin, cho)
    await screen(page, 'home.home')
    await go('pages/setting/second_factor', 'setting.second_factor')
    await press(page, 'setup')
    await page.locator('[data-node="qr"] svg').waitFor()
    const secret = ((await page.locator('[data-node="secret"]').textContent()) ?? '').match(/[A-Z2-7]{16,}/)?.[0] ?? ''
    await fill(page, 'code', generateSync({ secret }))
    await fill(page, 'password', cho.password)
    await send(page)
    await toast(page, 'Two-step verification is on')
    const codes = await page.locator('[data-node="list"] li').allTextContents()
    expect(new Set(codes).size).toBe(10)
    await page.evaluate(() => localStorage.removeItem('tessera.token'))
    await page.reload()
    await logIn(page, app.origin, cho)
    await page.locator('input[name=totp]').waitFor()
    expect(await page.evaluate(() => localStorage.getItem('tessera.token'))).toBeNull()
    await fill(page, 'totp', '000000')
    await rest(page)
    await send(page)
    await expect.poll(() => problem(page, 'totp').textContent()).toMatch(/wrong/)
    await fill(page, 'totp', codes[0] ?? '')
    await rest(page)
    await send(page)
    await toast(page, 'Login success')
  })

  test('ends a session elsewhere, which is told so and asked to log in again', async () => {
    const dan = await person(app.origin, { nickname: 'Dan' })
    const phone = await visit({ origin: app.origin, screen: 'home.home' })
    const tablet = await visit({ origin: app.origin, screen: 'home.home', viewport: desktop })
    tablet.allow(/status of 401/)
    for (const one of [phone, tablet]) {
      await logIn(one.page, app.origin, dan)
      await screen(one.page, 'home.home')
    }
    await tablet.go('pages/setting/security', 'setting.security')
    await phone.go('pages/setting/sessions', 'setting.sessions')
    await phone.page.locator('[data-node="others"]').click()
    await phone.page.getByRole('button', { name: 'End them' }).click()
    await toast(phone.page, 'All other sessions were ended')
    await screen(tablet.page, 'common.login')
    expect(await tablet.page.evaluate(() => localStorage.getItem('tessera.token'))).toBeNull()
    await fill(tablet.page, 'username', dan.username)
    await fill(tablet.page, 'password', dan.password)
    await send(tablet.page)
    await screen(tablet.page, 'setting.security')
  })

  test('sets a forgotten password with a code, and the old one opens nothing', async () => {
    const eve = await person(app.origin)
    const { page, allow } = await visit({ origin: app.origin, path: 'pages/common/forgot', screen: 'common.forgot' })
    allow(refused)
    await fill(page, 'account', eve.username)
    await page.getByRole('button', { name: 'Send code' }).click()
    await fill(page, 'code', await codeFor(app.origin, eve.username))
    await fill(page, 'newpassword', 'nine new noodles')
    await fill(page, 're_password', 'nine new noodles')
    await send(page)
    await screen(page, 'common.login')
    await logIn(page, app.origin, eve)
    await expect.poll(() => problem(page, 'password').count()).toBe(1)
    await logIn(page, app.origin, { username: eve.username, password: 'nine new noodles' })
    await toast(page, 'Login success')
  })

  test('binds a mobile number, sets a fund password, and sees that withdrawals wait', async () => {
    const fay = await person(app.origin)
    const { page, go } = await visit({ origin: app.origin, screen: 'home.home' })
    await logIn(page, app.origin, fay)
    await screen(page, 'home.home')
    await go('pages/setting/bind_mobile', 'setting.bind_mobile')
    const number = `13${String(fay.uid).padStart(9, '8')}`
    await fill(page, 'mobile', number)
    await page.getByRole('button', { name: 'Send code' }).click()
    await fill(page, 'code', await codeFor(app.origin, `+86 ${number}`))
    await fill(page, 'password', fay.password)
    await send(page)
    await toast(page, 'Mobile number bound')
    await go('pages/setting/payPassword', 'setting.payPassword')
    await fill(page, 'newpassword', 'k4fund')
    await fill(page, 're_password', 'k4fund')
    await fill(page, 'password', fay.password)
    await page.getByRole('button', { name: 'Send code' }).click()
    await fill(page, 'code', await codeFor(app.origin, fay.username))
    await send(page)
    await toast(page, 'Fund password saved')
    await go('pages/setting/security', 'setting.security')
    await page.locator('[data-node="pay"]', { hasText: 'Set' }).waitFor()
    await page.locator('[data-node="hold"]', { hasText: 'on hold until' }).waitFor()
  })

  test('logs out only when sure, and nothing of the account stays on the device', async () => {
    const gus = await person(app.origin, { nickname: 'Gus' })
    const { page, go } = await visit({ origin: app.origin, screen: 'home.home' })
    await logIn(page, app.origin, gus)
    await screen(page, 'home.home')
    await go('pages/setting/userInfo', 'setting.userInfo')
    await press(page, 'logout')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await screen(page, 'setting.userInfo')
    await page.waitForTimeout(600)
    await press(page, 'logout')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Log out' }).click()
    await screen(page, 'home.home')
    const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))
    expect(kept).not.toContain('Gus')
    expect(kept).not.toContain(gus.token)
    expect(kept).not.toContain(gus.username)
    const dead = await fetch(`${app.origin}/api/user/info`, { headers: { Authorization: gus.token } })
    expect([dead.status === 200 || dead.status === 401, (await dead.json()).code]).toEqual([true, expect.any(Number)])
  })
})
