import type { Page } from 'playwright'
import { afterEach, describe, expect, test } from 'vitest'
import { aidsOf } from '#tests/support/browser/aids.ts'
import { useBrowser } from '#tests/support/browser/browser.ts'
import { settled, throttlePassed } from '#tests/support/browser/waits.ts'
import { atBackOffice, operator } from '#tests/support/people/operators.ts'
import { codeFor, type Person, person, profile } from '#tests/support/people/people.ts'
import { useApp } from '#tests/support/servers/app.ts'

/** Money and identity of a customer in the browser, with decisions of a reviewer. */
const app = useApp()
const { visit } = useBrowser()
const usdt = '3'
const payPassword = 'k4fund77'
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGP8z4APMOGVHbHSAEEsAROxCnMTAAAAAElFTkSuQmCC', 'base64')
const picture = { name: 'paper.png', mimeType: 'image/png', buffer: png }
const minuteMs = 60_000

const { api, aid } = aidsOf(app)
const credit = (who: Person, amount: string) => aid('credit', { user: String(who.uid), account: 'change', currency: 'USDT', amount })
/** Lets time pass on the server. */
const later = async (ms: number) => aid('clock', { now: String(Date.now() + ms) })
afterEach(() => aid('clock', {}))
const has = async (who: Person, account = 'change', currency = usdt) => {
  const { available, frozen } = await api<{ available: string; frozen: string }>(who, 'wallet.getBalance', {
    currency_id: currency,
    account,
  })
  return [Number(available), Number(frozen)]
}
const as = (who: Person, path: string, screen: string) =>
  visit({ origin: app.origin, path, screen, storageState: profile(app.origin, who.token) })
const node = (page: Page, id: string) => page.locator(`[data-node="${id}"]`)
const choose = async (page: Page, id: string, words: string) => node(page, id).getByText(words, { exact: true }).click()
const submit = (page: Page) => page.locator('button[type=submit]').last().click()
const agree = async (page: Page) => {
  const prompt = page.getByRole('alertdialog')
  await prompt.waitFor()
  const said = await prompt.innerText()
  await page.locator('.prompt-ok').click()
  return said
}
/** Sends a picture; it counts when it has arrived. */
const add = async (page: Page, field: string) => {
  const arrived = page.waitForResponse('**/api/common/upload')
  await node(page, field).locator('input[type=file]').setInputFiles(picture)
  await arrived
  await settled(page)
  await throttlePassed(page)
}
let reviewers = 0
const reviewer = () => operator(app.origin, `rita${++reviewers}`, ['reviewer'])
const waiting = async (
  rita: Awaited<ReturnType<typeof operator>>,
  call: 'office.recharges' | 'office.withdrawals' | 'office.verifications',
) => {
  const { list } = await atBackOffice<{ list: { id: number }[] }>(app.origin, rita, call)
  return String(list.at(-1)?.id)
}

