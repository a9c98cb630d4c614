import { randomUUID } from 'node:crypto'
import { newDataDir, type Running, removeDir, startProduct } from '../product.ts'
import { createPoster, type Poster } from '../server/poster.ts'
import { startPostgres } from '../server/postgres.ts'

/**
 * Orders for contracts through the built product, at the market, each accepted and committed before its client sends the next: opened, and closed
 * again so that nobody has ever more positions. `-- [--seconds=5 --clients=32]`
 */
const optionOf = (name: string, fallback: number) =>
  Number(process.argv.find((one) => one.startsWith(`--${name}=`))?.split('=')[1] ?? fallback)
const [seconds, clients] = [optionOf('seconds', 5), optionOf('clients', 32)]

interface Customer {
  token: string
  position: number | undefined
}

async function customersOf(api: Poster): Promise<Customer[]> {
  const made: Customer[] = []
  for (let n = 0; n < clients; n++) {
    const { uid, token } = await api.post<{ uid: number; token: string }>('/test/user', {})
    await api.post('/test/credit', { user: String(uid), account: 'lever', currency: '3', amount: '1000000000' })
    made.push({ token, position: undefined })
  }
  return made
}

async function order(api: Poster, one: Customer): Promise<void> {
  const headers = { authorization: one.token, 'idempotency-key': randomUUID() }
  if (one.position !== undefined) {
    await api.post('/api/lever/close', { id: String(one.position) }, headers)
    one.position = undefined
    return
  }
  const fields = { match_id: 'BTCUSDT', side: 'long', lots: '1', multiple: '20', target_profit_price: '60000', stop_loss_price: '40000' }
  one.position = (await api.post<{ id: number }>('/api/lever/orderOpen', fields, headers)).id
}

async function measure(name: string, env: Record<string, string>): Promise<void> {
  const dir = newDataDir()
  const product: Running = await startProduct(dir, { TEST_HOOKS: '1', FEED: 'manual', ...env })
  const api = createPoster(product.origin)
  const tick = async () => {
    await api.post('/test/tick', { symbol: 'BTCUSDT', price: (50_000 + Math.random() * 10).toFixed(2) })
  }
  try {
    await tick()
    const customers = await customersOf(api)
    const ticking = setInterval(() => tick().catch(() => {}), 250)
    for (const length of [2, seconds]) {
      const [from, until] = [performance.now(), performance.now() + length * 1_000]
      const times: number[] = []
      const client = async (one: Customer) => {
        while (performance.now() < until) {
          const began = performance.now()
          await order(api, one)
          times.push(performance.now() - began)
        }
      }
      await Promise.all(customers.map(client))
      const rate = (times.length * 1_000) / (performance.now() - from)
      times.sort((a, b) => a - b)
      if (length === seconds)
        console.log(
          `${name}: ${Math.round(rate)} orders a second with ${clients} clients, p99 ${times[Math.floor(times.length * 0.99)]!.toFixed(1)} ms`,
        )
    }
    clearInterval(ticking)
  } finally {
    api.close()
    await product.stop()
    removeDir(dir)
  }
}

await measure('embedded database', {})
const server = await startPostgres()
if (server) {
  try {
    await measure('PostgreSQL', { DATABASE_URL: server.url })
  } finally {
    await server.stop()
  }
} else console.log('PostgreSQL: not measured, there is none under /usr/lib/postgresql')
