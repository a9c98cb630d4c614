import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { stands, useBrowser } from '#tests/support/browser/browser.ts'
import { expectToast } from '#tests/support/browser/messages.ts'
import { throttlePassed } from '#tests/support/browser/waits.ts'
import { person, profile } from '#tests/support/people/people.ts'
import { useApp } from '#tests/support/servers/app.ts'

/** These tests do not use the mouse. */
const app = useApp()
const { visit } = useBrowser()

interface Stop {
  /** Node, and name or text of the control. */
  what: string
  seen: boolean
  top: number
  bottom: number
}
const stop = (page: Page): Promise<Stop> =>
  page.evaluate(() => {
    const at = document.activeElement as HTMLElement | null
    if (!at || at === document.body) return { what: 'nothing', seen: true, top: 0, bottom: 0 }
    const node = at.closest('[data-node]')?.getAttribute('data-node') ?? at.className
    const words = at.getAttribute('name') || at.getAttribute('aria-label') || at.textContent?.trim() || ''
    const outlined = (one: Element | null) => {
      if (!one) return false
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one)
      return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2) || boxShadow.includes('0px 0px 0px 2px')
    }
    const marks = [
      at,
      at.parentElement,
      at.nextElementSibling,
      at.previousElementSibling,
      ...(at.previousElementSibling?.querySelectorAll('[data-at]') ?? []),
    ]
    const box = at.getBoundingClientRect()
    const inSight = box.bottom > 0 && box.top < innerHeight
    return {
      what: `${node} ${words}`.trim(),
      seen: at.id === 'main' || (inSight && marks.some((one) => outlined(one ?? null))),
      top: box.top + scrollY,
      bottom: box.bottom + scrollY,
    }
  })
/** Presses Tab until the control has the focus. Every stop must be visible and below the previous one. */
async function tabTo(page: Page, wanted: RegExp, most = 40): Promise<string[]> {
  const passed: string[] = []
  let before: Stop | undefined
  for (let i = 0; i < most; i++) {
    await page.keyboard.press('Tab')
    const now = await stop(page)
    passed.push(now.what)
    expect(now.seen, `the focus is not seen on ${now.what}`).toBe(true)
    const jumps = before !== undefined && now.bottom <= before.top && !/^skip|^bar|^nothing/.test(now.what)
    expect(jumps, `${now.what} lies above ${before?.what}`).toBe(false)
    if (wanted.test(now.what)) return passed
    before = now
  }
  throw new Error(`${wanted} is not reached: ${passed.join(', ')}`)
}
const focused = (page: Page) => stop(page).then(({ what }) => what)
const enter = (page: Page) => page.keyboard.press('Enter')
/** The focus is in it, and it takes answers. */
const inside = async (page: Page, role: 'dialog' | 'alertdialog') => {
  await expect.poll(() => page.getByRole(role).evaluate((one) => one.contains(document.activeElement))).toBe(true)
  await page.getByRole(role).locator('.prompt-actions [aria-disabled]').first().waitFor({ state: 'detached' })
}

test('a customer logs in, changes the nickname and logs out', async () => {
  const ann = await person(app.origin, { nickname: 'Ann' })
  const { page } = await visit({ origin: app.origin, screen: 'home.home' })
  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('skip Skip to content')
  await tabTo(page, /^to-settings/)
  await enter(page)
  await stands(page, 'setting.setting')
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
  await tabTo(page, /^login/)
  await enter(page)
  await stands(page, 'common.login')
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
  await page.locator('[name=username]').waitFor()
  await tabTo(page, /^form-username/)
  await page.keyboard.type(ann.username)
  await tabTo(page, /^form-password password$/)
  await page.keyboard.type(ann.password)
  await enter(page)
  await expectToast(page, 'Logged in')
  await page.locator('[data-screen]:not([data-screen="common.login"])').waitFor()
  if ((await page.locator('[data-screen="setting.setting"]').count()) === 0) {
    await tabTo(page, /^to-settings/)
    await enter(page)
  }
  await stands(page, 'setting.setting')
  await page.locator('[data-node="profile"]', { hasText: 'Ann' }).waitFor()
  await tabTo(page, /^profile/)
  await enter(page)
  await stands(page, 'setting.userInfo')
  await page.locator('button[data-node="nickname"]').waitFor()
  await tabTo(page, /^nickname/)
  await enter(page)
  await inside(page, 'dialog')
  await tabTo(page, /nickname$/)
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Anders')
  await enter(page)
  await page.locator('[data-node="nickname"]', { hasText: 'Anders' }).waitFor()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await expect.poll(() => focused(page)).toMatch(/^nickname Nickname/)
  await tabTo(page, /^logout/)
  await enter(page)
  await inside(page, 'alertdialog')
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog').waitFor({ state: 'hidden' })
  await expect.poll(() => focused(page)).toMatch(/^logout/)
  await throttlePassed(page)
  await enter(page)
  await inside(page, 'alertdialog')
  for (let i = 0; i < 4 && !(await focused(page)).endsWith('Log out'); i++) await page.keyboard.press('Tab')
  expect(await focused(page)).toMatch(/prompt-ok Log out$/)
  await enter(page)
  await stands(page, 'home.home')
  expect(await page.evaluate(() => localStorage.getItem('tessera.token'))).toBeNull()
})

