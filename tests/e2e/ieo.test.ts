import { expect, test } from 'vitest'
import { timeText } from '#contract/rules/term.rules.ts'
import { aidsOf } from '#tests/support/browser/aids.ts'
import { findings } from '#tests/support/browser/axe.ts'
import { stands, useBrowser } from '#tests/support/browser/browser.ts'
import { node, travel, windows } from '#tests/support/browser/journey.ts'
import { expectToast } from '#tests/support/browser/messages.ts'
import { isFull } from '#tests/support/house/sizes.ts'
import { atBackOffice, operator } from '#tests/support/people/operators.ts'
import { type Person, person } from '#tests/support/people/people.ts'
import { useOwnApp } from '#tests/support/servers/app.ts'

// Of its own, because its clock is moved over days and never set back.
const app = useOwnApp({ FEED: 'manual' })
const { visit } = useBrowser()
const { api, aid } = aidsOf(app)
const dayMs = 86_400_000

/** A moment of a test: later than all that the tests before have moved the clock to. */
let moments = 0
async function later(): Promise<number> {
  const now = Math.ceil(Date.now() / 60_000) * 60_000 + moments++ * 100 * dayMs
  await aid('clock', { now: String(now) })
  return now
}
async function customer(nickname: string, usdt: string): Promise<Person> {
  const who = await person(app.origin, { nickname })
  await aid('credit', { user: String(who.uid), currency: 'USDT', amount: usdt })
  return who
}
/** A thousand tokens at 0.5 for a day, locked for two days in two parts: one administrator has proposed it, and another agreed. */
async function makeSale(token: string, now: number): Promise<string> {
  const [rita, chief] = [
    await operator(app.origin, 'ieo-rita', ['administrator']),
    await operator(app.origin, 'ieo-chief', ['administrator']),
  ]
  const typed = {
    product: 'ieo',
    token,
    token_name: `Token ${token}`,
    issue_price: '0.5',
    issue_total: '1000',
    issue_step: '1',
    issue_least: '10',
    issue_limit: '1000',
    pay_coins: 'USDT',
    starts_at: timeText(now),
    ends_at: timeText(now + dayMs),
    lists_at: timeText(now + dayMs),
    market: 'BTCUSDT',
    lock_days: '2',
    releases: '2',
    risk: '4',
  }
  const made = await atBackOffice<{ key: string; proposal: { id: number } }>(app.origin, rita, 'office.termsSave', typed)
  await atBackOffice(app.origin, chief, 'office.proposalAgree', { id: String(made.proposal.id) })
  return made.key
}
/** Two administrators agree to who gets what, as the preview shows it. */
async function allocate(id: string): Promise<void> {
  const [rita, chief] = [
    await operator(app.origin, 'ieo-rita', ['administrator']),
    await operator(app.origin, 'ieo-chief', ['administrator']),
  ]
  interface Preview {
    digest: string
    proposal: { id: number } | null
  }
  const { digest } = await atBackOffice<Preview>(app.origin, rita, 'office.ieoAllocation', { id })
  await atBackOffice(app.origin, rita, 'office.ieoAllocate', { id, digest })
  const { proposal } = await atBackOffice<Preview>(app.origin, chief, 'office.ieoAllocation', { id })
  await atBackOffice(app.origin, chief, 'office.proposalAgree', { id: String(proposal!.id) })
}

