import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { appendFileSync, chmodSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoAccount } from '#api-server/account/demo.ts'
import { type CallOutput, type contract, contract as rows } from '#contract/contract.ts'
// @ts-expect-error plain JavaScript
import { ensureBuilt } from '#scripts/build.mjs'
import { isExplained } from '#tests/support/log-guide.ts'
import { type Product, projectRoot, type ReadOnlyProduct, startAsReadmeSays } from '#tests/support/servers/product.ts'
import { copyReadOnly } from '#tests/support/servers/read-only.ts'

/**
 * The product as README starts it: `npm start`, without test hooks, with the demonstration, its programs and the simulated prices, by a user
 * who may write its data and nothing else. Two passes of the audit go by, because a program of the demonstration once broke a promise that only a full pass looks at.
 */

/** A pass begins a minute after the one before and takes some seconds on a young ledger; the rest is for a machine that does other work. */
const auditsMs = 280_000
const warn = 40

interface LogLine {
  level: number
  msg: string
}
const linesOf = (output: string): LogLine[] =>
  output.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as LogLine] : []))

let copy: ReadOnlyProduct
beforeAll(async () => {
  await ensureBuilt(projectRoot)
  copy = copyReadOnly()
})
afterAll(() => copy.remove())

describe.each(['first start', 'second start, of the same folder'])('the %s', (start) => {
  let product: Product
  beforeAll(async () => {
    product = await startAsReadmeSays(copy)
  })
  afterAll(async () => void (await product.stop()))

  let token = ''
  async function call<N extends keyof typeof contract>(name: N, fields: Record<string, string> = {}): Promise<CallOutput<N>> {
    const { method, path } = rows[name]
    const body = new URLSearchParams(fields)
    const headers = { ...(token && { authorization: token }), ...(method === 'POST' && { 'idempotency-key': randomUUID() }) }
    const address = `${product.origin}/api${path}${method === 'GET' && body.size ? `?${body}` : ''}`
    const answer = await fetch(address, { method, headers, ...(method === 'POST' && { body }) })
    const envelope = (await answer.json()) as { code: number; data: CallOutput<N> }
    expect(envelope, `${name} of the ${start}`).toMatchObject({ code: 1 })
    return envelope.data
  }
  const get = async (path: string) => (await fetch(product.origin + path)).text()
  const metric = async (figure: string) =>
    Number(new RegExp(`^tessera_audit\\{figure="${figure}"\\} (\\d+)$`, 'm').exec(await get('/metrics'))?.[1])

  test(
    'two passes of the audit find nothing',
    async () => {
      for (let passes = 0, last = 0; passes < 2; passes++) {
        await expect.poll(() => metric('full_success'), { interval: 1_000, timeout: auditsMs }).toBeGreaterThan(last)
        last = await metric('full_success')
      }
      expect(await metric('breaches')).toBe(0)
      expect(JSON.parse(await get('/health'))).toMatchObject({ status: 'ok', ledger: 'sound', feed: 'up' })
    },
    2 * auditsMs,
  )

  test('the demo account transfers, exchanges, trades in each product, and reads all of it in the statement', async () => {
    const began = Date.now()
    token = (await call('user.login', { username: demoAccount.username, password: demoAccount.password })).token
    const { list } = await call('currency.userCurrencyList')
    const idOf = (code: string) => String(list.find(({ currency_code }) => currency_code === code)!.currency_id)
    const [usdt, btc] = [idOf('USDT'), idOf('BTC')]

    for (const to of ['lever', 'micro']) await call('wallet.transfer', { amount: '200', currency_id: usdt, from: 'change', to })
    const pair = { from_currency_id: usdt, to_currency_id: btc }
    const { quote_id } = await call('wallet.getExchangeRate', pair)
    await call('wallet.exchange', { ...pair, amount: '100', quote_id })

    const contracts = { match_id: 'BTCUSDT', side: 'long', lots: '1', multiple: '20' }
    expect(await call('lever.orderOpen', contracts)).toMatchObject({ status: 'open' })
    const stock = { match_id: 'AAPLUSDT', side: 'long', lots: '1', multiple: '1', outside_hours: 'queue' }
    expect(['open', 'entrust']).toContain((await call('lever.orderOpen', stock)).status)
    expect(await call('mic.orderOpen', { match_id: 'BTCUSDT', currency_id: usdt, type: 'up', seconds: '60', number: '20' })).toMatchObject({
      status: 'holding',
    })
    const spot = { type: 'buy', tradeType: 'market', amount: '50', currency_id: btc, legal_id: usdt }
    expect(await call('c2c.trade', spot)).toMatchObject({ status: 'filled' })
    const [offer] = (await call('otc.offers', { side: 'buy', size: '100' })).list
    expect(offer).toMatchObject({ simulated: true })
    expect(await call('otc.order', { offer_id: String(offer!.id), amount: offer!.amount_min })).toMatchObject({ status: 'reviewing' })
    const [trader] = (await call('follow.index')).list
    const following = { trader_user_id: String(trader!.trader_user_id), number: '0.1', type: 'multiple', agree_en: '1', agree_zh: '1' }
    expect(await call('follow.follow', following)).toMatchObject({ state: 'active' })
    await call('follow.cancel', { trader_user_id: following.trader_user_id })

    const statement = await call('wallet.getWalletLog', { size: '100' })
    const kinds = new Set(statement.list.filter(({ time }) => time >= began).map(({ kind }) => kind))
    expect([...kinds]).toEqual(expect.arrayContaining(['transfer', 'exchange', 'lever_open', 'option_open', 'spot_trade', 'otc_order']))
  })

  test('no line of the log is a warning that the guide does not explain', async () => {
    await product.stop()
    const lines = linesOf(product.output())
    expect(lines.some(({ msg }) => msg === 'server: stopped')).toBe(true)
    expect(lines.filter(({ level, msg }) => level >= warn && !isExplained(msg))).toEqual([])
    // npm itself may announce a newer npm.
    expect(
      product
        .errors()
        .split('\n')
        .filter((line) => line && !line.startsWith('npm ')),
    ).toEqual([])
  })

  test('it built nothing, and wrote nothing into the product', () => {
    expect(product.output()).not.toMatch(/^Building|^Installing/m)
    expect(copy.written()).toEqual([])
  })
})

test('the audit of the stopped folder holds, with all that was traded after the last pass', () => {
  const { PATH, HOME } = process.env
  const { status, stdout } = spawnSync('npm', ['run', 'audit'], {
    cwd: projectRoot,
    env: { PATH, HOME, DATA_DIR: join(copy.own, 'data') },
    encoding: 'utf8',
  })
  expect(stdout).not.toMatch(/BROKEN/)
  expect(stdout).toMatch(/^D2 {2}ok {5}each proposal of offer/m)
  expect(status).toBe(0)
})

test('a start that would have to build where it cannot write says so in a sentence', ({ skip }) => {
  skip(!copy.isKeptOut, 'root can write everywhere')
  const changed = join(copy.root, 'main.ts')
  chmodSync(changed, 0o644)
  appendFileSync(changed, '// Changed after the build.\n')
  const env = { PATH: process.env.PATH, HOME: copy.own, DATA_DIR: join(copy.own, 'data') }
  const options = { cwd: copy.root, env, encoding: 'utf8', ...copy.account } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/start.mjs'], options)
  expect(stderr).toBe(
    `dist/ holds no build of these sources, and this user cannot write there (EACCES). Run npm run build as the owner of ${copy.root}, then start again.\n`,
  )
  expect([status, stdout]).toEqual([1, ''])
})
