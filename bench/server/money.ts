import { randomUUID } from 'node:crypto'
import { atLeast, atMost, type Bar, median, option, reported, short, spread } from '#bench/bars.ts'
import { newDataDir, type Running, removeDir, startProduct } from '#bench/product.ts'
import { flatness } from '#bench/server/money-flat.ts'
import { createPoster, type Poster } from '#bench/server/poster.ts'
import { type BenchPostgres, startPostgres } from '#bench/server/postgres.ts'
import { cpuSeconds } from '#bench/server/rounds.ts'

/** Transfers of many customers through the server: commits per second, and the latency of one at half that rate. */
const clients = 16
const usdt = '3'
const fund = '1000000000'

interface Customer {
  uid: number
  token: string
  /** True when the next transfer goes in the other direction. */
  back: boolean
}
async function customersOf(api: Poster): Promise<Customer[]> {
  const made: Customer[] = []
  for (let n = 0; n < clients; n++) {
    const { uid, token } = await api.post<{ uid: number; token: string }>('/test/user', {})
    for (const account of ['change', 'lever']) await api.post('/test/credit', { user: String(uid), account, currency: usdt, amount: fund })
    made.push({ uid, token, back: false })
  }
  return made
}

async function transfer(api: Poster, one: Customer): Promise<void> {
  const [from, to] = one.back ? ['lever', 'change'] : ['change', 'lever']
  one.back = !one.back
  const headers = { authorization: one.token, 'idempotency-key': randomUUID() }
  await api.post('/api/wallet/transfer', { amount: '1.25', currency_id: usdt, from: from!, to: to! }, headers)
}

/** As many transfers as possible in some seconds, one after the other per client. @returns calls a second */
async function asFastAsItGoes(api: Poster, customers: readonly Customer[], seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1_000
  const from = performance.now()
  let calls = 0
  const client = async (one: Customer) => {
    while (performance.now() < until) {
      await transfer(api, one)
      calls++
    }
  }
  await Promise.all(customers.map(client))
  return (calls * 1_000) / (performance.now() - from)
}

/** Transfers at a fixed rate, independent of answers. @returns p99 in ms */
async function paced(api: Poster, customers: readonly Customer[], perSecond: number, seconds: number): Promise<number> {
  const times: number[] = []
  const under: Promise<void>[] = []
  const from = performance.now()
  const count = Math.max(1, Math.floor(perSecond * seconds))
  for (let n = 0; n < count; n++) {
    const due = from + (n * 1_000) / perSecond
    const wait = due - performance.now()
    if (wait > 1) await new Promise((wake) => setTimeout(wake, wait))
    under.push(transfer(api, customers[n % customers.length]!).then(() => void times.push(performance.now() - due)))
  }
  await Promise.all(under)
  times.sort((a, b) => a - b)
  return times[Math.floor(times.length * 0.99)] ?? Number.NaN
}

/**
 * The database statements of one transfer, without session and network, for one customer per client. pgbench substitutes names even after a
 * quoted colon.
 */
const script = (uids: readonly number[]) => {
  const uid = `(array[${uids.join(',')}])[:client_id::int + 1]::bigint`
  return `begin;
select pg_advisory_xact_lock(1, hashtext(concat('user', ${uid}, gen_random_uuid())));
insert into wallet_transfer (uid, currency_id, from_kind, to_kind, amount, created_at) values (${uid}, ${usdt}, 'change', 'lever', 0.00000001, 1) returning id \\gset
insert into ledger_event (id, kind, source, uid, at) select ledger_post_all(array['transfer'], array[s.source], array[s.uid], array[1], array[1, 1], array[1, 2],
  array[concat_ws(chr(58), 'user', s.uid, 'change', 'available'), concat_ws(chr(58), 'user', s.uid, 'lever', 'available')], array[${usdt}, ${usdt}],
  array[-0.00000001, 0.00000001]), 'transfer', s.source, s.uid, 1
  from (select concat('bench', :id::text) as source, ${uid} as uid) s returning id \\gset
insert into once_key (owner, key, call, hash, run, loose, at, answer)
  values (concat('user', ${uid}), gen_random_uuid()::text, 'wallet.transfer', '\\x00', 'bench', false, 1, '{}');
commit;
`
}

