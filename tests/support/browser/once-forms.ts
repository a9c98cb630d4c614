import type { Page } from 'playwright'
import type { CallName } from '#contract/contract.ts'
import { handOver } from '#flows/hand.ts'
import { aidsOf } from '#tests/support/browser/aids.ts'
import { atBackOffice, type Operator, operator } from '#tests/support/people/operators.ts'
import { codeFor, type Person } from '#tests/support/people/people.ts'
import type { App } from '#tests/support/servers/app.ts'

/** A form whose effect must happen once, whatever happens to presses and answers. */
export interface OnceForm {
  name: string
  /** The call that it sends. */
  call: CallName
  path: string
  screen: string
  /** Fields for `/test/user`. */
  who: Record<string, string>
  /** Field in which Enter is pressed. */
  field: string
  prepare?: (who: Person) => Promise<unknown>
  /** @param round 1 for the first time, 2 for the second; each fills in the whole form */
  fill: (page: Page, who: Person, round: number) => Promise<unknown>
  /** Whether it shows a prompt before it sends. */
  asks: (round: number) => boolean
  /** Number of effects, from the server. */
  effects: (who: Person) => Promise<number>
  /** Waits for the result that the customer sees afterwards. */
  after: (page: Page) => Promise<unknown>
}

const payPassword = 'k4fund77'
const password = 'seven sober sailors'
const coin = '3'
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const addresses = ['TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE', 'TJCnKsPa7y5okkXvQAidZBzqx3QyQ6sxMW']

const node = (page: Page, id: string) => page.locator(`[data-node="${id}"]`)
const fillIn = async (page: Page, entries: Record<string, string>) => {
  for (const [name, text] of Object.entries(entries)) await page.locator(`[name=${name}]`).fill(text)
}

