import { generateSync } from 'otplib'
import type { FrameLocator, Page, Request } from 'playwright'
import { expect, test } from 'vitest'
import { demoAccount } from '#api-server/account/demo.ts'
import { findings } from '#tests/support/browser/axe.ts'
import { desktop, phone, useBrowser } from '#tests/support/browser/browser.ts'
import { expectToast } from '#tests/support/browser/messages.ts'
import { atWork, atBackOffice as calls, operator } from '#tests/support/people/operators.ts'
import { codeFor, logInElsewhere, person } from '#tests/support/people/people.ts'
import { useOwnApp } from '#tests/support/servers/app.ts'

/** The back office end to end: requests of customers, decisions, and their effects. */

const app = useOwnApp({ SEED: 'demo' })
const { visit } = useBrowser()
async function call<T>(path: string, token: string, fields: Record<string, string> = {}): Promise<T> {
  const answer = await fetch(`${app.origin}/api${path}`, {
    method: 'POST',
    headers: { Authorization: token, 'Idempotency-Key': crypto.randomUUID() },
    body: new URLSearchParams(fields),
  })
  const { code, data, msg } = (await answer.json()) as { code: number; data: T; msg: string }
  if (code !== 1) throw new Error(`${path}: ${code} ${msg}`)
  return data
}

/** A picture of one pixel. */
const pixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

async function upload(token: string, purpose: string): Promise<string> {
  const form = new FormData()
  form.set('purpose', purpose)
  form.set('file', new Blob([pixel], { type: 'image/png' }), 'voucher.png')
  const answer = await fetch(`${app.origin}/api/common/upload`, { method: 'POST', headers: { Authorization: token }, body: form })
  return ((await answer.json()) as { data: { url: string } }).data.url
}

interface Coin {
  currency_id: number
  currency_code: string
  chains: { chain: string }[]
}
const tether = async (token: string): Promise<Coin> => {
  const { list } = await call<{ list: Coin[] }>('/wallet/getPayable', token)
  return list.find(({ currency_code }) => currency_code === 'USDT')!
}
const available = async (token: string, { currency_id }: { currency_id: number }) =>
  (await call<{ available: string }>('/wallet/getWithdrawInfo', token, { currency_id: String(currency_id) })).available

const stands = (office: FrameLocator, screen: string) => office.locator(`[data-screen="office.${screen}"]`).waitFor()
const badge = (page: Page, count: number) =>
  page.getByRole('link', { name: count === 0 ? 'Back office' : `Back office, ${count} waiting`, exact: true }).waitFor()

/** Presses the key of a button after the button is visible and enabled. */
async function pressKey(page: Page, office: FrameLocator, key: string): Promise<void> {
  await expect.poll(() => office.locator(`[aria-keyshortcuts="${key}"]`).isEnabled()).toBe(true)
  await page.keyboard.press(key.toLowerCase())
}

interface Looks {
  viewport?: typeof phone
  colorScheme?: 'dark' | 'light'
  fresh?: boolean
}
async function atBackOffice(name: string, path: string, { fresh, ...more }: Looks = {}) {
  const who = await operator(app.origin, name, ['reviewer', 'administrator'], fresh)
  const made = await visit({ origin: app.origin, viewport: desktop, storageState: atWork(app.origin, who), ...more })
  await made.page.goto(`${app.origin}/console/#/back-office${path}`)
  return { ...made, who, office: made.page.frameLocator('iframe') }
}

