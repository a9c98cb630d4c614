import type { Locator, Page, Route } from 'playwright'
import { beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#contract/contract.ts'
import { useBrowser } from '#tests/support/browser/browser.ts'
import { expectSuccess, forgetMessages } from '#tests/support/browser/messages.ts'
import { type OnceForm, onceForms } from '#tests/support/browser/once-forms.ts'
import { tapTwice } from '#tests/support/browser/taps.ts'
import { throttlePassed } from '#tests/support/browser/waits.ts'
import { firstOf, isFull } from '#tests/support/house/sizes.ts'
import { document, type Part } from '#tests/support/meddle.ts'
import { person, profile } from '#tests/support/people/people.ts'
import { useApp } from '#tests/support/servers/app.ts'
import { type Cable, layCable } from '#tests/support/servers/proxy.ts'

/**
 * Every form that moves money or changes identity or destinations: pressing twice has one effect, and the outcome of a lost answer is
 * found.
 */
const app = useApp()
const { visit } = useBrowser()
const forms = onceForms(app)
const checking = 'Checking your request'
const dialogs = (page: Page) => page.locator('[role=alertdialog]')
const pathOf = (form: OnceForm) => `/api${contract[form.call].path}`
/** A customer's pause between two presses. */
const pause = (ms: number) => new Promise((over) => setTimeout(over, ms))
const at = (path: string) => (url: URL) => url.pathname === path

let cable: Cable
beforeAll(async () => {
  cable = await layCable(app.origin)
  return () => cable.close()
})

const ways = ['two taps', 'Enter twice', 'Enter and a tap', 'a tap and Enter'] as const
type Way = (typeof ways)[number]
async function twice(page: Page, way: Way, button: Locator, entry: Locator, gapMs: number): Promise<void> {
  if (way === 'two taps') return tapTwice(button, gapMs)
  await button.scrollIntoViewIfNeeded()
  const box = await button.boundingBox()
  if (!box) throw new Error('the button has no place')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const tap = () => page.mouse.click(x, y)
  const enter = () => page.keyboard.press('Enter')
  if (way.startsWith('Enter')) await entry.focus()
  await (way.startsWith('Enter') ? enter() : tap())
  await pause(gapMs)
  await (way === 'Enter twice' || way === 'a tap and Enter' ? enter() : tap())
}
/** The form is pressed twice, and so is the prompt that it opens: one, which stays until it is read. */
async function press(page: Page, form: OnceForm, round: number, way: Way, gapMs: number): Promise<void> {
  await twice(page, way, page.locator('button[type=submit]').last(), page.locator(`[name=${form.field}]`), gapMs)
  if (!form.asks(round)) return
  const ok = page.locator('.prompt-ok:not([aria-disabled])')
  await ok.waitFor()
  expect(await dialogs(page).count()).toBe(1)
  await twice(page, way, ok, ok, gapMs)
}

/** The server's answer; undefined when the test was over before it came. */
const arrived = (route: Route) => route.fetch().catch(() => undefined)

/** Ways to lose an answer after the work was done, until the lost call is released. */
const losses = {
  'whose connection is cut': async (_page: Page, form: OnceForm) => {
    cable.loseAnswers(`POST ${pathOf(form)}`)
    return async () => cable.loseAnswers()
  },
  'in whose place a proxy says 502': async (page: Page, form: OnceForm) => {
    const url = at(pathOf(form))
    await page.route(url, async (route) => {
      if (await arrived(route)) await route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' })
    })
    return async () => {}
  },
  'that arrives after the time limit': async (page: Page, form: OnceForm) => {
    const url = at(pathOf(form))
    let come = () => {}
    const late = new Promise<void>((done) => void (come = done))
    await page.evaluate((path) => {
      const { open, send } = XMLHttpRequest.prototype
      XMLHttpRequest.prototype.open = function (this: XMLHttpRequest, method: string, to: string | URL) {
        Object.assign(this, { late: String(to).endsWith(path) })
        open.call(this, method, to, true)
      }
      XMLHttpRequest.prototype.send = function (this: XMLHttpRequest & { late?: boolean }, body) {
        if (this.late) this.timeout = 400
        send.call(this, body as XMLHttpRequestBodyInit | null)
      }
    }, pathOf(form))
    await page.route(url, async (route) => {
      const response = await arrived(route)
      await late
      if (response) await route.fulfill({ response }).catch(() => {})
    })
    return async () => come()
  },
}
type Loss = keyof typeof losses

interface Row {
  form: OnceForm
  first: Way
  second: Way
  loss: Loss
}
const lossNames = Object.keys(losses) as Loss[]
/** Every way and every loss is combined with forms with and without a prompt. In `npm test` the first two presses are made in the page. */
const rows = firstOf(forms, 2).map(
  (form, i): Row => ({
    form,
    first: isFull ? ways[i % 4]! : 'two taps',
    second: ways[(i + 2 + (i >> 2)) % 4]!,
    loss: lossNames[(i + (i >> 2)) % 3]!,
  }),
)

async function about(form: OnceForm, i: number) {
  const who = await person(app.origin, { ...form.who, email: `once${i}${Math.random().toString(36).slice(2, 8)}@test.example` })
  await form.prepare?.(who)
  const there = await visit({ origin: cable.origin, storageState: profile(cable.origin, who.token) })
  const { page, allow, go } = there
  allow(/net::ERR_|Failed to load resource/)
  const keys: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === pathOf(form)) keys.push(request.headers()['idempotency-key'] ?? '')
  })
  const open = async () => {
    await go(form.path, form.screen)
    await page.waitForLoadState('networkidle')
  }
  await open()
  return { ...there, who, keys, open }
}

