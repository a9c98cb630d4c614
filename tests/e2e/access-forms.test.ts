import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { findings } from '#tests/support/browser/axe.ts'
import { useBrowser, type VisitOptions } from '#tests/support/browser/browser.ts'
import { pages } from '#tests/support/browser/pages.ts'
import { settled } from '#tests/support/browser/waits.ts'
import { logInElsewhere, person, profile } from '#tests/support/people/people.ts'
import { useApp } from '#tests/support/servers/app.ts'

const app = useApp()
const { visit } = useBrowser()
const small = { width: 360, height: 740 }
/** The languages with the longest words and the tallest letters. */
const languages = ['fr', 'th']

const as = async (who: { token: string } | undefined, options: Omit<VisitOptions, 'origin'>) =>
  visit({ origin: app.origin, storageState: profile(app.origin, who?.token), ...options })
const withForms = ['login', 'register', 'forgot', 'bind_email', 'bind_mobile', 'password', 'payPassword', 'second_factor']

/** Visible controls without a name, or with a reference to a missing description. */
const nameless = (page: Page) =>
  page.evaluate(() => {
    const named = (one: Element) =>
      (one as HTMLInputElement).labels?.length ||
      one.getAttribute('aria-label') ||
      textOf(one.getAttribute('aria-labelledby')) ||
      one.textContent?.trim()
    const textOf = (ids: string | null) =>
      ids
        ?.split(' ')
        .map((id) => document.getElementById(id)?.textContent?.trim() ?? '')
        .join('')
    return [
      ...document.querySelectorAll<HTMLElement>('input, textarea, select, button, a[href], [role=combobox], [role=option], [tabindex]'),
    ].flatMap((one) => {
      if (one.id === 'main' || (one as HTMLInputElement).type === 'hidden' || one.closest('[aria-hidden=true], [inert]')) return []
      const wrong: string[] = []
      const place = `${one.closest('[data-node]')?.getAttribute('data-node')} ${one.tagName}`
      if (one.tabIndex > 0) wrong.push(`${place} has tabindex ${one.tabIndex}`)
      if (/^(?:INPUT|TEXTAREA|SELECT|BUTTON|A)$/.test(one.tagName) && !named(one)) wrong.push(`${place} has no name`)
      for (const id of one.getAttribute('aria-describedby')?.split(' ') ?? []) {
        if (!document.getElementById(id)?.textContent?.trim()) wrong.push(`${place} is described by nothing`)
      }
      return wrong
    })
  })
/** Elements that make the page wider than the window, and texts cut off by its edge or by a box that does not scroll. */
const tooWide = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    const name = (one: Element) =>
      `${one.closest('[data-node]')?.getAttribute('data-node')} ${one.tagName} ${one.textContent?.slice(0, 20)}`
    const cut = [...document.querySelectorAll('.app *')].flatMap((one) => {
      const words = [...one.childNodes].some((child) => child.nodeType === 3 && child.textContent?.trim())
      if (!words || one.closest('.visually-hidden, .skip, [aria-hidden=true], [aria-roledescription], svg')) return []
      const range = document.createRange()
      range.selectNodeContents(one)
      const { left, right, width } = range.getBoundingClientRect()
      if (width === 0) return []
      for (let box: Element | null = one; box && box !== document.documentElement; box = box.parentElement) {
        const { overflowX, textOverflow } = getComputedStyle(box)
        if (overflowX === 'auto' || overflowX === 'scroll' || textOverflow === 'ellipsis') return []
        const at = box.getBoundingClientRect()
        if (overflowX !== 'visible' && (right > at.right + 2 || left < at.left - 2)) return [`${name(one)} is cut off`]
      }
      return right > clientWidth + 2 || left < -2 ? [`${name(one)} is out of sight`] : []
    })
    return scrollWidth > clientWidth ? [`${scrollWidth - clientWidth} px too wide`, ...cut] : cut
  })
const large = (page: Page) =>
  page.evaluate(() => {
    document.documentElement.style.fontSize = '200%'
  })

