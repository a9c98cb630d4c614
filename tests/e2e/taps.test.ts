import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { type CallName, contract } from '#contract/contract.ts'
import { aidsOf } from '#tests/support/browser/aids.ts'
import { useBrowser, type Visit } from '#tests/support/browser/browser.ts'
import { expectSuccess, forgetMessages, messages } from '#tests/support/browser/messages.ts'
import { tapTwice } from '#tests/support/browser/taps.ts'
import { tradeTaps } from '#tests/support/browser/trade-taps.ts'
import { settled, throttlePassed } from '#tests/support/browser/waits.ts'
import { firstOf, isFull } from '#tests/support/house/sizes.ts'
import { document, type Part } from '#tests/support/meddle.ts'
import { type Person, person, profile } from '#tests/support/people/people.ts'
import { useApp } from '#tests/support/servers/app.ts'

const app = useApp('manual')
const { visit } = useBrowser()
const refused = /Failed to load resource: the server responded with a status of 4\d\d/

/** `slow`: no answer comes before the second tap, however long that takes; otherwise the server answers as fast as it can. */
const throttles = [
  { throttle: 500, slow: false },
  { throttle: 0, slow: true },
]
const setThrottle = (ms: number) => {
  const doc = document('app')
  return app.force({ 'app/app': { ...doc, constants: { ...(doc.constants as Part), clickThrottleMs: ms } } })
}
interface Watch {
  keys: string[]
  /** Waits for so many requests, and answers those that were held. */
  came(times: number): Promise<void>
}
/** Counts the requests of a call; with `slow` each is held until `came`. */
async function watch(page: Page, call: CallName, slow: boolean): Promise<Watch> {
  const keys: string[] = []
  const held: (() => void)[] = []
  await page.route(
    (url) => url.pathname === `/api${contract[call].path}`,
    async (route) => {
      keys.push(route.request().headers()['idempotency-key'] ?? '')
      if (slow) await new Promise<void>((go) => held.push(go))
      await route.continue()
    },
  )
  return {
    keys,
    async came(times) {
      await expect.poll(() => keys.length).toBe(times)
      for (const go of held.splice(0)) go()
    },
  }
}
const centre = async (page: Page, selector: string) => {
  const target = page.locator(selector).last()
  await target.scrollIntoViewIfNeeded()
  const box = await target.boundingBox()
  if (!box) throw new Error(`${selector} has no place`)
  return [box.x + box.width / 2, box.y + box.height / 2] as const
}
/** A button or key is held down for so long. */
const tapMs = 15
async function twice(page: Page, selector: string): Promise<void> {
  const [x, y] = await centre(page, selector)
  await page.mouse.dblclick(x, y, { delay: tapMs })
}
async function enterAndTap(page: Page, field: string, selector: string): Promise<void> {
  const [x, y] = await centre(page, selector)
  await page.locator(field).last().focus()
  await page.keyboard.press('Enter', { delay: tapMs })
  await page.mouse.click(x, y)
}
/** A prompt accepts no answer in its first moment. */
const rested = (page: Page) => page.locator('.prompt-ok:not([aria-disabled])').waitFor()
const as = (who: Person | undefined, path: string): Promise<Visit> => {
  const screen = path.replace('pages/', '').replace('/', '.').replace(/\?.*/, '')
  return visit({ origin: app.origin, path, screen, storageState: profile(app.origin, who?.token) })
}

