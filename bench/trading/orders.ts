import { randomUUID } from 'node:crypto'
import { atLeast, type Bar, median, option, report, short, spread, told, wanted } from '#bench/bars.ts'
import { newDataDir, type Running, removeDir, startProduct } from '#bench/product.ts'
import { createPoster, type Poster } from '#bench/server/poster.ts'
import { startPostgres } from '#bench/server/postgres.ts'
import { cpuSeconds } from '#bench/server/rounds.ts'

/** Spot orders of many customers through the server: accepted, matched and committed in a second. A third of them fill against each other. */
const clients = option('clients', 32)

interface Trader {
  token: string
  turn: number
}

async function tradersOf(api: Poster): Promise<Trader[]> {
  await api.post('/test/tick', { symbol: 'BTCUSDT', price: '50000' })
  const made: Trader[] = []
  for (let n = 0; n < clients; n++) {
    const { uid, token } = await api.post<{ uid: number; token: string }>('/test/user', {})
    for (const [currency, amount] of [
      ['3', '100000000'],
      ['1', '10000'],
    ] as const)
      await api.post('/test/credit', { user: String(uid), account: 'change', currency, amount })
    made.push({ token, turn: n })
  }
  return made
}

/** Prices that meet now and then, and an order that is cancelled for each that stands long, so that books stay of one size. */
async function order(api: Poster, one: Trader): Promise<void> {
  const turn = one.turn++
  const headers = { authorization: one.token, 'idempotency-key': randomUUID() }
  const isBuy = turn % 2 === 0
  const away = turn % 3 === 0 ? 0 : 1 + (turn % 200)
  const price = isBuy ? 50_000 - away : 50_000 + away
  const fields = {
    currency_id: '1',
    legal_id: '3',
    tradeType: 'limit',
    type: isBuy ? 'buy' : 'sell',
    amount: '0.001',
    target_price: String(price),
  }
  await api.post('/api/c2c/trade', fields, headers)
  if (turn % 100 === 99) await api.post('/api/c2c/cancelAll', {}, { authorization: one.token, 'idempotency-key': randomUUID() })
}

async function asFastAsItGoes(
  api: Poster,
  traders: readonly Trader[],
  seconds: number,
): Promise<{ rate: number; p99: number; count: number }> {
  const until = performance.now() + seconds * 1_000
  const from = performance.now()
  const times: number[] = []
  const client = async (one: Trader) => {
    while (performance.now() < until) {
      const began = performance.now()
      await order(api, one)
      times.push(performance.now() - began)
    }
  }
  await Promise.all(traders.map(client))
  times.sort((a, b) => a - b)
  return {
    count: times.length,
    rate: (times.length * 1_000) / (performance.now() - from),
    p99: times[Math.floor(times.length * 0.99)] ?? Number.NaN,
  }
}

async function measured(env: Record<string, string>, name: string, bar: number): Promise<Bar[]> {
  const dir = newDataDir()
  const product: Running = await startProduct(dir, { TEST_HOOKS: '1', FEED: 'manual', ...env })
  const api = createPoster(product.origin)
  try {
    const traders = await tradersOf(api)
    await asFastAsItGoes(api, traders, 2)
    const rates: number[] = []
    const tails: number[] = []
    const cpu: number[] = []
    for (let round = 0; round < option('rounds', 3); round++) {
      await api.post('/test/tick', { symbol: 'BTCUSDT', price: '50000' })
      const before = cpuSeconds(product.pid)
      const { rate, p99, count } = await asFastAsItGoes(api, traders, option('seconds', 4))
      cpu.push(((cpuSeconds(product.pid) - before) * 1e6) / count)
      rates.push(rate)
      tails.push(p99)
    }
    return [
      atLeast(
        `spot orders committed a second, ${name}, ${clients} clients`,
        median(rates),
        bar,
        '',
        `${spread(rates)}, ${short(median(cpu))} µs CPU of the server each`,
      ),
      told(`one of them, p99, ${name}`, spread(tails, ' ms')),
    ]
  } finally {
    api.close()
    await product.stop()
    removeDir(dir)
  }
}

const bars: Bar[] = []
if (wanted('pglite')) bars.push(...(await measured({}, 'embedded database', 700)))
if (wanted('postgres')) {
  const postgres = await startPostgres()
  if (postgres) {
    try {
      bars.push(...(await measured({ DATABASE_URL: postgres.url }, 'PostgreSQL', 2_000)))
    } finally {
      await postgres.stop()
    }
  } else bars.push(told('spot orders, PostgreSQL', 'not measured: there is no PostgreSQL'))
}
report('spot orders', bars, 'npm run bench:trading')