describe('forms', () => {
  test('announce problems to all users', { tags: 'full' }, async () => {
    const keep = { theme: 'light', language: 'fr' }
    const found: string[] = []
    for (const auth of [false, true]) {
      const who = auth ? await person(app.origin, { nickname: 'Ann' }) : undefined
      const { page, go } = await as(who, { keep })
      for (const { path, screen } of pages.filter((one) => one.auth === auth && withForms.some((name) => one.path.endsWith(`/${name}`)))) {
        await go(path, screen)
        const setup = page.locator('button[data-node="setup"]')
        if (screen === 'setting.second_factor') await setup.click()
        found.push(...(await nameless(page)).map((one) => `${screen}: ${one}`))
        await page.locator('button[type=submit]').click()
        const alerts = page.locator('[id$="-problem"][role=alert]')
        await alerts.first().waitFor()
        const [wrong, marked] = [await alerts.count(), await page.locator('[aria-invalid=true]').count()]
        if (wrong !== marked) found.push(`${screen}: ${wrong} problems, ${marked} invalid controls`)
        const first = await page
          .waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true')
          .catch(() => undefined)
        if (!first) found.push(`${screen}: the first wrong field has no focus`)
        found.push(...[...(await nameless(page)), ...(await findings(page)), ...(await tooWide(page))].map((one) => `${screen}: ${one}`))
      }
    }
    expect(found).toEqual([])
  })

  test('have no serious finding in sheets and prompts', { tags: 'full' }, async () => {
    const theme = 'dark'
    const ann = await person(app.origin, { nickname: 'Ann', totp: '1' })
    const other = await person(app.origin, { nickname: 'Other' })
    await logInElsewhere(app.origin, other)
    const found: string[] = []
    const { page, go } = await as(ann, { keep: { theme } })
    const second = await as(other, { keep: { theme } })
    const layers: [visit: typeof second, path: string, screen: string, press: string][] = [
      [second, 'pages/setting/userInfo', 'setting.userInfo', 'button[data-node="nickname"]'],
      [second, 'pages/setting/userInfo', 'setting.userInfo', 'button[data-node="signature"]'],
      [second, 'pages/setting/userInfo', 'setting.userInfo', '[data-node="logout"]'],
      [second, 'pages/setting/sessions', 'setting.sessions', '[data-node="session"] button'],
      [second, 'pages/setting/sessions', 'setting.sessions', '[data-node="others"]'],
      [second, 'pages/setting/bind_mobile', 'setting.bind_mobile', '[data-node="form-area_code"] [role=combobox]'],
    ]
    for (const [{ page: at, go: to }, path, screen, press] of layers) {
      await to(path, screen)
      await at.locator(press).first().click()
      await at.locator('[role=dialog], [role=alertdialog]').first().waitFor()
      await settled(at)
      found.push(...[...(await findings(at)), ...(await nameless(at)), ...(await tooWide(at))].map((one) => `${press}: ${one}`))
      await at.keyboard.press('Escape')
      await at.locator('[role=dialog], [role=alertdialog]').first().waitFor({ state: 'hidden' })
    }
    await go('pages/setting/second_factor', 'setting.second_factor')
    await page.locator('[name=password]').fill('x')
    await page.locator('[name=code]').fill('000000')
    await page.locator('button[type=submit]').click()
    await page.locator('[role=alertdialog]').waitFor()
    found.push(...(await findings(page)).map((one) => `second factor off: ${one}`))
    expect(found).toEqual([])
  })
})

describe('text at 200 % size', () => {
  test.for(languages)('fits a page of 360 px, with problems shown and in sheets, %s', { tags: 'full' }, async (language) => {
    const found: string[] = []
    for (const auth of [false, true]) {
      const who = auth ? await person(app.origin, { nickname: 'Annabel Le' }) : undefined
      const { page, go } = await as(who, { viewport: small, keep: { language } })
      for (const { path, screen } of pages.filter((one) => one.auth === auth)) {
        await go(path, screen)
        await large(page)
        await settled(page)
        const look = async (state: string) => found.push(...(await tooWide(page)).map((one) => `${screen} ${state}: ${one}`))
        await look('')
        const submit = page.locator('button[type=submit]')
        if (withForms.some((name) => path.endsWith(`/${name}`)) && (await submit.count()) === 1) {
          await submit.click()
          await page.locator('[id$="-problem"]').first().waitFor()
          await look('wrong')
        }
      }
      if (!auth) continue
      for (const [path, screen, press] of [
        ['pages/setting/userInfo', 'setting.userInfo', 'button[data-node="nickname"]'],
        ['pages/setting/bind_mobile', 'setting.bind_mobile', '[role=combobox]'],
        ['pages/setting/userInfo', 'setting.userInfo', '[data-node="logout"]'],
      ] as const) {
        await go(path, screen)
        await page.locator(press).first().click()
        const layer = page.locator('[role=dialog], [role=alertdialog]').first()
        await layer.waitFor()
        await settled(page)
        const cut = await layer.evaluate((one) => [one.scrollWidth - one.clientWidth, one.getBoundingClientRect().right - innerWidth])
        if (cut.some((px) => px > 1)) found.push(`${press}: ${cut} px too wide`)
        await page.keyboard.press('Escape')
        await layer.waitFor({ state: 'hidden' })
      }
    }
    expect(found).toEqual([])
  })
})