describe('a customer', () => {
  test('reports a deposit, and has it after the review', async () => {
    const ann = await person(app.origin, { nickname: 'Ann', level: '1' })
    const { page, go } = await as(ann, `pages/fund/receive?currency_id=${usdt}`, 'fund.receive')
    await page.locator('[name=amount]').fill('250')
    await submit(page)
    await page.locator('[id$="voucher_1-problem"]').waitFor()
    expect(await has(ann)).toEqual([0, 0])
    await add(page, 'form-voucher_1')
    await submit(page)
    await page.waitForSelector('[data-screen="fund.receive_withdraw_record"]')
    await node(page, 'list').getByText('Under review').first().waitFor()
    expect(await has(ann)).toEqual([0, 0])

    await go('pages/fund/assets', 'fund.assets')
    const rita = await reviewer()
    await atBackOffice(app.origin, rita, 'office.rechargeApprove', { id: await waiting(rita, 'office.recharges') })
    // The open page hears of it.
    await expect.poll(() => page.locator('.app').innerText()).toContain('250.00')
    expect(await has(ann)).toEqual([250, 0])
  })

  test('verifies both levels; a rejection has a reason, and the customer submits again', async () => {
    const ben = await person(app.origin, { nickname: 'Ben', email: 'ben@test.example', mobile: '13812345001' })
    const rita = await reviewer()
    const { page, go } = await as(ben, 'pages/setting/real_mark', 'setting.real_mark')
    const level = async () => (await api<{ level: number }>(ben, 'user.getAuth')).level
    // One code each minute.
    const code = async (round: number) => {
      await later(2 * round * minuteMs)
      await api(ben, 'auth.smsMail', { scene: 'identity' })
      await page.locator('[name=email_code]').fill(await codeFor(app.origin, 'ben@test.example'))
    }
    const send = async (round: number) => {
      await page.locator('[name=name]').fill('Ben Example')
      await page.locator('[name=card_id]').fill('AB1234567')
      await code(round)
      await submit(page)
      await node(page, 'reviewing-1').waitFor()
    }
    const again = async () => {
      await page.reload()
      await page.waitForSelector('[data-screen="setting.real_mark"]')
    }
    const turn = async (title: string) => {
      await submit(page)
      await page.getByRole('heading', { name: title }).waitFor()
    }
    await send(1)
    await atBackOffice(app.origin, rita, 'office.verifyReject', {
      id: await waiting(rita, 'office.verifications'),
      reason: 'The number cannot be read',
    })
    await again()
    await node(page, 'failed-1').getByText('The number cannot be read').waitFor()
    expect(await level()).toBe(0)
    await send(2)
    await atBackOffice(app.origin, rita, 'office.verifyApprove', { id: await waiting(rita, 'office.verifications') })
    expect(await level()).toBe(1)

    await again()
    await choose(page, 'levels', 'Advanced')
    await page.locator('[name=name]').fill('Ben Example')
    await page.locator('[name=idnumber]').fill('AB1234567')
    await turn('Pictures')
    for (const side of ['front_pic', 'reverse_pic']) {
      await add(page, `advanced-${side}`)
    }
    await turn('Check and submit')
    await code(3)
    await submit(page)
    await node(page, 'reviewing-2').waitFor()
    await atBackOffice(app.origin, rita, 'office.verifyApprove', { id: await waiting(rita, 'office.verifications') })
    await again()
    await node(page, 'passed-2').waitFor()
    expect(await level()).toBe(2)
    await go('pages/setting/real', 'setting.real')
    await page.getByText('500 BTC').first().waitFor()
  })

  test('withdraws to an address, to a bank and to an international bank; a rejected amount is released', { tags: 'full' }, async () => {
    // A new address has to wait for a day.
    await later(-25 * 60 * minuteMs)
    const cora = await person(app.origin, { nickname: 'Cora', email: 'cora@test.example', level: '2', pay_password: payPassword })
    await credit(cora, '1000')
    await api(cora, 'auth.smsMail', { scene: 'withdraw' })
    const address = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE'
    await api(cora, 'wallet.addAddress', {
      currency_id: usdt,
      chain: 'TRC20',
      name: 'Cold box',
      address,
      qrcode: address,
      pay_password: payPassword,
      code: await codeFor(app.origin, 'cora@test.example'),
    })
    const card = {
      real_name: 'Cora Example',
      bank_account: '6222020010000000017',
      bank_name: 'First Bank',
      bank_network: 'Main',
      bank_dizhi: 'Town',
    }
    const more = { phone: '13800000001', alipay_account: '021000021', wechat_account: '1 Road, Town', swift_code: 'FBNKUS33' }
    await api(cora, 'user.cashSave', { ...card, ...more })
    await api(cora, 'user.cashSaveInternational', { ...card, ...more })
    await later(0)
    const { page, go } = await as(cora, `pages/fund/withdraw?currency_id=${usdt}`, 'fund.withdraw')
    const ways = [
      ['Address', '100'],
      ['Bank', '200'],
      ['International', '300'],
    ] as const
    let left = 1000
    for (const [channel, amount] of ways) {
      // One code each minute.
      await later(2 * (ways.findIndex(([one]) => one === channel) + 1) * minuteMs)
      await go(`pages/fund/withdraw?currency_id=${usdt}`, 'fund.withdraw')
      await choose(page, 'channels', channel)
      if (channel === 'Address') {
        await node(page, 'form-address_id').locator('[role=combobox], button').first().click()
        await page.getByText('Cold box').last().click()
      }
      await page.locator('[name=amount]').fill(amount)
      await page.locator('[name=pay_password]').fill(payPassword)
      await api(cora, 'auth.smsMail', { scene: 'withdraw' })
      await page.locator('[name=code]').fill(await codeFor(app.origin, 'cora@test.example'))
      await submit(page)
      expect(await agree(page)).toContain(`${amount} USDT`)
      await page.waitForSelector('[data-screen="fund.receive_withdraw_record"]')
      left -= Number(amount)
      expect(await has(cora)).toEqual([left, 1000 - left])
    }
    const rita = await reviewer()
    const { list } = await atBackOffice<{ list: { id: number; amount: string }[] }>(app.origin, rita, 'office.withdrawals')
    const [first, second, third] = ['100', '200', '300'].map((sum) => String(list.find(({ amount }) => Number(amount) === Number(sum))?.id))
    await atBackOffice(app.origin, rita, 'office.withdrawReject', { id: third ?? '', reason: 'The bank is not known' })
    await atBackOffice(app.origin, rita, 'office.withdrawApprove', { id: first ?? '' })
    await atBackOffice(app.origin, rita, 'office.withdrawSent', { id: first ?? '', reference: '0xabc' })
    await atBackOffice(app.origin, rita, 'office.withdrawDone', { id: first ?? '' })
    expect(await has(cora)).toEqual([700, 200])
    await page.reload()
    await node(page, 'list').getByText('Rejected').first().waitFor()
    await node(page, 'list').getByText('Completed').first().waitFor()
    await api(cora, 'wallet.cancelWithdraw', { id: second ?? '' })
    expect(await has(cora)).toEqual([900, 0])
  })

  test('gets a second prompt when the rate has expired, and the amount of that prompt', async () => {
    const dan = await person(app.origin, { nickname: 'Dan' })
    await credit(dan, '1000')
    for (const [currency, rate] of Object.entries({ USDT: '1', BTC: '50000' })) await aid('rate', { currency, rate })
    const { page, allow } = await as(dan, 'pages/fund/exchange', 'fund.exchange')
    allow(/status of 409/)
    await page.locator('[name=amount]').fill('500')
    await page.locator('[data-node="ring"]:not([aria-hidden="true"])').waitFor()
    const prompt = page.getByRole('alertdialog')
    await submit(page)
    await prompt.waitFor()
    expect(await prompt.innerText()).toContain('0.00998')
    await aid('rate', { currency: 'BTC', rate: '40000' })
    await later(15_000)
    await page.locator('.prompt-ok').click()
    await expect.poll(() => prompt.innerText()).toContain('0.012475')
    expect(await has(dan)).toEqual([1000, 0])
    await throttlePassed(page)
    await page.locator('.prompt-ok').click()
    await expect.poll(() => has(dan)).toEqual([500, 0])
    expect(await has(dan, 'change', '1')).toEqual([0.012475, 0])
    for (const currency of ['USDT', 'BTC']) await aid('rate', { currency, rate: '' })
  })

  test('transfers money between accounts, up to the balance', async () => {
    const eva = await person(app.origin, { nickname: 'Eva' })
    await credit(eva, '80')
    const { page } = await as(eva, `pages/fund/transfer?currency_id=${usdt}`, 'fund.transfer')
    await page.locator('[name=amount]').fill('80.5')
    await submit(page)
    await page.locator('[id$="amount-problem"]').waitFor()
    expect(await has(eva)).toEqual([80, 0])
    await page.locator('[name=amount]').fill('30')
    await throttlePassed(page)
    await submit(page)
    expect(await agree(page)).toContain('30')
    await expect.poll(() => has(eva)).toEqual([50, 0])
    expect(await has(eva, 'legal')).toEqual([30, 0])
  })
})
