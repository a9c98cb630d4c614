import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { atLeast, atMost, type Bar, median, option, report, reported, short, spread, text } from '#bench/bars.ts'
import { newDataDir, projectRoot, type Running, removeDir, run, startProduct } from '#bench/product.ts'
import type { Recorded } from '#bench/server/bare.ts'
import { createPoster, type Poster } from '#bench/server/poster.ts'
import { type BenchPostgres, startPostgres } from '#bench/server/postgres.ts'
import { cpuSeconds } from '#bench/server/rounds.ts'

/**
 * Orders of many customers through the built server, each accepted and committed before its client sends the next: as fast as it goes, and at half
 * of the rate that is wanted, when an order comes whether or not those before it are answered. In turns with them the same clients send forms to
 * bare Express, which answers them and does nothing else, so that machines can be compared. `-- [--engine=pglite --product=contract --clients=64
 * --seconds=4 --rounds=3]`
 */
const clients = option('clients', 64)
const isAsked = (name: 'engine' | 'product', value: string) => [undefined, value].includes(text(name))
const rateWanted = { pglite: 700, postgres: 2_000 } as const
const p99Max = 60

interface Trader {
  token: string
  turn: number
  /** The contract that the next order closes. */
  position?: number | undefined
}
interface Product {
  name: string
  /** Account, number of the currency and amount of what a trader begins with. */
  credits: readonly (readonly [string, string, string])[]
  order: (api: Poster, one: Trader) => Promise<void>
}
const signed = (one: Trader) => ({ authorization: one.token, 'idempotency-key': randomUUID() })

/** Prices that meet now and then, so that a third of the orders fill; what stands is cancelled from time to time, so that books stay of one size. */
const spot: Product = {
  name: 'spot',
  credits: [
    ['change', '3', '100000000'],
    ['change', '1', '10000'],
  ],
  async order(api, one) {
    const turn = one.turn++
    const away = turn % 3 === 0 ? 0 : 1 + (turn % 200)
    const [type, price] = turn % 2 === 0 ? ['buy', 50_000 - away] : ['sell', 50_000 + away]
    const fields = { currency_id: '1', legal_id: '3', tradeType: 'limit', type, amount: '0.001', target_price: String(price) }
    await api.post('/api/c2c/trade', fields, signed(one))
    if (turn % 100 === 99) await api.post('/api/c2c/cancelAll', {}, signed(one))
  },
}
/** Opened at the market, and closed by the next order, so that nobody has ever more positions. */
const contracts: Product = {
  name: 'contract',
  credits: [['lever', '3', '1000000000']],
  async order(api, one) {
    const { position } = one
    one.position = undefined
    if (position !== undefined) return void (await api.post('/api/lever/close', { id: String(position) }, signed(one)))
    const fields = { match_id: 'BTCUSDT', side: 'long', lots: '1', multiple: '20', target_profit_price: '60000', stop_loss_price: '40000' }
    one.position = (await api.post<{ id: number }>('/api/lever/orderOpen', fields, signed(one))).id
  },
}

/** They last longer than the measurement: opening is measured, not settling. */
const options: Product = {
  name: 'option',
  credits: [['micro', '3', '1000000000']],
  async order(api, one) {
    const type = one.turn++ % 2 === 0 ? 'up' : 'down'
    await api.post('/api/mic/orderOpen', { match_id: 'BTCUSDT', currency_id: '3', type, seconds: '120', number: '50' }, signed(one))
  },
}

const tick = (api: Poster) => api.post('/test/tick', { symbol: 'BTCUSDT', price: '50000' })
async function tradersOf(api: Poster, { credits }: Product): Promise<Trader[]> {
  const made: Trader[] = []
  for (let n = 0; n < clients; n++) {
    const { uid, token } = await api.post<{ uid: number; token: string }>('/test/user', {})
    for (const [account, currency, amount] of credits) await api.post('/test/credit', { user: String(uid), account, currency, amount })
    made.push({ token, turn: n })
  }
  return made
}
const p99Of = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN

/** @returns orders a second, and ms that the slowest hundredth takes */
async function asFastAsItGoes(send: (one: Trader) => Promise<void>, traders: readonly Trader[], seconds: number) {
  const from = performance.now()
  const times: number[] = []
  const client = async (one: Trader) => {
    while (performance.now() < from + seconds * 1_000) {
      const began = performance.now()
      await send(one)
      times.push(performance.now() - began)
    }
  }
  await Promise.all(traders.map(client))
  return { count: times.length, rate: (times.length * 1_000) / (performance.now() - from), p99: p99Of(times) }
}

