import type { Page, WebSocketRoute } from 'playwright'
import { expect, test } from 'vitest'
import { type CallName, contract } from '#contract/contract.ts'
import { aidsOf } from '#tests/support/browser/aids.ts'
import { useBrowser } from '#tests/support/browser/browser.ts'
import { firstOf } from '#tests/support/house/sizes.ts'
import { atBackOffice, type Operator, operator } from '#tests/support/people/operators.ts'
import { codeFor, logInElsewhere, type Person, person, profile } from '#tests/support/people/people.ts'
import { useApp } from '#tests/support/servers/app.ts'

/** Pushed rows: they appear, change and disappear on an open screen, from another device or the back office, without a reload. */
const app = useApp()
const { visit } = useBrowser()
const { api } = aidsOf(app)
const usdt = '3'
const payPassword = 'k4fund77'
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGP8z4APMOGVHbHSAEEsAROxCnMTAAAAAElFTkSuQmCC', 'base64')
const node = (page: Page, id: string) => page.locator(`[data-node="${id}"]`)
const isCall = (url: string, call: CallName) => new URL(url).pathname === `/api${contract[call].path}`

/** A proxy between a page and the socket of the server. */
interface Line {
  /** From now on messages reach the page. */
  connect(): void
  /** Closes the connection and refuses new ones until `connect`. */
  cut(): void
  /** Loses the next message of a topic. */
  lose(topic: string): void
  /** How many messages of a topic the server has sent. */
  sent(topic: string): number
  /** Makes the server forget the position of the page. */
  forgetPlace(): void
}

/** Puts a line between a page and the server; messages wait until `connect`. */
async function layLine(page: Page): Promise<Line> {
  const sent: string[] = []
  let open = false
  let forgets = false
  let lost: string | undefined
  let current: WebSocketRoute | undefined
  let waiting: (() => void)[] = []
  await page.routeWebSocket(/\/ws$/, (socket) => {
    if (!open && current) return void socket.close()
    current = socket
    const server = socket.connectToServer()
    socket.onMessage((text) => {
      const { resume, ...request } = JSON.parse(String(text))
      server.send(JSON.stringify(forgets || resume === undefined ? request : { ...request, resume }))
    })
    server.onMessage((text) => {
      const { action } = JSON.parse(String(text))
      sent.push(action)
      if (action === lost) lost = undefined
      else if (open) socket.send(text)
      else waiting.push(() => socket.send(text))
    })
  })
  return {
    connect() {
      open = true
      for (const send of waiting.splice(0)) send()
    },
    cut() {
      open = false
      waiting = []
      void current?.close()
    },
    lose: (topic) => void (lost = topic),
    sent: (topic) => sent.filter((action) => action === topic).length,
    forgetPlace: () => void (forgets = true),
  }
}

/**
 * A customer on a screen with a list that is empty, and how often the list was asked for since the socket has announced where it begins.
 */
async function watching(who: Person, place: { path: string; screen: string }, call: CallName) {
  const { page } = await visit({ origin: app.origin, storageState: profile(app.origin, who.token) })
  const line = await layLine(page)
  let asked = 0
  page.on('request', (request) => {
    if (isCall(request.url(), call)) asked++
  })
  await page.goto(`${app.origin}/#/${place.path}`)
  await page.locator(`[data-screen="${place.screen}"]`).waitFor()
  await node(page, 'none').waitFor()
  await page.evaluate(() => Object.assign(window, { mark: 1 }))
  // Once the socket knows the customer, what was loaded before counts as changed.
  const loaded = page.waitForResponse((response) => isCall(response.url(), call))
  line.connect()
  await loaded
  const before = asked
  return { page, line, asked: () => asked - before, isSamePage: () => page.evaluate(() => (window as { mark?: number }).mark === 1) }
}
const records = { path: 'pages/fund/receive_withdraw_record', screen: 'fund.receive_withdraw_record' }
const row = (page: Page, amount: string) => node(page, 'record').filter({ hasText: `+${amount}` })
/** A customer reports a deposit on another device. @returns its number */
async function deposit(who: Person, amount: string): Promise<string> {
  const body = new FormData()
  body.append('purpose', 'proof')
  body.append('file', new Blob([png], { type: 'image/png' }), 'paper.png')
  const answer = await fetch(`${app.origin}/api${contract['common.upload'].path}`, {
    method: 'POST',
    headers: { authorization: who.token },
    body,
  })
  const { data } = (await answer.json()) as { data: { url: string } }
  return String((await api<{ id: number }>(who, 'wallet.recharge', { amount, currency_id: usdt, imgs: data.url })).id)
}
/** The same customer on another device. */
const elsewhere = async (who: Person): Promise<Person> => ({ ...who, token: (await logInElsewhere(app.origin, who)).token })
let reviewers = 0
const reviewer = (): Promise<Operator> => operator(app.origin, `rows${++reviewers}`, ['reviewer'])

