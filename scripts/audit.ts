import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { adviceOf } from '#api-server/ledger/audit/advice.rules.ts'
import { type AuditReport, auditLedger } from '#api-server/ledger/audit/audit.ts'
import { readMarks } from '#api-server/ledger/audit/auditor.ts'
import { markLines } from '#api-server/ledger/audit/mark.rules.ts'
import { migrations } from '#api-server/migrations.ts'
import { openDatabase } from '#server-kit/db/open-database.ts'
import { readEnv } from '#server-kit/ops/env.ts'
import { createLog } from '#server-kit/ops/log.ts'

/**
 * `npm run audit`: audits the ledger, the log of prices and the log of the back office in the database that the server would open (DATA_DIR, DATABASE_URL).
 * Exit code 0 when every check holds, 1 when one is broken or the database could not be read. Marks of checks that a server has found
 * broken are shown; they do not change the exit code.
 */
const short = (amount: string) => (amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount)

function print(report: AuditReport): void {
  const rows = report.currencies.map((one) => ({
    coin: one.code,
    'came in': short(one.cameIn),
    'went out': short(one.wentOut),
    available: short(one.available),
    frozen: short(one.frozen),
    positions: short(one.positions),
    platform: short(one.platform),
  }))
  if (rows.length) console.table(rows)
  console.log(
    `${report.events} events, ${report.postings} lines, ${report.accounts} accounts${report.backOffice ? `, ${report.backOffice.rows} rows in the log of the back office` : ''}`,
  )
  for (const { name, says, breaches } of report.checks) {
    console.log(`${name.padEnd(3)} ${breaches.length ? 'BROKEN' : 'ok    '} ${says}`)
    for (const breach of breaches) console.log(`             ${breach}`)
    if (!breaches.length) continue
    const { means, todo } = adviceOf[name]
    console.log(`    meaning: ${means}\n    to do:   ${todo}`)
  }
  console.log(`ledger ${report.hash}`)
  if (report.backOffice) console.log(`log    ${report.backOffice.end}`)
  if (report.prices) console.log(`prices ${report.prices.hash} at number ${report.prices.id}`)
}

async function run(): Promise<boolean> {
  const env = readEnv()
  if (!env.DATABASE_URL && !existsSync(join(env.DATA_DIR, 'pg'))) throw new Error(`there is no database in ${env.DATA_DIR}`)
  const onFatal = (error: unknown) => {
    console.error(error)
    process.exit(70)
  }
  const log = createLog('warn')
  const database = await openDatabase({ dataDir: env.DATA_DIR, databaseUrl: env.DATABASE_URL, log, onFatal, migrations })
  try {
    const report = await auditLedger(database, { decisions: true })
    print(report)
    for (const line of markLines(await readMarks(database))) console.log(line)
    return report.ok
  } finally {
    await database.close()
  }
}

run().then(
  (ok) => {
    process.exitCode = ok ? 0 : 1
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  },
)
