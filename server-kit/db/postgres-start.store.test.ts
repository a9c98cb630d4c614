import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Migration } from '#server-kit/db/db.ts'
import { openDatabase } from '#server-kit/db/open-database.ts'
import { serverRefusal, startRefusal } from '#server-kit/db/postgres-start.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { reason } from '#server-kit/ops/start.ts'
import { sharedDatabases } from '#tests/support/databases/engines.ts'
import { postgresMissing, type TestPostgres } from '#tests/support/databases/postgres.ts'
import { freePort } from '#tests/support/servers/free-port.ts'

/** Messages of a start on PostgreSQL that cannot go on, and the lines of its migrations. */

const step = (id: string, table: string): Migration => ({
  id,
  up: async (tx) => void (await sql`create table ${sql.table(table)} (id int)`.execute(tx)),
})
const steps = [step('test-1', 'one'), step('test-2', 'two')]

describe.skipIf(postgresMissing())('a start on PostgreSQL', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tessera-start-'))
  const stranger = `stranger_${process.pid}`
  const guarded = `guarded_${process.pid}`
  let databases: Pick<TestPostgres, 'freshUrl' | 'stop'>
  let admin: pg.Client
  let url: URL
  /** Lines of pg_hba.conf, which other suites share. */
  let rules: string[]
  const setRules = async (lines: readonly string[]) => {
    const quoted = lines.map((line) => pg.escapeLiteral(line)).join(', ')
    const { rows } = await admin.query<{ file: string }>("select current_setting('hba_file') as file")
    await admin.query(`copy (select unnest(array[${quoted}])) to ${pg.escapeLiteral(rows[0]!.file)}`)
    await admin.query('select pg_reload_conf()')
  }
  beforeAll(async () => {
    databases = sharedDatabases()
    url = new URL(await databases.freshUrl())
    admin = new pg.Client({ connectionString: url.href })
    await admin.connect()
    await admin.query(`create role ${stranger} login`)
    await admin.query(`create role ${guarded} login password 'the right one'`)
    const { rows } = await admin.query<{ line: string }>(
      "select regexp_split_to_table(pg_read_file(current_setting('hba_file')), '\\n') as line",
    )
    rules = rows.map(({ line }) => line).filter((line) => line && !line.startsWith('#'))
    await setRules([`host all ${guarded} all scram-sha-256`, ...rules])
  })
  afterAll(async () => {
    await setRules(rules)
    await admin.query(`drop role ${stranger}`)
    await admin.query(`drop role ${guarded}`)
    await admin.end()
    await databases.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const open = async (
    change: Partial<Pick<URL, 'username' | 'password' | 'pathname' | 'port' | 'hostname' | 'search'>>,
    lines: string[] = [],
  ) => {
    const databaseUrl = Object.assign(new URL(url), change).href
    const log = createLog('info', { write: (line) => void lines.push(line) })
    return openDatabase({ dataDir, databaseUrl, log, onFatal: () => {}, migrations: steps })
  }
  const said = (change: Parameters<typeof open>[0]) =>
    open(change).then(
      async (database) => `opened ${await database.close()}`,
      (error: Error) => reason(error),
    )

  test('that cannot go on says why and what to do, without a stack', async () => {
    const at = `DATABASE_URL: PostgreSQL at 127.0.0.1:${url.port}`
    const database = url.pathname.slice(1)
    const free = String(await freePort())
    expect(await said({ port: free })).toBe(
      `DATABASE_URL: PostgreSQL at 127.0.0.1:${free} does not answer (ECONNREFUSED). Check that it runs, and host and port of the address.`,
    )
    expect(await said({ pathname: '/missing' })).toBe(
      `${at} has no database "missing". Create it: create database "missing" owner "tessera" encoding 'UTF8' template template0`,
    )
    await expect
      .poll(() => said({ username: guarded, password: 'a wrong one' }))
      .toBe(`${at} refuses the password of the user "${guarded}". Check user and password of the address.`)
    expect(await said({ username: guarded })).toMatch(
      new RegExp(`^${at} asks the user "${guarded}" for a password, and the address has none\\.`),
    )
    expect(await said({ username: 'nobody_here' })).toBe(
      `${at} does not let the user "nobody_here" in: role "nobody_here" does not exist. Check the user of the address, and pg_hba.conf.`,
    )
    expect(await said({ username: stranger })).toBe(
      `${at}: the user "${stranger}" has no right to do this in the database "${database}": permission denied for schema public. ` +
        `Make the user the owner of the database and of all that is in it: alter database "${database}" owner to "${stranger}"`,
    )
    expect(await said({ search: '?ssl=true' })).toMatch(/ does not offer TLS, and the address asks for it\. /)
  })

  test('with the rights that the guide names runs each migration once, with a line of the log for each', async () => {
    const lines: string[] = []
    await admin.query(`alter database ${url.pathname.slice(1)} owner to ${stranger}`)
    for (let start = 0; start < 2; start++) await (await open({ username: stranger }, lines)).close()
    expect(
      lines.map((line) => JSON.parse(line) as { migration?: string; msg: string }).map(({ migration, msg }) => [migration, msg]),
    ).toEqual([
      ['test-1', 'database: a migration was run'],
      ['test-2', 'database: a migration was run'],
    ])
    await admin.query(`alter database ${url.pathname.slice(1)} owner to tessera`)
    await admin.query(`reassign owned by ${stranger} to tessera`)
  })
})

const place = { host: 'db.example', port: 5432, user: 'tessera', database: 'tessera' }
const right = { version: 150_000, versionText: '15.0', encoding: 'UTF8', isCopy: false }
test.each<[string, Partial<typeof right>, RegExp | undefined]>([
  ['the oldest that works', {}, undefined],
  ['one older', { version: 140_019, versionText: '14.19' }, /5432 has version 14\.19; Tessera needs 15 or newer\. Upgrade it/],
  ['a copy', { isCopy: true }, /is a copy that can only be read\. Name the server/],
  ['another encoding', { encoding: 'SQL_ASCII' }, /the database "tessera" has the encoding SQL_ASCII; Tessera needs UTF8\. Create another/],
])('a server: %s', (_name, facts, said) => {
  const refusal = serverRefusal({ ...right, ...facts }, place)
  if (said) expect(refusal).toMatch(said)
  else expect(refusal).toBeUndefined()
})

test.each<[string, object, RegExp | undefined]>([
  ['an unknown host', { code: 'ENOTFOUND', message: 'x' }, /does not answer \(ENOTFOUND\)\. Check that it runs, and host and port/],
  ['no answer in time', new Error('timeout exceeded when trying to connect'), /does not answer\. Check that it runs/],
  [
    'a certificate of its own',
    { code: 'SELF_SIGNED_CERT_IN_CHAIN', message: 'x' },
    /certificate that is not accepted \(SELF_SIGNED_CERT_IN_CHAIN\)/,
  ],
  ['no connection left', { code: '53300', message: 'x' }, /has no free connection/],
  ['still starting', { code: '57P03', message: 'x' }, /is starting or stopping/],
  ['a fault of ours', { code: '42601', message: 'syntax error' }, undefined],
])('an error: %s', (_name, error, said) => {
  const refusal = startRefusal(error, place)
  if (said) expect(refusal).toMatch(said)
  else expect(refusal).toBeUndefined()
})