test('a deposit appears, and is credited, in the list and in the open sheet', async () => {
  const ann = await person(app.origin, { level: '1' })
  const { page, asked, isSamePage } = await watching(ann, records, 'wallet.getRecord')
  const other = await elsewhere(ann)
  const first = await deposit(other, '120')
  await row(page, '120').getByText('Under review').waitFor()
  await deposit(other, '130')
  await row(page, '130').waitFor()
  expect(await node(page, 'record').allInnerTexts()).toEqual([expect.stringContaining('130'), expect.stringContaining('120')])

  await row(page, '120').click()
  await node(page, 'review').waitFor()
  await atBackOffice(app.origin, await reviewer(), 'office.rechargeApprove', { id: first })
  await node(page, 'review').waitFor({ state: 'detached' })
  await node(page, 'facts').getByText('Credited').waitFor()
  await row(page, '120').getByText('Credited').waitFor()
  expect(await row(page, '130').innerText()).toContain('Under review')
  // The sheet has asked for its record when it opened. Changes ask for nothing.
  expect([asked(), await isSamePage()]).toEqual([1, true])
})

test('an address saved on another device appears, and disappears when it is deleted there', { tags: 'full' }, async () => {
  const email = 'rows-address@test.example'
  const ben = await person(app.origin, { level: '1', email, pay_password: payPassword })
  const { page, asked, isSamePage } = await watching(
    ben,
    { path: 'pages/setting/wallet', screen: 'setting.wallet' },
    'wallet.getAddressList',
  )
  const other = await elsewhere(ben)
  await api(other, 'auth.smsMail', { scene: 'withdraw' })
  const address = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE'
  const { id } = await api<{ id: number }>(other, 'wallet.addAddress', {
    currency_id: usdt,
    chain: 'TRC20',
    name: 'Cold box',
    address,
    qrcode: address,
    pay_password: payPassword,
    code: await codeFor(app.origin, email),
  })
  await node(page, 'saved').filter({ hasText: 'Cold box' }).waitFor()
  await node(page, 'none').waitFor({ state: 'detached' })
  await api(other, 'wallet.delAddress', { address_id: String(id) })
  await node(page, 'none').waitFor()
  expect(await node(page, 'saved').count()).toBe(0)
  expect([asked(), await isSamePage()]).toEqual([0, true])
})

const cuts: [what: string, forgets: boolean, times: number][] = [
  ['is sent again when the server still has it', false, 0],
  ['is loaded again when the server does not', true, 1],
]
test.each(firstOf(cuts, 1))('what was missed while the socket was closed %s', async (_name, forgets, times) => {
  const cy = await person(app.origin, { level: '1' })
  const { page, line, asked, isSamePage } = await watching(cy, records, 'wallet.getRecord')
  line.cut()
  if (forgets) line.forgetPlace()
  await deposit(cy, '140')
  line.connect()
  await row(page, '140').waitFor()
  expect([asked(), await isSamePage()]).toEqual([times, true])
})

test('a lost message is detected by the number of the next one, and the list is loaded again', { tags: 'full' }, async () => {
  const dot = await person(app.origin, { level: '1' })
  const { page, line, asked, isSamePage } = await watching(dot, records, 'wallet.getRecord')
  line.lose('records')
  await deposit(dot, '150')
  await expect.poll(() => line.sent('records')).toBe(1)
  await deposit(dot, '160')
  await row(page, '160').waitFor()
  await row(page, '150').waitFor()
  expect([asked(), await isSamePage()]).toEqual([1, true])
})

test('a row of another customer is not pushed', { tags: 'full' }, async () => {
  const [eve, fay] = [await person(app.origin, { level: '1' }), await person(app.origin, { level: '1' })]
  const { page, line, asked } = await watching(eve, records, 'wallet.getRecord')
  await deposit(fay, '170')
  await deposit(eve, '180')
  await row(page, '180').waitFor()
  expect([line.sent('records'), asked(), await node(page, 'record').count()]).toEqual([1, 0, 1])
})