interface Form {
  path: string
  call: CallName
  entries: Record<string, string>
  before?: (page: Page, who: Person | undefined) => Promise<void>
  who?: Record<string, string>
}
const password = 'seven sober sailors'
/** Valid for the client; the server refuses most of them, so that the same form can be pressed again. */
const forms: Form[] = [
  { path: 'pages/common/login', call: 'user.login', entries: { username: 'nobody@test.example', password } },
  {
    path: 'pages/common/register',
    call: 'user.register',
    entries: { email: 'new@test.example', code: '123456', password, re_password: password },
    before: (page) => page.locator('[data-node="form-agree"] input').check(),
  },
  {
    path: 'pages/common/forgot',
    call: 'user.resetpwd',
    entries: { account: 'nobody@test.example', code: '123456', newpassword: password, re_password: password },
  },
  { path: 'pages/setting/bind_email', call: 'user.safeEmail', entries: { email: 'b@test.example', code: '123456', password }, who: {} },
  { path: 'pages/setting/bind_mobile', call: 'user.safeMobile', entries: { mobile: '13812345678', code: '123456', password }, who: {} },
  {
    path: 'pages/setting/password',
    call: 'user.resetpwd',
    entries: { password, newpassword: 'eight sober sailors', re_password: 'eight sober sailors', code: '123456' },
    who: {},
  },
  {
    path: 'pages/setting/payPassword',
    call: 'user.resetmpwd',
    entries: { newpassword: 'k4fund77', re_password: 'k4fund77', password, code: '123456' },
    who: {},
  },
  {
    path: 'pages/setting/second_factor',
    call: 'user.totpConfirm',
    entries: { code: '123456', password },
    before: (page) => page.locator('button[data-node="setup"]').click(),
    who: {},
  },
]

const trades = tradeTaps(app, aidsOf(app))