test('a deposit appears, is reviewed and credited by keyboard, and the customer has the money', async () => {
  const customer = await person(app.origin, { contact: 'email', level: '1' })
  const coin = await tether(customer.token)
  const { page, office } = await atBackOffice('rita', '/recharges')
  await stands(office, 'recharges')
  await office.getByText('Nothing waits').waitFor()
  await badge(page, 0)

  const imgs = await upload(customer.token, 'proof')
  const fields = { imgs, amount: '250', currency_id: String(coin.currency_id), chain: coin.chains[0]!.chain }
  const { id } = await call<{ id: number }>('/wallet/recharge', customer.token, fields)
  await badge(page, 1)
  await office.locator('tbody tr').waitFor()
  expect(await available(customer.token, coin)).toBe('0')

  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await stands(office, 'recharge')
  expect(new URL(page.url()).hash).toBe(`#/back-office/recharge?id=${id}`)
  await office.getByRole('button', { name: 'Enlarge: Proof of payment 1 of 1' }).click()
  await office.getByRole('dialog').getByRole('img').waitFor()
  await page.keyboard.press('r')
  // R rotated the picture and did not trigger the button behind it.
  expect(await office.getByRole('dialog').count()).toBe(1)
  await page.keyboard.press('Escape')
  await office.getByRole('dialog').waitFor({ state: 'detached' })

  await pressKey(page, office, 'A')
  await office.getByRole('alertdialog').getByText('250 USDT').waitFor()
  await office.getByRole('button', { name: 'Credit deposit' }).click()
  await expectToast(office, 'The deposit is credited')
  await stands(office, 'recharges')
  expect(new URL(page.url()).hash).toBe('#/back-office/recharges')
  await badge(page, 0)
  expect(await available(customer.token, coin)).toBe('250')
})

test('the back office needs no prices and never reports a lost price connection', { tags: 'full' }, async () => {
  const who = await operator(app.origin, 'lea', ['reviewer'])
  const { page } = await visit({ origin: app.origin, viewport: desktop, storageState: atWork(app.origin, who) })
  const loading = new Set<Request>()
  page.on('request', (request) => request.resourceType() === 'script' && loading.add(request))
  page.on('requestfinished', (request) => loading.delete(request))
  page.on('requestfailed', (request) => loading.delete(request))
  await page.clock.install()
  await page.goto(`${app.origin}/console/#/back-office/recharges`)
  const office = page.frameLocator('iframe')
  await office.getByText('Nothing waits').waitFor()
  // Chunks load in real time and time out after a minute of the page's clock, so the clock waits for them.
  for (let seconds = 0; seconds < 120; seconds += 10) {
    await page.clock.runFor(10_000)
    await expect.poll(() => loading.size).toBe(0)
  }
  await office.getByText('Nothing waits').waitFor()
  expect(await office.getByRole('alertdialog').or(office.getByRole('dialog')).count()).toBe(0)
})

test('a decision that needs two operators asks for a confirmation of identity, and then continues', async () => {
  const customer = await person(app.origin, { contact: 'email', level: '1' })
  const coin = await tether(customer.token)
  const imgs = await upload(customer.token, 'proof')
  const fields = { imgs, amount: '20000', currency_id: String(coin.currency_id), chain: coin.chains[0]!.chain }
  const { id } = await call<{ id: number }>('/wallet/recharge', customer.token, fields)
  const { page, office, who, allow } = await atBackOffice('uma', `/recharge?id=${id}`, { fresh: false })
  await stands(office, 'recharge')
  await office.getByText('two different reviewers must approve').waitFor()
  await pressKey(page, office, 'A')
  allow(/status of 403/)
  await office.getByRole('button', { name: 'Credit deposit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm your identity' })
  await dialog.getByLabel('Password').fill(who.password)
  await dialog.getByLabel('Code').fill(generateSync({ secret: who.totpSecret }))
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expectToast(office, 'Stored. One more reviewer must approve.')
  await office.locator('[data-screen="office.recharge"]').waitFor({ state: 'detached' })
  await page.goto(`${app.origin}/console/#/back-office/recharge?id=${id}`)
  await office.getByText('You have approved already.').waitFor()
  // The first operator cannot give the second approval, but can reject.
  expect(await office.getByRole('button', { name: 'Approve' }).isEnabled()).toBe(false)
  expect(await office.getByRole('button', { name: 'Reject' }).isEnabled()).toBe(true)
  expect(await available(customer.token, coin)).toBe('0')
})