describe.each([
  ['as it is', false],
  ['off', true],
])('with the throttle %s', (_name, off) => {
  beforeAll(async () => {
    if (!off) return
    const doc = document('app')
    await app.force({ 'app/app': { ...doc, constants: { ...(doc.constants as Part), clickThrottleMs: 0 } } })
    return () => app.restore()
  })
  const mine = rows.flatMap((row, i) =>
    i % 2 === (off ? 1 : 0) ? [[row.form.name, row.first, row.second, row.loss, row.form, i] as const] : [],
  )

  test.each(mine)('%s: %s, one effect; %s and an answer %s, one more', async (_form, first, second, loss, form, i) => {
    const { page, who, keys, open } = await about(form, i)
    const before = await form.effects(who)
    const asked = (round: number) => (form.asks(round) ? 1 : 0)

    await form.fill(page, who, 1)
    await forgetMessages(page)
    // Without a throttle the second tap must find the first one on its way; with it the call may be over by then.
    let pressed = () => {}
    const both = new Promise<void>((done) => void (pressed = done))
    if (off) await page.route(at(pathOf(form)), (route) => both.then(() => route.continue()))
    await press(page, form, 1, first, off || form.asks(1) ? 30 : 300)
    pressed()
    await form.after(page)
    await page.unrouteAll({ behavior: 'wait' })
    await expectSuccess(page, asked(1))
    expect(keys).toHaveLength(1)
    expect((await form.effects(who)) - before).toBe(1)

    await open()
    // A press right after a success counts as a second press.
    if (!off) await throttlePassed(page)
    await form.fill(page, who, 2)
    await forgetMessages(page)
    const found = await losses[loss](page, form)
    let tell = () => {}
    const sent = new Promise<void>((done) => void (tell = done))
    await page.route(at('/api/user/outcome'), async (route) => {
      await sent
      await route.continue().catch(() => {})
    })
    await press(page, form, 2, second, 30)
    await dialogs(page).filter({ hasText: checking }).waitFor()
    expect(await dialogs(page).count()).toBe(1)
    expect(await page.evaluate(() => localStorage.getItem('tessera.presses'))).toContain(form.call)
    await expect.poll(async () => (await form.effects(who)) - before).toBe(2)
    await found()
    tell()
    await form.after(page)
    await expectSuccess(page, asked(2) + 1)
    expect(await dialogs(page).count()).toBe(0)
    expect([keys.length, new Set(keys).size]).toEqual([2, 2])
    expect((await form.effects(who)) - before).toBe(2)
    expect(await page.evaluate(() => localStorage.getItem('tessera.presses'))).toBe(null)
  })
})