/* Ann applies for 900 and Ben for 1,000 of 1,000 tokens: Ann gets 473 for 236.5 of her 450 USDT. */
test.for(windows)(
  'a customer applies for tokens, raises the amount, and gets tokens and the rest back, %s',
  async ([, viewport], { task }) => {
    const now = await later()
    const token = task.name.includes('phone') ? 'PHON' : `DESK${moments}`
    const id = await makeSale(token, now)
    const [ann, ben] = [await customer('Ann', '500'), await customer('Ben', '500')]
    await api(ben, 'ieo.order', { project_id: id, amount: '1000', pay_currency: 'USDT', price: '0.5' })
    await using journey = await travel(visit, { target: app.origin, who: ann, viewport, path: '', screen: 'home.home' })
    const { page, confirm, go } = journey
    const seen: string[] = []
    const look = async (place: string) => void seen.push(...(await findings(page)).map((one) => `${place}: ${one}`))

    await node(page, 'entries').locator('button[aria-expanded="false"]').click()
    await node(page, 'entries').locator('a[href="#/pages/ieo/ieo"]').click()
    await stands(page, 'ieo.ieo')
    const project = node(page, 'project').and(page.locator(`[data-key="${id}"]`))
    await project.filter({ hasText: `Token ${token}` }).waitFor()
    for (const words of ['In progress', '100.00% applied for', '2 days']) await expect.poll(() => project.innerText()).toContain(words)
    await look('list')
    await project.click()
    await stands(page, 'ieo.subscribe')
    const deal = node(page, 'deal')
    await deal.filter({ hasText: 'Risk level 4 of 5' }).waitFor()
    const press = node(page, 'form').locator('button[type=submit]')
    await press.waitFor()

    // More than the balance pays for is stopped here, in words, and the typed amount stays.
    await page.locator('[name=amount]').fill('1000')
    await deal.filter({ hasText: `500 ${token}` }).waitFor()
    await page.locator('[name=amount]').fill('900')
    await deal.filter({ hasText: '450 USDT' }).waitFor()
    await deal.filter({ hasText: `473 ${token}` }).waitFor()
    await look('subscribe')
    const first = await confirm(press, '/project/order')
    for (const words of [`Apply for 900 ${token}?`, '450 USDT', `473 ${token}`, '0.5 USDT']) expect(first.said).toContain(words)
    expect(first.sent).toMatchObject({ project_id: id, amount: '900', pay_currency: 'USDT', price: '0.5', rate: '1', terms_version: '1' })
    await expectToast(page, 'Your application stands')
    await stands(page, 'ieo.order')
    await node(page, 'facts').filter({ hasText: '450 USDT' }).waitFor()
    await look('applied')

    // The position can be changed until the end: another amount sets it.
    await go(`pages/ieo/subscribe?id=${id}`, 'ieo.subscribe')
    await node(page, 'mine')
      .filter({ hasText: `900 ${token}` })
      .waitFor()
    await page.locator('[name=amount]').fill('1100')
    await press.click()
    await node(page, 'form').getByText(`At most 1,000 ${token}`).waitFor()
    await page.locator('[name=amount]').fill('800')
    const second = await confirm(press, '/project/order')
    expect(second.said).toContain('400 USDT')
    await stands(page, 'ieo.order')
    await api(ann, 'ieo.order', { project_id: id, amount: '900', pay_currency: 'USDT', price: '0.5' })

    await go('', 'home.home')
    await aid('clock', { now: String(now + dayMs) })
    await allocate(id)
    await expectToast(page, `Token ${token}: you get 473 ${token}.`)
    await node(page, 'to-notices').click()
    await node(page, 'notice')
      .filter({ hasText: `473 ${token}` })
      .click()
    await stands(page, 'ieo.order')
    for (const words of [`473 ${token}`, '236.5 USDT', '213.5 USDT']) await node(page, 'result').filter({ hasText: words }).waitFor()
    await expect.poll(() => node(page, 'release').count()).toBe(2)
    // Open: near the end of the sheet one button leaves 8 px of another free.
    if (isFull) await look('allocated')

    await aid('clock', { now: String(now + 4 * dayMs) })
    await node(page, 'facts').filter({ hasText: 'Unlocked' }).waitFor({ timeout: 20_000 })
    await node(page, 'release').filter({ hasText: 'Credited' }).nth(1).waitFor()
    expect(seen).toEqual([])
  },
)