test('a rejected withdrawal releases the whole amount, and the customer reads the reason', async () => {
  const { token } = await logInElsewhere(app.origin, demoAccount)
  const { list } = await call<{ list: { id: number; currency_id: number }[] }>('/wallet/getAddressList', token)
  const address = list[0]!
  const before = await available(token, address)
  await call('/ems/send', token, { event: 'withdraw' })
  const code = await codeFor(app.origin, demoAccount.username)
  const { currency_id, id: address_id } = address
  const fields = {
    currency_id: String(currency_id),
    address_id: String(address_id),
    amount: '150',
    code,
    pay_password: demoAccount.payPassword,
  }
  const { id } = await call<{ id: number }>('/wallet/withdraw', token, fields)
  expect(await available(token, address)).not.toBe(before)

  const { page, office } = await atBackOffice('sam', `/withdrawal?id=${id}`)
  await stands(office, 'withdrawal')
  await office.getByText('0xde30de30de30de30de30de30de30de30de30de30').waitFor()
  await pressKey(page, office, 'R')
  await office.getByRole('textbox').waitFor()
  // The dialog asks for the reason at once, and the key that opened it is not part of the text.
  await page.keyboard.type('The network is closed today.')
  expect(await office.getByRole('textbox').inputValue()).toBe('The network is closed today.')
  await office.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
  await expectToast(office, 'Rejected. The customer has everything back.')

  expect(await available(token, address)).toBe(before)
  const records = await call<{ list: { id: number; status: string; reason: string }[] }>('/wallet/getRecord', token, {
    page: '1',
    size: '5',
  })
  expect(records.list.find((one) => one.id === id)).toMatchObject({ status: 'rejected', reason: 'The network is closed today.' })
})

test('an identity is approved; the level rises, and the access is logged', { tags: 'full' }, async () => {
  const customer = await person(app.origin, { both: '1' })
  await call('/user/real', customer.token, { id_type: 'passport', name: 'Ann Example', card_id: 'X1234567' })
  const { page, office, context, allow } = await atBackOffice('tess', '/verifications')
  await stands(office, 'verifications')
  await office.locator('tbody button').first().click()
  await stands(office, 'verification')
  await office.getByText('Ann Example').waitFor()
  await page.reload()
  await stands(office, 'verification')
  await office.getByRole('button', { name: 'Approve' }).click()
  await office.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).click()
  await office.getByText('The identity is approved').waitFor()
  const info = await fetch(`${app.origin}/api/user/info`, { headers: { Authorization: customer.token } })
  expect(await info.json()).toMatchObject({ code: 1, data: { level: 1 } })

  await page.goto(`${app.origin}/console/#/back-office/audit`)
  await stands(office, 'audit')
  await office.getByText('Identity viewed').first().waitFor()
  await office.getByText('Identity approved').first().waitFor()

  // A session ended elsewhere redirects to the login.
  allow(/status of 401/)
  await context.clearCookies()
  await page.goto(`${app.origin}/console/#/back-office/customers`)
  await page.waitForURL(/#\/login/)
})

test('an administrator finds a message to a customer, gives a reason and reads its code, and the log says so', async () => {
  const to = 'read-me@mail.example'
  await call('/sms_mail', '', { user_string: to, scene: 'register' })
  const code = await codeFor(app.origin, to)
  const { page, office } = await atBackOffice('olga', '/')
  await page.goto(`${app.origin}/console/#/outbox`)
  await stands(office, 'messages')
  await office.getByRole('searchbox').fill('read-me')
  await expect.poll(() => office.locator('tbody tr').count()).toBe(1)
  await office.locator('tbody button').focus()
  await page.keyboard.press('Enter')
  const sheet = office.getByRole('dialog')
  await sheet.getByRole('textbox').fill('The customer called')
  await sheet.getByRole('button', { name: 'Read' }).click()
  await sheet.getByText(to, { exact: true }).waitFor()
  await sheet.getByText(code, { exact: true }).waitFor()
  await page.goto(`${app.origin}/console/#/back-office/audit`)
  await office.getByText('Message opened').waitFor()
  await office.getByText('code:register: The customer called').waitFor()
})