async function withProduct<T>(env: Record<string, string>, work: (api: Poster, pid: number) => Promise<T>): Promise<T> {
  const dir = newDataDir()
  const product: Running = await startProduct(dir, { TEST_HOOKS: '1', FEED: 'manual', ...env })
  const api = createPoster(product.origin)
  try {
    return await work(api, product.pid)
  } finally {
    api.close()
    await product.stop()
    removeDir(dir)
  }
}

async function embedded(rounds: number, seconds: number): Promise<Bar[]> {
  return withProduct({}, async (api, pid) => {
    const customers = await customersOf(api)
    await asFastAsItGoes(api, customers, 1)
    const rates: number[] = []
    const cpu: number[] = []
    for (let round = 0; round < rounds; round++) {
      const from = cpuSeconds(pid)
      const rate = await asFastAsItGoes(api, customers, seconds)
      rates.push(rate)
      cpu.push(((cpuSeconds(pid) - from) * 1e6) / (rate * seconds))
    }
    const p99 = await paced(api, customers, median(rates) / 2, seconds * 2)
    return [
      atLeast(
        `transfers committed a second, embedded database, ${clients} clients`,
        median(rates),
        800,
        '',
        `${spread(rates)}, ${short(median(cpu))} µs CPU each`,
      ),
      atMost('a transfer at half of that, p99, embedded database', p99, 50, ' ms'),
    ]
  })
}

async function onPostgres(rounds: number, seconds: number, server: BenchPostgres): Promise<Bar[]> {
  return withProduct({ DATABASE_URL: server.url }, async (api) => {
    const customers = await customersOf(api)
    const statements = script(customers.map((one) => one.uid))
    await asFastAsItGoes(api, customers, 1)
    const ours: number[] = []
    const bare: number[] = []
    const prepared: number[] = []
    for (let round = 0; round < rounds; round++) {
      ours.push(await asFastAsItGoes(api, customers, seconds))
      for (const [mode, rates] of [
        ['extended', bare],
        ['prepared', prepared],
      ] as const) {
        const tps = server.pgbench(statements, { clients, seconds, mode })
        if (tps === undefined) return [reported('transfers on PostgreSQL', 'not measured: there is no pgbench')]
        rates.push(tps)
      }
    }
    const p99 = await paced(api, customers, median(ours) / 2, seconds * 2)
    const toThat = (rates: readonly number[]) => median(ours.map((rate, at) => rate / rates[at]!))
    const rates = (rates: readonly number[]) => `${short(median(ours))} of ${short(median(rates))} a second`
    return [
      atLeast('transfers through the server on PostgreSQL to pgbench with their statements', toThat(bare), 0.5, ' ×', rates(bare)),
      reported('the same, to pgbench that prepares them', `${short(toThat(prepared))} ×, ${rates(prepared)}`),
      atMost('a transfer at half of that, p99, PostgreSQL', p99, 50, ' ms'),
    ]
  })
}

/** `-- --only=money [--rounds=3 --seconds=3 --rows=1000000 --customers=100000]` */
export async function money(rounds: number, seconds: number): Promise<Bar[]> {
  const bars = await embedded(rounds, seconds)
  const server = await startPostgres()
  if (server) {
    try {
      bars.push(...(await onPostgres(rounds, seconds, server)))
    } finally {
      await server.stop()
    }
  } else bars.push(reported('transfers on PostgreSQL', 'not measured: no PostgreSQL under /usr/lib/postgresql'))
  bars.push(...(await flatness(option('rows', 1_000_000), option('customers', 100_000))))
  return bars
}