describe.each(throttles)('with a throttle of $throttle ms', ({ throttle, slow }) => {
  /** A second request would have been seen, and the next press counts. */
  async function rest(page: Page): Promise<void> {
    await settled(page)
    await throttlePassed(page, throttle)
  }
  test('a press is worth as much as the throttle says', async () => {
    await setThrottle(throttle)
    const { page, context } = await as(await person(app.origin, { nickname: 'Ann' }), 'pages/setting/userInfo')
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const row = page.locator('button[data-node="uid"]')
    await row.waitFor()
    await forgetMessages(page)
    if (throttle === 0) {
      await row.click()
      await expect.poll(() => messages(page)).toHaveLength(1)
      await row.click({ delay: 5 })
      await expect.poll(() => messages(page)).toHaveLength(2)
      return
    }
    // Both presses happen in the page: on a busy machine two presses from outside may be half a second apart.
    await row.evaluate((one: HTMLElement) => {
      one.click()
      one.click()
    })
    await expect.poll(() => messages(page)).toHaveLength(1)
    await settled(page)
    expect(await messages(page)).toHaveLength(1)
  })

  test.for(throttle === 0 ? firstOf(forms, 1) : isFull ? forms.slice(0, 1) : [])(
    '$path is sent once by two taps, and once by Enter and a tap',
    async ({ path, call, entries, before, who }) => {
      await setThrottle(throttle)
      const { page, allow } = await as(who && (await person(app.origin, who)), path)
      allow(refused)
      if (before) await before(page, undefined)
      for (const [name, text] of Object.entries(entries)) await page.locator(`[name=${name}]`).fill(text)
      const seen = await watch(page, call, slow)
      const pressed = async (times: number) => {
        await seen.came(times)
        await page.waitForFunction(() => !window.document.querySelector('button[type=submit][aria-disabled]'))
        await rest(page)
        expect(seen.keys).toHaveLength(times)
      }
      await twice(page, 'button[type=submit]')
      await pressed(1)
      await enterAndTap(page, `[name=${Object.keys(entries)[0]}]`, 'button[type=submit]')
      await pressed(2)
      expect(new Set(seen.keys).size).toBe(2)
    },
  )

  const sheets = [
    ['nickname', 'Anders'],
    ['signature', 'Slow and steady'],
  ] as const
  test.for(isFull ? sheets.slice(0, throttle === 0 ? 2 : 1) : [])('the sheet for the %s saves once', async ([name, text]) => {
    await setThrottle(throttle)
    const { page, problems } = await as(await person(app.origin, { nickname: 'Ann' }), 'pages/setting/userInfo')
    const seen = await watch(page, 'user.editNickname', slow)
    for (const [i, press] of ['taps', 'Enter'].entries()) {
      await page.locator(`button[data-node="${name}"]`).click()
      const field = `[name=${name}]`
      await page.locator(field).fill(`${text}${press === 'taps' ? '' : ' x'}`.slice(0, 20).replace(/ x$/, name === 'nickname' ? 'x' : ' x'))
      await throttlePassed(page, throttle)
      if (press === 'taps' || name === 'signature') await twice(page, '[role=dialog] button[type=submit]')
      else await enterAndTap(page, field, '[role=dialog] button[type=submit]')
      await seen.came(i + 1)
      await page.locator(field).waitFor({ state: 'hidden' })
      await rest(page)
    }
    expect(seen.keys).toHaveLength(2)
    expect(problems).toEqual([])
  })

  const prompts: [what: string, path: string, press: string, call: CallName][] = [
    ['the logout', 'pages/setting/userInfo', '[data-node="logout"]', 'user.logout'],
  ]
  test.for(throttle === 0 ? firstOf(prompts, 1) : isFull ? prompts.slice(0, 1) : [])(
    '%s is confirmed once',
    async ([, path, press, call]) => {
      await setThrottle(throttle)
      const ann = await person(app.origin, { nickname: 'Ann' })
      const { page, allow } = await as(ann, path)
      allow(refused)
      const seen = await watch(page, call, slow)
      await page.locator(press).first().waitFor()
      // Views that come later may move what is pressed.
      await page.waitForLoadState('networkidle')
      await page.locator(press).first().dblclick({ delay: 15 })
      await page.locator('[role=alertdialog]').first().waitFor()
      expect(await page.locator('[role=alertdialog]').count()).toBe(1)
      await rested(page)
      await twice(page, '.prompt-ok')
      await seen.came(1)
      await rest(page)
      expect(seen.keys).toHaveLength(1)
      expect(await page.locator('[role=alertdialog]').count()).toBe(0)
    },
  )

  test.for(throttle === 0 ? firstOf(trades, 1) : isFull ? trades : [])('$name: once by two taps', async (trade) => {
    await setThrottle(throttle)
    const price = () => app.tick('BTCUSDT', '50000.00')
    await price()
    const ann = await person(app.origin, { nickname: 'Ann', level: '2' })
    const { page } = await as(ann, await trade.prepare(ann))
    await forgetMessages(page)
    await price()
    await trade.fill?.(page)
    const seen = await watch(page, trade.call, slow)
    // The control, and then the prompt that it opens; each is tapped once it can be pressed.
    for (const selector of [trade.press, '.prompt-ok']) {
      const control = page.locator(selector)
      await price()
      await control.click({ trial: true })
      await tapTwice(control)
    }
    await seen.came(1)
    await expectSuccess(page, 1)
    expect(seen.keys).toHaveLength(1)
    await expect.poll(() => trade.effects(ann)).toBe(1)
  })

  if (throttle > 0) return

  test('the second factor is set up, and removed, once', { tags: 'full' }, async () => {
    await setThrottle(throttle)
    const ann = await person(app.origin, { nickname: 'Ann', totp: '1' })
    const { page, allow } = await as(ann, 'pages/setting/second_factor')
    allow(refused)
    await page.locator('[name=password]').fill(password)
    await page.locator('[name=code]').fill('000000')
    const seen = await watch(page, 'user.totpRemove', slow)
    await twice(page, 'button[type=submit]')
    await page.locator('[role=alertdialog]').first().waitFor()
    expect(await page.locator('[role=alertdialog]').count()).toBe(1)
    await rested(page)
    await page.locator('.prompt-ok').focus()
    await enterAndTap(page, '.prompt-ok', '.prompt-ok')
    await seen.came(1)
    await rest(page)
    expect(seen.keys).toHaveLength(1)
    const fresh = await as(await person(app.origin), 'pages/setting/second_factor')
    // Views that come later may move what is pressed.
    await fresh.page.waitForLoadState('networkidle')
    const setup = await watch(fresh.page, 'user.totpSetup', slow)
    await twice(fresh.page, 'button[data-node="setup"]')
    await setup.came(1)
    await rest(fresh.page)
    expect(setup.keys).toHaveLength(1)
  })

  test('a code is asked for once', async () => {
    await setThrottle(throttle)
    const { page } = await as(undefined, 'pages/common/register')
    await page.locator('[name=email]').fill(`once${throttle}@test.example`)
    const seen = await watch(page, 'auth.smsMail', slow)
    await twice(page, '[data-node="form-code"] button')
    await seen.came(1)
    await rest(page)
    expect(seen.keys).toHaveLength(1)
  })
})