test('an operator is invited, gets another role and is frozen, and the log of publishing shows it in words', async () => {
  const { page, office } = await atBackOffice('ida', '/')
  await page.goto(`${app.origin}/console/#/operators`)
  await stands(office, 'operators')
  await office.getByRole('button', { name: 'Invite' }).click()
  await stands(office, 'operator_new')
  await office.getByRole('textbox', { name: 'Name' }).fill('new hand')
  await office.getByRole('checkbox', { name: 'Editor' }).check()
  await office.getByRole('button', { name: 'Make the link' }).click()
  await expect.poll(() => office.locator('[data-node="box"]').innerText()).toContain('/console/#/setup/')
  await office.getByRole('button', { name: 'Operators' }).click()
  await office.getByRole('searchbox').fill('new h')
  await expect.poll(() => office.locator('tbody tr').allInnerTexts()).toEqual([expect.stringContaining('Viewer, Editor')])
  await office.locator('tbody button').click()
  await stands(office, 'operator')
  await office.getByRole('checkbox', { name: 'Approver' }).check()
  await office.getByRole('button', { name: 'Save roles' }).click()
  await expectToast(office, 'The roles of new hand are changed.')
  await office.getByRole('button', { name: 'Freeze' }).click()
  await office.getByRole('alertdialog').getByRole('button', { name: 'Freeze' }).click()
  await expectToast(office, 'new hand is frozen.')

  // An address of the former page of the console keeps its filter.
  await page.goto(`${app.origin}/console/#/audit?subject=new+hand&kind=operator`)
  await stands(office, 'console_audit')
  await expect
    .poll(() => office.locator('tbody td:nth-child(3)').allInnerTexts())
    .toEqual(['Operator frozen', 'Roles changed', 'Operator invited'])
  await office.locator('tbody button').nth(1).click()
  await stands(office, 'console_row')
  await expect.poll(() => office.locator('del').innerText()).toContain('Viewer, Editor')
  expect(await office.locator('ins').innerText()).toContain('Viewer, Editor, Approver')
  await page.goBack()
  await office.getByRole('button', { name: 'Clear filters' }).click()
  await expect.poll(() => page.url()).toMatch(/\/console_audit$/)
  await expect.poll(() => office.locator('tbody tr').count()).toBeGreaterThan(3)
  const file = page.waitForEvent('download')
  await office.getByRole('button', { name: 'Download CSV' }).click()
  expect((await file).suggestedFilename()).toBe('audit.csv')
})

test('other trading hours are proposed with the days that they give in view, and count once another administrator has agreed', {
  tags: 'full',
}, async () => {
  const { office } = await atBackOffice('hana', '/hours?group=metal')
  await stands(office, 'hours')
  await office.getByText('This group is traded at all times.', { exact: true }).waitFor()
  const date = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
  const type = (label: string, text: string) => office.getByLabel(label, { exact: true }).fill(text)
  await type('Time zone', 'UTC')
  await type('Sessions', '1-7 09:30-16:00')
  await office.getByRole('button', { name: 'Add a day' }).click()
  const day = office.locator('li[aria-label="Day 1"]')
  const fill = (label: string, text: string) => day.getByLabel(label).fill(text)
  await fill('Date', date)
  await fill('Opens', '03:00')
  await fill('Closes', '09:00')
  await office.getByText('closes before the usual opening').waitFor()
  await fill('Opens', '09:30')
  await fill('Closes', '13:00')
  const early = (frame: FrameLocator) => frame.getByRole('row').filter({ hasText: date }).filter({ hasText: '09:30–13:00' }).first()
  await early(office).waitFor()
  await office.getByRole('button', { name: 'Propose' }).click()
  await office.getByRole('alertdialog').getByRole('button', { name: 'Propose' }).click()
  await office.getByText('You proposed it.').waitFor()
  await office.getByText('This group is traded at all times.', { exact: true }).waitFor()

  const other = await atBackOffice('ivo', '/')
  await other.office.getByText('A change of trading hours waits').click()
  await stands(other.office, 'hours')
  await early(other.office).waitFor()
  await other.office.getByRole('button', { name: 'Agree' }).click()
  await other.office.getByRole('alertdialog').getByRole('button', { name: 'Agree' }).click()
  await other.office.getByText('Agreed. These hours count from now on.').waitFor()
  await other.office.getByText('hana, ivo').first().waitFor()
  await early(other.office).waitFor()
})