/** The forms, on a running product. */
export function onceForms(app: App): OnceForm[] {
  let clockAheadMs = 0
  const { api, aid } = aidsOf(app)
  const rows = async (who: Person, call: CallName, fields?: Record<string, string>) =>
    (await api<{ list: unknown[] }>(who, call, fields)).list.length
  const codeOf = async ({ username }: Person, kind: string) => {
    const answer = await fetch(`${app.origin}/test/outbox?${new URLSearchParams({ to: username })}`)
    const { data } = (await answer.json()) as { data: { list: { kind: string }[] } }
    return data.list.filter((one) => one.kind === `notice:${kind}`).length
  }
  const credit = (currency: string, amount: string) => (who: Person) => aid('credit', { user: String(who.uid), currency, amount })
  const setAhead = (ms: number) => aid('clock', { now: String(Date.now() + (clockAheadMs = ms)) })
  /** One code a minute is allowed, so the clock moves between codes. */
  async function code(who: Person, round: number, scene: string): Promise<string> {
    if (round > 1) await setAhead(clockAheadMs + 2 * minuteMs)
    await api(who, 'auth.smsMail', { scene })
    return codeFor(app.origin, who.username)
  }
  /** Destinations must be a day old. */
  async function longAgo(work: () => Promise<unknown>): Promise<void> {
    const ahead = clockAheadMs
    await setAhead(ahead - dayMs - 60 * minuteMs)
    await work()
    await setAhead(ahead)
  }
  const card = { real_name: 'Cora Example', bank_account: '6222020010000000017', bank_name: 'First Bank', bank_dizhi: 'Town' }
  const home = { ...card, bank_network: 'Main', phone: '13800000001' }
  const abroad = { ...card, phone: '13800000001', alipay_account: '021000021', wechat_account: '1 Road, Town', swift_code: 'FBNKUS33' }

  const amount = (page: Page, sum: string) => page.locator('[name=amount]').fill(sum)
  const transfer = (name: string, screen: string, call: CallName): OnceForm => ({
    name,
    call,
    screen,
    path: `pages/${screen.replace('.', '/')}?currency_id=${coin}`,
    who: { level: '1' },
    field: 'amount',
    prepare: credit('USDT', '100'),
    fill: (page) => amount(page, '5'),
    asks: () => true,
    effects: (who) => rows(who, 'wallet.hzhistory'),
    after: (page) => node(page, 'move').first().waitFor(),
  })
  const withdraw = (name: string, channel: string, save: (who: Person) => Promise<unknown>): OnceForm => ({
    name: `withdraw ${name}`,
    call: 'wallet.withdraw',
    screen: 'fund.withdraw',
    path: `pages/fund/withdraw?currency_id=${coin}`,
    who: { level: '2', pay_password: payPassword },
    field: 'pay_password',
    async prepare(who) {
      await credit('USDT', '1000')(who)
      await longAgo(() => save(who))
    },
    async fill(page, who, round) {
      await node(page, 'channels').getByText(channel, { exact: true }).click()
      if (channel === 'Address') {
        await node(page, 'form-address_id').locator('[role=combobox], button').first().click()
        await page.getByText('Cold box').last().click()
      }
      await fillIn(page, { amount: '100', pay_password: payPassword, code: await code(who, round, 'withdraw') })
    },
    asks: () => true,
    effects: (who) => rows(who, 'wallet.getRecord', { type: 'withdraw' }),
    after: (page) => page.waitForSelector('[data-screen="fund.receive_withdraw_record"]'),
  })
  const bank = (name: string, screen: string, call: CallName, entries: Record<string, string>): OnceForm => ({
    name,
    call,
    screen,
    path: `pages/${screen.replace('.', '/')}`,
    who: { level: '1' },
    field: 'phone',
    async fill(page, _who, round) {
      if (round > 1) await node(page, 'replace').click()
      await fillIn(page, { ...entries, bank_account: `100002000000000002${round}` })
    },
    asks: (round) => round > 1,
    effects: (who) => codeOf(who, 'card_changed'),
    after: (page) => node(page, 'replace').waitFor(),
  })
  let rita: Promise<Operator> | undefined
  const reviewer = () => (rita ??= operator(app.origin, 'rita', ['reviewer']))
  const proofs = async ({ uid }: Person) => {
    const { list } = await atBackOffice<{ list: { id: number; uid: number }[] }>(app.origin, await reviewer(), 'office.verifications', {
      status: 'all',
    })
    return list.filter((one) => one.uid === uid)
  }

  return [
    transfer('transfer by coin', 'fund.transfer', 'wallet.transfer'),
    transfer('transfer by account', 'fund.fundTransfer', 'user.Transfer'),
    {
      name: 'exchange',
      call: 'wallet.exchange',
      screen: 'fund.exchange',
      path: 'pages/fund/exchange',
      who: { level: '1' },
      field: 'amount',
      prepare: credit('USDT', '100'),
      async fill(page) {
        await amount(page, '5')
        await page.locator('[data-node="ring"]:not([aria-hidden="true"])').waitFor()
        // The rate is good for ten seconds, in which a busy machine may not come to the answer of the question.
        await setAhead(clockAheadMs - 9_000)
      },
      asks: () => true,
      effects: (who) => rows(who, 'wallet.getWalletLog', { kind: 'exchange', currency_id: coin }),
      after: (page) => page.waitForSelector('[data-screen="fund.exchange"]'),
    },
    {
      name: 'deposit with its voucher',
      call: 'wallet.recharge',
      screen: 'fund.receive',
      path: `pages/fund/receive?currency_id=${coin}`,
      who: { level: '1' },
      field: 'amount',
      async fill(page, _who, round) {
        await handOver(node(page, 'form-voucher_1'), `voucher ${round}`)
        await amount(page, '250')
      },
      asks: () => false,
      effects: (who) => rows(who, 'wallet.getRecord', { type: 'recharge' }),
      after: (page) => page.waitForSelector('[data-screen="fund.receive_withdraw_record"]'),
    },
    bank('bank card', 'setting.bank', 'user.cashSave', home),
    bank('bank card abroad', 'setting.bank_international', 'user.cashSaveInternational', abroad),
    {
      name: 'proof of identity',
      call: 'user.real',
      screen: 'setting.real_mark',
      path: 'pages/setting/real_mark',
      field: 'card_id',
      who: { both: '1' },
      async fill(page, who, round) {
        const [last] = await proofs(who)
        if (round > 1)
          await atBackOffice(app.origin, await reviewer(), 'office.verifyReject', { id: String(last?.id), reason: 'unreadable' })
        if (round > 1) await page.reload()
        await fillIn(page, { name: 'Ben Example', card_id: 'AB1234567', email_code: await code(who, round, 'identity') })
      },
      asks: () => false,
      effects: async (who) => (await proofs(who)).length,
      after: (page) => node(page, 'reviewing-1').waitFor(),
    },
    {
      name: 'address',
      call: 'wallet.addAddress',
      screen: 'setting.addWallet',
      path: `pages/setting/addWallet?currency_id=${coin}`,
      who: { pay_password: payPassword },
      field: 'pay_password',
      async fill(page, who, round) {
        const address = addresses[round - 1] ?? ''
        await page.locator('select[name=chain]').selectOption('TRC20')
        await handOver(node(page, 'form-qrcode'), address)
        await fillIn(page, { name: `Box ${round}`, pay_password: payPassword, code: await code(who, round, 'withdraw') })
      },
      asks: () => false,
      effects: (who) => rows(who, 'wallet.getAddressList'),
      after: (page) => page.waitForSelector('[data-screen]:not([data-screen="setting.addWallet"])'),
    },
    {
      name: 'fund password',
      call: 'user.resetmpwd',
      screen: 'setting.payPassword',
      path: 'pages/setting/payPassword',
      field: 're_password',
      who: { password, pay_password: payPassword },
      async fill(page, who, round) {
        const next = `n3wfund${round}${round}`
        await fillIn(page, { newpassword: next, re_password: next, password, code: await code(who, round, 'change_pay_password') })
      },
      asks: () => false,
      effects: (who) => codeOf(who, 'pay_password_changed'),
      after: (page) => page.waitForSelector('[data-screen]:not([data-screen="setting.payPassword"])'),
    },
    withdraw('to an address', 'Address', async (who) => {
      const [address = ''] = addresses
      const asked = { currency_id: coin, chain: 'TRC20', name: 'Cold box', address, qrcode: address, pay_password: payPassword }
      await api(who, 'wallet.addAddress', { ...asked, code: await code(who, 1, 'withdraw') })
    }),
    withdraw('to a bank', 'Bank', (who) => api(who, 'user.cashSave', home)),
    withdraw('to a bank abroad', 'International', (who) => api(who, 'user.cashSaveInternational', abroad)),
  ]
}