test('the country of a number is picked from its list, and the focus comes back', { tags: 'full' }, async () => {
  const { page } = await visit({ origin: app.origin, path: 'pages/common/login', screen: 'common.login' })
  await page.locator('[name=username]').waitFor()
  await tabTo(page, /^form-username/)
  await page.keyboard.type('612345678')
  await tabTo(page, /^form-area_code/)
  const before = await focused(page)
  await page.keyboard.press('ArrowDown')
  await inside(page, 'dialog')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await expect.poll(() => focused(page)).toBe(before)
  await enter(page)
  await inside(page, 'dialog')
  expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('combobox')
  await page.keyboard.type('france')
  const options = page.getByRole('dialog').getByRole('option')
  await expect.poll(() => options.count()).toBeLessThan(5)
  const active = await page.evaluate(
    () => document.getElementById(document.activeElement?.getAttribute('aria-activedescendant') ?? '')?.textContent,
  )
  expect(active).toMatch(/France.*33/)
  await enter(page)
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await expect.poll(() => focused(page)).toMatch(/^form-area_code .*33/)
})

test('the registration has its fields in reading order', { tags: 'full' }, async () => {
  const { page } = await visit({ origin: app.origin, path: 'pages/common/register', screen: 'common.register' })
  await page.locator('[name=email]').waitFor()
  await page.keyboard.press('Tab')
  const passed = await tabTo(page, /^login/)
  const order = [
    'type',
    'form-email',
    'form-code',
    'form-password',
    'form-re_password',
    'form-extension_code',
    'form-agree',
    'form',
    'login',
  ]
  const nodes = passed.map((one) => one.split(' ')[0] ?? '')
  expect(nodes.filter((node, i) => order.includes(node) && node !== nodes[i - 1])).toEqual(order)
})

test('the first wrong field has the focus, and the tick and the words in it are had by keys', async () => {
  const { page } = await visit({ origin: app.origin, path: 'pages/common/register', screen: 'common.register' })
  await page.locator('[name=email]').waitFor()
  await page.keyboard.press('Tab')
  await tabTo(page, /^form Create|^form \S/)
  await enter(page)
  await expect.poll(() => focused(page)).toBe('form-email email')
  await tabTo(page, /^form-agree/)
  await page.keyboard.press('Space')
  expect(await page.locator('[data-node="form-agree"] input').isChecked()).toBe(true)
  await page.keyboard.press('Tab')
  expect(await focused(page)).toMatch(/^form-agree/)
  await enter(page)
  await stands(page, 'common.aboutus')
  await tabTo(page, /^bar\S* Back/)
  await enter(page)
  await stands(page, 'common.register')
  expect(await page.locator('[data-node="form-agree"] input').isChecked()).toBe(true)
})

test('a session of another device is ended, and the focus is not lost', { tags: 'full' }, async () => {
  const ann = await person(app.origin, { nickname: 'Ann' })
  await fetch(`${app.origin}/api/user/login`, {
    method: 'POST',
    body: new URLSearchParams({ username: ann.username, password: ann.password }),
  })
  const { page } = await visit({
    origin: app.origin,
    path: 'pages/setting/sessions',
    screen: 'setting.sessions',
    storageState: profile(app.origin, ann.token),
  })
  await page.locator('[data-node="others"]').waitFor()
  await tabTo(page, /^session/)
  await enter(page)
  await inside(page, 'dialog')
  await page.locator('[name=password]').fill(ann.password)
  await page.locator('[name=password]').press('Enter')
  await page.locator('[data-node="others"]').waitFor({ state: 'hidden' })
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  // The row is gone with its button: the next Tab goes on from a place on the page, not from the address bar.
  await page.keyboard.press('Tab')
  expect(await focused(page)).not.toMatch(/^nothing/)
})