test('open pages show what other operators change, as it changes', async () => {
  const walt = await operator(app.origin, 'walt', ['administrator'])
  const { page, office } = await atBackOffice('vera', '/instrument?product=contract&symbol=DOGEUSDT')
  await stands(office, 'instrument')
  await office.getByText('Terms in force').waitFor()
  // A halt is of every product.
  await calls(app.origin, walt, 'office.halt', { product: 'option', symbol: 'DOGEUSDT', reason: 'Prices are being checked.' })
  await office.getByText('Prices are being checked.').waitFor()
  await office.getByRole('button', { name: 'Resume trading' }).waitFor()
  await calls(app.origin, walt, 'office.termsSave', { product: 'contract', key: 'DOGEUSDT', fee_rate: '0.07' })
  await office.getByText('A change waits for a second administrator').click()
  await stands(office, 'term')
  await office.getByRole('button', { name: 'Agree' }).waitFor()

  await page.goto(`${app.origin}/console/#/back-office/hours?group=index`)
  await stands(office, 'hours')
  await office.getByRole('button', { name: 'Propose' }).waitFor()
  await calls(app.origin, walt, 'office.calendarSave', { group: 'index', zone: 'UTC', sessions: '1-5 08:00-16:30', holidays: '', days: '' })
  await office.getByText('1-5 08:00-16:30').first().waitFor()
  await office.getByRole('button', { name: 'Agree' }).waitFor()
  await page.goto(`${app.origin}/console/#/back-office/offers`)
  await stands(office, 'offers')
  const offer = { coin: 'BTC', side: 'buy', price: '51234', amount_min: '0.1', amount_max: '1', whole: '5' }
  expect(await office.getByText('51,234 USDT').count()).toBe(0)
  await calls(app.origin, walt, 'office.otcOfferSave', offer)
  await office.getByRole('row').filter({ hasText: '51,234 USDT' }).filter({ hasText: 'Proposed' }).waitFor()
})

/** Pages, and the one behind the first row of it; half of them by day, half by night. */
const looks = [
  [
    'dark',
    phone,
    [
      '/',
      '/withdrawals?status=all>withdrawal',
      '/customers>customer',
      '/settings',
      '/hours',
      '/offers',
      '/messages',
      '/operators>operator',
    ],
  ],
  [
    'light',
    desktop,
    [
      '/',
      '/recharges?status=all>recharge',
      '/verifications?status=all>verification',
      '/audit',
      '/instruments',
      '/exposure',
      '/console_audit>console_row',
      '/operator_new',
    ],
  ],
] as const

test.each(looks)('no page of the back office has a serious finding, %s', { tags: 'full' }, async (colorScheme, viewport, places) => {
  const { page, office } = await atBackOffice(`look-${colorScheme}`, '/', { colorScheme, viewport: viewport as typeof phone })
  const found: string[] = []
  const look = async (screen: string) => {
    await stands(office, screen)
    await office.locator('[data-shape]').first().waitFor({ state: 'detached' })
    found.push(...(await findings(page)).map((text) => `${screen}: ${text}`))
    const below = await office.locator('.app').evaluate((ground: HTMLElement) => ground.scrollHeight - ground.offsetHeight)
    if (below > 0) found.push(`${screen}: ${below} px stand below the ground of the page`)
  }
  for (const place of places) {
    const [address = '', behind] = place.split('>')
    await page.goto(`${app.origin}/console/#/back-office${address}`)
    await look(/\w+/.exec(address)?.[0] ?? 'start')
    if (behind === undefined) continue
    await office.locator('tbody button').first().click()
    await look(behind)
  }
  expect(found).toEqual([])
})
