import type { Page } from 'playwright'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { stands, useBrowser, type Visit } from '#tests/support/browser/browser.ts'
import { timePasses } from '#tests/support/browser/waits.ts'
import { type Person, person, profile } from '#tests/support/people/people.ts'
import { useApp } from '#tests/support/servers/app.ts'
import { type Cable, layCable } from '#tests/support/servers/proxy.ts'

const app = useApp()
const { visit } = useBrowser()
const transfer = 'POST /api/wallet/transfer'
const outcome = 'GET /api/user/outcome'
const lostAnswer = /net::ERR_|Failed to load resource/

let cable: Cable
beforeAll(async () => {
  cable = await layCable(app.origin)
  return () => cable.close()
})
afterEach(() => cable.loseAnswers())

async function send<T>(path: string, body: Record<string, string>, token = ''): Promise<T> {
  const answer = await fetch(app.origin + path, { method: 'POST', headers: { Authorization: token }, body: new URLSearchParams(body) })
  const { code, msg, data } = (await answer.json()) as { code: number; msg: string; data: T }
  if (code !== 1) throw new Error(`${path}: ${code} ${msg}`)
  return data
}
/** Amounts that this customer has transferred, from the server. */
async function moved(ann: Person): Promise<string[]> {
  const answer = await fetch(`${app.origin}/api/wallet/hzhistory`, { headers: { Authorization: ann.token } })
  return ((await answer.json()) as { data: { list: { amount: string }[] } }).data.list.map(({ amount }) => amount)
}
/** A customer with 100 of a currency, about to transfer 5. */
async function about(origin: string): Promise<Visit & { ann: Person }> {
  const ann = await person(app.origin, { level: '1' })
  await send('/test/credit', { user: String(ann.uid), currency: 'BTC', amount: '100' })
  const place = { path: 'pages/fund/transfer', screen: 'fund.transfer' }
  const there = await visit({ origin, ...place, clock: true, storageState: profile(origin, ann.token) })
  const { page } = there
  await choose(page)
  return { ...there, ann }
}
async function choose(page: Page): Promise<void> {
  await page.locator('[name=amount]').waitFor()
  // The coin is chosen once the pairs are here.
  await page.waitForLoadState('networkidle')
  await page.locator('[name=amount]').fill('5')
}
const submit = (page: Page) => page.locator('form button[type=submit]').click()
const agree = (page: Page) => page.locator('[role=alertdialog] .prompt-ok').click()
const dialog = (page: Page, text: string) => page.locator('[role=alertdialog]', { hasText: text })
const checking = 'Checking your request'

describe('an answer that is cut off', () => {
  test('is reported after a reload, with the title of the screen', async () => {
    const { page, ann, allow } = await about(cable.origin)
    allow(lostAnswer)
    cable.loseAnswers(transfer, outcome)
    await submit(page)
    await agree(page)
    await dialog(page, checking).waitFor()
    const kept = await page.evaluate(() => localStorage.getItem('tessera.presses'))
    expect(kept).toContain('wallet.transfer')
    expect(kept).not.toContain('amount')
    // Until the page is left, so that the page before the reload cannot hear of it.
    await page.reload({ waitUntil: 'commit' })
    cable.loseAnswers()
    await dialog(page, 'Your request was received.').waitFor()
    expect(await page.locator('.prompt-title').textContent()).toBe('Transfer')
    await agree(page)
    expect(await moved(ann)).toEqual(['5'])
    await page.reload()
    await stands(page, 'fund.transfer')
    await timePasses(page, 2_000)
    expect(await page.locator('[role=alertdialog]').count()).toBe(0)
  })

  test('of a call that never arrived: sent again with the same key, one effect', { tags: 'full' }, async () => {
    const { page, ann, allow } = await about(app.origin)
    allow(lostAnswer)
    const keys: (string | undefined)[] = []
    await page.route('**/api/wallet/transfer', (route) => {
      keys.push(route.request().headers()['idempotency-key'])
      return keys.length === 1 ? route.abort() : route.continue()
    })
    await submit(page)
    await agree(page)
    await dialog(page, 'Request not received').waitFor()
    expect(await moved(ann)).toEqual([])
    await agree(page)
    await page.locator('.toast[data-tone=success]').waitFor()
    expect(keys).toEqual([expect.stringMatching(/^[\w.-]{36,}$/), keys[0]])
    expect(await moved(ann)).toEqual(['5'])
  })
})

test('a customer without verification is told so and directed to it', { tags: 'full' }, async () => {
  const ann = await person(app.origin)
  const args = { amount: '1', address_id: '1', fee: '0', pay_password: 'k4fund77', code: '000000' }
  const button = {
    id: 'send',
    widget: 'button',
    props: { label: 'Send' },
    on: { press: [{ call: 'wallet.withdraw', args: { currency_id: { $: 'data.coins.list.0.id' }, ...args } }] },
  }
  await app.force({
    'screen/fund.withdraw': { kind: 'screen', id: 'fund.withdraw', format: 1, data: { coins: { call: 'currency.list' } }, body: [button] },
  })
  try {
    const { page, allow } = await visit({
      origin: app.origin,
      path: 'pages/fund/withdraw',
      screen: 'fund.withdraw',
      storageState: profile(app.origin, ann.token),
    })
    allow(/status of 4\d\d/)
    await page.waitForLoadState('networkidle')
    await page.locator('[data-node="send"]').click()
    await page.locator('.toast').waitFor()
    await stands(page, 'setting.real_mark')
  } finally {
    await app.restore()
  }
})