/** The time of an order counts from when it was due. @returns ms that the slowest hundredth takes */
async function atRate(send: (one: Trader) => Promise<void>, traders: readonly Trader[], seconds: number, rate: number): Promise<number> {
  const free = [...traders]
  const due: number[] = []
  const times: number[] = []
  const sent: Promise<void>[] = []
  const next = () => {
    if (!due.length || !free.length) return
    const [began, one] = [due.shift()!, free.pop()!]
    const done = () => {
      times.push(performance.now() - began)
      free.push(one)
      next()
    }
    sent.push(send(one).then(done))
  }
  const from = performance.now()
  for (let n = 0; n < rate * seconds; ) {
    for (; n < rate * seconds && performance.now() >= from + (n * 1_000) / rate; n++) {
      due.push(from + (n * 1_000) / rate)
      next()
    }
    await sleep(1)
  }
  while (times.length < rate * seconds) await Promise.all(sent.splice(0).concat(sleep(1)))
  return p99Of(times)
}

const barePath = '/order'
async function startBare(dir: string): Promise<Running> {
  const file = join(dir, 'bare.json')
  const body = JSON.stringify({ data: { id: 1, status: 'open', amount: '0.001', filled: '0', target_price: '50000' } })
  const headers = { 'content-type': 'application/json', 'content-length': String(body.length) }
  const recorded: Recorded[] = [{ path: barePath, headers, body: Buffer.from(body).toString('base64'), etag: undefined }]
  writeFileSync(file, JSON.stringify(recorded))
  return run(['--import', 'tsx', join(projectRoot, 'bench/server/bare.ts'), file], {})
}

async function measured(postgres: BenchPostgres | undefined): Promise<Bar[]> {
  const [engine, wantedRate] = postgres ? ['PostgreSQL', rateWanted.postgres] : ['embedded database', rateWanted.pglite]
  const env: Record<string, string> = postgres ? { DATABASE_URL: postgres.url } : {}
  const found: Bar[] = []
  const dir = newDataDir()
  const running: Running = await startProduct(dir, { TEST_HOOKS: '1', FEED: 'manual', ...env })
  const api = createPoster(running.origin)
  const bare = await startBare(dir)
  const bareApi = createPoster(bare.origin)
  const sendBare = async (one: Trader) => {
    const fields = { currency_id: '1', legal_id: '3', tradeType: 'limit', type: 'buy', amount: '0.001', target_price: '50000' }
    await bareApi.post(barePath, fields, signed(one))
  }
  await tick(api)
  // Contracts are refused at a price that is older than ten seconds.
  const ticking = setInterval(() => tick(api).catch(() => {}), 1_000)
  try {
    for (const product of [spot, contracts, options].filter(({ name }) => isAsked('product', name))) {
      const traders = await tradersOf(api, product)
      const send = (one: Trader) => product.order(api, one)
      await asFastAsItGoes(send, traders, 2)
      await postgres?.analyze()
      await asFastAsItGoes(sendBare, traders, 1)
      const [rates, tails, cpu, half]: [number[], number[], number[], number[]] = [[], [], [], []]
      const [toBare, ownHalf]: [number[], number[]] = [[], []]
      for (let round = 0; round < option('rounds', 3); round++) {
        const before = cpuSeconds(running.pid)
        const { rate, p99, count } = await asFastAsItGoes(send, traders, option('seconds', 4))
        cpu.push(((cpuSeconds(running.pid) - before) * 1e6) / count)
        rates.push(rate)
        tails.push(p99)
        toBare.push(rate / (await asFastAsItGoes(sendBare, traders, option('seconds', 4))).rate)
        half.push(await atRate(send, traders, option('seconds', 4), wantedRate / 2))
        ownHalf.push(await atRate(send, traders, option('seconds', 4), Math.round(rate / 2)))
      }
      const more = `${spread(rates)}, ${short(median(cpu))} µs CPU of the server each`
      found.push(
        atLeast(`${product.name} orders committed a second, ${engine}, ${clients} clients`, median(rates), wantedRate, '', more),
        reported(`${product.name} orders to forms that bare Express answers, ${engine}`, spread(toBare, ' ×')),
        reported(`one of them, p99, ${engine}`, spread(tails, ' ms')),
        atMost(`${product.name} orders at ${wantedRate / 2} a second, p99, ${engine}`, median(half), p99Max, ' ms', spread(half)),
        reported(`${product.name} orders at half of the rate that was reached, p99, ${engine}`, spread(ownHalf, ' ms')),
      )
    }
  } finally {
    clearInterval(ticking)
    api.close()
    bareApi.close()
    await Promise.all([running.stop(), bare.stop()])
    removeDir(dir)
  }
  return found
}

const bars: Bar[] = []
if (isAsked('engine', 'pglite')) bars.push(...(await measured(undefined)))
if (isAsked('engine', 'postgres')) {
  const postgres = await startPostgres()
  if (postgres) {
    try {
      bars.push(...(await measured(postgres)))
    } finally {
      await postgres.stop()
    }
  } else bars.push(reported('orders, PostgreSQL', 'not measured: there is no PostgreSQL'))
}
report('orders', bars, 'npm run bench:trading')
