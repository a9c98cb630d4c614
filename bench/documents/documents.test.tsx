import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { answer, choose, fill, nodeOf, playFlow, press, settled } from '#bench/documents/player.ts'
import { flowOf, openStage, type Stage } from '#bench/documents/stage.tsx'

const now = Date.UTC(2026, 5, 1)
let stage: Stage
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.useFakeTimers({ now })
  stage = openStage()
})
afterEach(() => {
  stage.close()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Opens a screen with the answers of a flow, and with other answers of one call. */
async function open(path: string, flow: string, data: Record<string, unknown> = {}) {
  for (const [call, laid] of Object.entries(flowOf(flow).answers ?? {}))
    stage.given.set(
      call,
      'data' in laid && call === 'wallet.getWithdrawInfo' ? { data: { ...(laid.data as object), ...data } as never } : laid,
    )
  stage.as({ customer: { kyc: 1 } })
  stage.open(path, path.endsWith('withdraw') ? { currency_id: '3' } : {})
  await settled()
}
const made = (call: string) => stage.made.filter(({ name }) => name === call)
const textOf = (node: string) => nodeOf(node)?.textContent ?? ''
const heldBy = (node: string) => nodeOf(node)?.querySelector<HTMLInputElement>('select, input')?.value
const screen = () => document.querySelector('[data-screen]')?.getAttribute('data-screen')
const retry = () => document.querySelector<HTMLButtonElement>('[role=alert] button')

async function enterWithdrawal(amount = '100') {
  fill('address_id', 'My wallet')
  fill('amount', amount)
  fill('pay_password', '246813579')
  fill('code', '123456')
  await settled()
}
async function send(agreed = true) {
  press('form')
  await settled()
  answer(agreed)
  await settled()
}

test.each([
  ...['fund-withdraw', 'fund-withdraw-bank', 'fund-withdraw-sent', 'fund-withdraw-closed', 'fund-withdraw-channel'],
  ...['exchange', 'exchange-refused', 'exchange-no-rate', 'security', 'security-hold'],
])('the flow %s passes on the handwritten screen', async (name) => {
  expect(await playFlow(stage, flowOf(name))).toBeUndefined()
})

test('the player finds missing behaviour of a handwritten screen', async () => {
  const flow = flowOf('security')
  const steps = [...flow.steps, { expect: { screen: 'setting.security' } }]
  expect(await playFlow(stage, { ...flow, steps })).toMatch(/^12\. .*the screen is setting\.sessions$/)
})

describe('a withdrawal', () => {
  beforeEach(() => open('pages/fund/withdraw', 'fund-withdraw'))

  test('a refused code is shown at its field; the next one is sent under another key', async () => {
    await enterWithdrawal()
    stage.given.set('wallet.withdraw', { problem: 'code_wrong' })
    await send()
    expect(textOf('code')).toContain('The verification code is incorrect')
    expect(textOf('pay_password')).not.toContain('The verification code is incorrect')
    fill('code', '654321')
    stage.given.delete('wallet.withdraw')
    await send()
    const [first, second] = made('wallet.withdraw')
    expect([first?.args.code, second?.args.code]).toEqual(['123456', '654321'])
    expect(first?.key).toMatch(/^[\da-f-]{36}$/)
    expect(second?.key).not.toBe(first?.key)
    expect(screen()).toBe('fund.receive_withdraw_record')
  })

  test('pressing twice prompts and sends once; a refused prompt sends nothing', async () => {
    await enterWithdrawal()
    await send(false)
    expect(made('wallet.withdraw')).toEqual([])
    press('form')
    press('form')
    await settled()
    press('form')
    answer(true)
    await settled()
    expect(made('wallet.withdraw')).toHaveLength(1)
    expect(document.querySelector('.prompt')).toBeNull()
  })

  test('after a lost answer the same values are sent under the same key', async () => {
    await enterWithdrawal()
    stage.given.set('wallet.withdraw', { problem: 'busy' })
    await send()
    await send()
    fill('amount', '90')
    await send()
    const keys = made('wallet.withdraw').map(({ key }) => key)
    expect(keys).toHaveLength(3)
    expect(keys[1]).toBe(keys[0])
    expect(keys[2]).not.toBe(keys[0])
  })

  test('a confirmation after two minutes is refused', async () => {
    await enterWithdrawal()
    press('form')
    await settled()
    vi.setSystemTime(Date.now() + 120_001)
    answer(true)
    await settled()
    expect(made('wallet.withdraw')).toEqual([])
    expect(stage.toasts).toEqual(['The price is out of date. Try again.'])
  })

  test('entered values are restored later, secrets are not; sent values are removed', async () => {
    await enterWithdrawal('77')
    await open('pages/fund/withdraw', 'fund-withdraw')
    expect(['address_id', 'amount', 'pay_password', 'code'].map(heldBy)).toEqual(['5', '77', '', ''])
    await enterWithdrawal('77')
    await send()
    expect(made('wallet.withdraw')).toHaveLength(1)
    await open('pages/fund/withdraw', 'fund-withdraw')
    expect(['address_id', 'amount'].map(heldBy)).toEqual(['', ''])
  })

  test('an ended session redirects to the login', async () => {
    await enterWithdrawal()
    stage.given.set('wallet.withdraw', { problem: 'unauthorized' })
    await send()
    expect(screen()).toBe('common.login')
  })

  test('a push of the server loads the balance again', async () => {
    const before = made('wallet.getWithdrawInfo').length
    const laid = flowOf('fund-withdraw').answers?.['wallet.getWithdrawInfo'] as { data: object }
    stage.given.set('wallet.getWithdrawInfo', { data: { ...laid.data, available: '1234' } })
    await stage.push('orders')
    await settled()
    expect(made('wallet.getWithdrawInfo')).toHaveLength(before)
    await stage.push('balance')
    await settled()
    expect(textOf('facts')).toContain('1,234 USDT')
  })

  test('fields of another channel are neither shown, validated, nor sent', async () => {
    await open('pages/fund/withdraw', 'fund-withdraw', { card: 'Bank **** 1234', channel: 'bank' })
    await enterWithdrawal('50')
    choose('channels', 'Bank')
    await settled()
    expect(nodeOf('address_id')).toBeNull()
    await send()
    expect(made('wallet.withdraw')[0]?.args).toMatchObject({ channel: 'bank', amount: '50', fee: '1.05' })
    expect(made('wallet.withdraw')[0]?.args).not.toHaveProperty('address_id')
    expect(made('wallet.withdraw')[0]?.args).not.toHaveProperty('totp')
  })
})

test('when a hold has ended the form opens by itself', async () => {
  await open('pages/fund/withdraw', 'fund-withdraw', { hold_until: now + 5_000 })
  expect([nodeOf('held-left') !== null, nodeOf('form') === null]).toEqual([true, true])
  stage.given.set('wallet.getWithdrawInfo', flowOf('fund-withdraw').answers?.['wallet.getWithdrawInfo'] as { data: null })
  await settled(6_000)
  expect([nodeOf('held-left') === null, nodeOf('form') !== null]).toEqual([true, true])
})

test.each([
  ['pages/fund/withdraw', 'fund-withdraw', 'wallet.getWithdrawInfo', 'form'],
  ['pages/fund/exchange', 'exchange', 'wallet.getSymbolList', 'form'],
  ['pages/setting/security', 'security', 'user.info', 'pay'],
])('%s shows that its data could not be loaded, and retries on request', async (path, flow, call, node) => {
  const data = { ...(flowOf(flow).answers?.[call] ?? { data: {} }) }
  stage.given.set(call, { problem: 'not_found' })
  stage.open(path, { currency_id: '3' })
  await settled()
  expect([nodeOf(node), retry() !== null]).toEqual([null, true])
  await open(path, flow)
  stage.given.set(call, data)
  retry()?.click()
  await settled()
  expect([nodeOf(node) !== null, retry()]).toEqual([true, null])
})

describe('an exchange', () => {
  beforeEach(() => open('pages/fund/exchange', 'exchange'))

  test('no rate is requested for two equal currencies, and one after quick changes', async () => {
    fill('amount', '100')
    const before = made('wallet.getExchangeRate').length
    fill('to', 'USDT')
    await settled()
    expect([made('wallet.getExchangeRate').length, nodeOf('facts')]).toEqual([before, null])
    fill('from', 'BTC')
    press('to')
    press('to')
    await settled()
    expect(made('wallet.getExchangeRate').slice(before)).toHaveLength(1)
  })

  test('a skeleton is shown until the first answer; while the next one loads, the last one is marked as stale', async () => {
    const marks = () => [document.querySelector('[data-skeleton]') !== null, nodeOf('ring')?.parentElement?.hasAttribute('data-stale')]
    expect(marks()).toEqual([false, false])
    press('to')
    expect(marks()).toEqual([false, true])
    await settled()
    stage.rules.state = 'loading'
    stage.given.delete('wallet.getSymbolList')
    stage.queries.clear()
    stage.open('pages/fund/exchange')
    await settled()
    expect(marks()).toEqual([true, undefined])
  })

  test('a rate is requested again after its ten seconds', async () => {
    const before = made('wallet.getExchangeRate').length
    await settled(8_000)
    expect(made('wallet.getExchangeRate')).toHaveLength(before)
    await settled(3_000)
    expect(made('wallet.getExchangeRate')).toHaveLength(before + 1)
  })

  test('an insufficient balance is shown at the amount, and the balances are loaded again', async () => {
    fill('amount', '100')
    stage.given.set('wallet.exchange', { problem: 'insufficient_balance' })
    const before = made('wallet.getSymbolList').length
    await send()
    expect(textOf('amount')).toContain('Insufficient')
    expect(made('wallet.getSymbolList').length).toBeGreaterThan(before)
  })
})
