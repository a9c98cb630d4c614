import { createCurrencyReads } from '#api-server/currency/currency.reads.ts'
import { listCurrencies } from '#api-server/currency/currency.store.ts'
import { createIdempotency } from '#api-server/idempotency/keys.ts'
import { createLedgerReads } from '#api-server/ledger/ledger.reads.ts'
import { createLedger } from '#api-server/ledger/ledger.store.ts'
import { openMarket } from '#api-server/market/market.ts'
import { createMic } from '#api-server/mic/mic.ts'
import { migrations } from '#api-server/migrations.ts'
import { createTradingStore } from '#api-server/trading/trading.store.ts'
import { openTrading } from '#api-server/trading/trading.ts'
import { openDatabase } from '#server-kit/db/open-database.ts'
import { createLocalBus } from '#server-kit/ops/bus.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { loadTexts } from '#server-kit/ops/texts.ts'
import { createSecrets } from '#server-kit/security/secrets.ts'
import { say } from '#tests/support/say.ts'

/**
 * A process to be killed while it settles options. Its arguments are the time that it takes for now, and folder and address of the database. It
 * says `open`, and `done` once nothing is left to settle.
 */
const [now = '', dataDir = '', databaseUrl] = process.argv.slice(2)

async function run(): Promise<void> {
  const clock = { now: () => Number(now) }
  const log = createLog('silent')
  const database = await openDatabase({ dataDir, databaseUrl, log, onFatal: () => process.exit(70), migrations })
  const bus = createLocalBus(log)
  const market = await openMarket({ database, clock, bus, log, source: 'manual', history: false })
  const trading = await openTrading({ store: createTradingStore(database), reads: market.reads, clock, bus, log })
  const coins = createCurrencyReads({ list: () => listCurrencies(database), clock, lastPrice: () => undefined, quoteAge: () => undefined })
  const nobody = async () => {
    throw new Error('nobody opens an order here')
  }
  const mic = createMic({
    ...{ database, clock, log, ledger: createLedger(), coins, trading, balances: createLedgerReads(database), reads: market.reads },
    once: createIdempotency({ database, clock, secrets: createSecrets('k'.repeat(32)), log }),
    ...{ proofs: { standing: nobody }, texts: loadTexts('locales', 'statement'), changed: () => {}, rowChanged: () => {} },
  })
  say('open')
  while (await mic.settle());
  say('done')
  await market.stop()
  await database.close()
}

run().catch((error: unknown) => {
  process.stderr.write(String(error))
  process.exitCode = 1
})
