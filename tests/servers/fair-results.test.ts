import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { migrations } from '#api-server/migrations.ts'
import { termsOfProducts } from '#api-server/products.ts'
import type { CallRow } from '#contract/call.ts'
import { backOfficeCalls } from '#contract/calls/office.calls.ts'
import { termFields } from '#contract/calls/office.terms.calls.ts'
import { consoleCalls } from '#contract/console/console.calls.ts'
import { contract } from '#contract/contract.ts'
import { termsOf, tradingCalendar } from '#contract/trading.ts'
import type { Database } from '#server-kit/db/db.ts'
import { envTable } from '#server-kit/ops/env.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { type CodeFile, readCode, withoutComments } from '#tests/support/house/tidy.files.ts'
import { consoleMigrations } from '#tests/support/servers/console-stage.ts'

/**
 * Nothing decides the result of one customer's trade but the price log, the terms of the symbol, and what the customer asked for. These tests look
 * through the schema, the calls, the settings and the code for anything that could.
 */

const words = (name: string): string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
const says = (name: string, ...any: string[]) => words(name).some((word) => any.includes(word))

/** Returns whether a name refers to one person or one trade. */
const pointsAtOne = (name: string) => says(name, 'id', 'oid', 'uid', 'user', 'customer', 'account', 'order', 'position', 'trader')
/** Returns whether a name belongs to the result of a trade, or to a value that decides the result. */
const isOutcome = (name: string) =>
  says(
    name,
    'price',
    'result',
    'side',
    'payout',
    'outcome',
    'profit',
    'loss',
    'tick',
    'settle',
    'close',
    'mark',
    'spread',
    'liquidation',
    'rate',
  )
/** Has no honest use. */
const isControl = (name: string) =>
  says(
    name,
    'outcome',
    'preset',

    'forced',
    'win',
    'wins',
    'lose',
    'loses',
    'odds',
    'bias',
    'rig',
    'rigged',
    'control',
    'controlled',
    'luck',
    'favour',
  )

/** Names of the members of a schema, members of members too. */
function* namesIn(schema: unknown): Generator<string> {
  if (Array.isArray(schema)) for (const one of schema) yield* namesIn(one)
  else if (schema !== null && typeof schema === 'object')
    for (const [name, part] of Object.entries(schema)) {
      if (name === 'properties') yield* Object.keys(part as object)
      yield* namesIn(part)
    }
}
const namesOf = (schema: z.ZodType): string[] => [...new Set(namesIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })))]

type Found = string[]
/** Finds forbidden fields of operators' calls: one trade or customer together with a value that decides a result. */
const ofOperators = (call: string, fields: readonly string[]): Found =>
  fields.some(pointsAtOne) ? fields.filter(isOutcome).map((field) => `${call}: ${field}`) : []
/**
 * Finds forbidden fields of customers' calls about a trade: a customer sends limits of his own, but neither another customer nor the values
 * of the settlement.
 */
const ofCustomers = (call: string, fields: readonly string[]): Found =>
  fields.filter((field) => says(field, 'uid', 'customer', 'tick', 'settle', 'payout', 'result', 'mark')).map((field) => `${call}: ${field}`)
const controls = (place: string, names: readonly string[]): Found => names.filter(isControl).map((name) => `${place}: ${name}`)

interface Column {
  table: string
  column: string
}
/** Rows of trades, written by their own module once it has happened. Code that writes them is looked at below. */
const records = [
  'option_order',
  'lever_position',
  'lever_close',
  'lever_overnight',
  'otc_offer',
  'otc_order',
  'spot_order',
  'spot_fill',
  'dual_order',
  'ieo_order',
]
/** A quote of an exchange names the customer that it was made for; who may write it is not looked at here. */
const quotes = ['wallet_quote']
/** The coin that a dual investment was paid back in; the audit compares it with the logged price. */
const isPaidCoin = ({ table, column }: Column) => table === 'dual_order' && column === 'outcome'
/** `position` is the place in the list. */
const isPlaceInList = ({ table, column }: Column) => column === 'position' && (table === 'instrument' || table === 'currency')
function ofTables(columns: readonly Column[]): Found {
  const tables = new Map<string, string[]>()
  for (const { table, column } of columns.filter((one) => !isPlaceInList(one) && !isPaidCoin(one)))
    tables.set(table, [...(tables.get(table) ?? []), column])
  return [...tables].flatMap(([table, names]) => [
    ...controls(table, names),
    ...(table.startsWith('trading_') || table === 'terms' || table === 'instrument'
      ? names.filter((name) => says(name, 'uid', 'user', 'customer', 'account', 'order', 'position')).map((name) => `${table}: ${name}`)
      : []),
    ...([...records, ...quotes].includes(table) || !names.some((name) => says(name, 'uid', 'order', 'position'))
      ? []
      : names
          .filter((name) => says(name, 'price', 'side', 'payout', 'result', 'tick', 'settle', 'spread'))
          .map((name) => `${table}: ${name}`)),
  ])
}

/** Where code writes a table. */
function* writersIn({ path, text }: CodeFile, tables: readonly string[]): Generator<string> {
  const code = withoutComments(text)
  const any = tables.join('|')
  for (const pattern of [
    `(?:insertInto|insertMany|updateTable|updateMany|deleteFrom|mergeInto)\\(\\s*['"](${any})\\b`,
    `(?:insert into|update|delete from|truncate|merge into)\\s+(${any})\\b`,
  ])
    for (const [, table] of code.matchAll(new RegExp(pattern, 'g'))) yield `${table} ${path}`
}
const writers = (files: readonly CodeFile[], tables: readonly string[]) =>
  [...new Set(files.flatMap((file) => [...writersIn(file, tables)]))].sort()

const product = (): CodeFile[] =>
  readCode('.').filter(({ path }) => /\.(ts|tsx|mjs)$/.test(path) && !/^(tests|bench|docs|examples)\/|\.test\.tsx?$/.test(path))
const rowsOf = (calls: object) => Object.entries(calls) as [string, CallRow][]

describe('calls', () => {
  test.each(rowsOf({ ...backOfficeCalls, ...consoleCalls }))('%s lets no operator decide what comes of a trade', (name, { input }) => {
    // The calls of terms have the members of all products, of which one press sends those of one.
    const members = new Set<string>(name === 'office.termsSave' || name === 'office.termsPreview' ? termFields : [])
    const own = namesOf(input).filter((field) => !members.has(field))
    for (const fields of [own, ...(members.size > 0 ? termsOfProducts.map(({ fields }) => [...own, ...Object.keys(fields)]) : [])])
      expect([...ofOperators(name, fields), ...controls(name, fields)]).toEqual([])
  })
  test.each(rowsOf(contract).filter(([name]) => /^(lever|mic|c2c|otc|follow)\./.test(name)))(
    '%s takes neither a customer nor a result',
    (name, { input }) => {
      const fields = namesOf(input)
      expect([...ofCustomers(name, fields), ...controls(name, fields)]).toEqual([])
    },
  )
})

describe('settings', () => {
  test.each(Object.entries({ ...termsOf, hours: tradingCalendar }))('%s: the terms know symbols, and nobody who trades', (name, schema) => {
    const fields = namesOf(schema)
    expect(fields.length).toBeGreaterThan(1)
    expect([...controls(name, fields), ...fields.filter((field) => pointsAtOne(field))]).toEqual([])
  })
  test('no setting of the environment', () => {
    expect(controls('environment', Object.keys(envTable))).toEqual([])
  })
})

test('each table of trades, the price log and the terms are written by their own module alone', () => {
  expect(writers(product(), [...records, 'tick', 'terms'])).toEqual([
    'dual_order api-server/dual/dual.store.ts',
    'ieo_order api-server/ieo/ieo.store.ts',
    // The step that parts the fees of closings of before.
    'lever_close api-server/lever/lever.migration.ts',
    'lever_close api-server/lever/lever.store.ts',
    'lever_overnight api-server/lever/lever.store.ts',
    'lever_position api-server/lever/lever.migration.ts',
    'lever_position api-server/lever/lever.store.ts',
    'option_order api-server/mic/mic.store.ts',
    'otc_offer api-server/otc/otc.store.ts',
    'otc_order api-server/otc/otc.store.ts',
    'spot_fill api-server/spot/spot.store.ts',
    'spot_order api-server/spot/spot.store.ts',
    'terms api-server/kit/office.migration.ts',
    'terms api-server/kit/terms.ts',
    'terms api-server/trading/trading.store.ts',
    'tick api-server/market/market.store.ts',
  ])
})

test('code of trading asks nothing about who the customer is', () => {
  const rooms = /^api-server\/(?:lever|mic|otc|spot|follow|trading)\//
  const asks = product().filter(
    // Whose application it is, a reviewer must see.
    ({ path, text }) =>
      rooms.test(path) &&
      path !== 'api-server/follow/reviews.ts' &&
      /selectFrom\('account\b|\bfrom account\b|people\.reads/.test(withoutComments(text)),
  )
  expect(asks.map(({ path }) => path)).toEqual([])
})

onEngines('the schema', (engine) => {
  let database: Database
  beforeAll(async () => {
    database = await engine.open([...migrations, ...consoleMigrations])
  })
  test('has no column that ties one customer or trade to a result', async () => {
    const { rows } = await sql<Column>`select table_name as "table", column_name as "column" from information_schema.columns
      where table_schema = 'public'`.execute(database.db)
    expect(rows.map(({ table }) => table)).toEqual(expect.arrayContaining([...records, 'tick', 'terms', 'trading_halt', 'account']))
    expect(ofTables(rows)).toEqual([])
  })
})

describe('what these tests look for is found', () => {
  const column = (text: string): Column => ({ table: text.split('.')[0]!, column: text.split('.')[1]! })
  test.each<[string, Found, number]>([
    ['an operator sets the price of an order', ofOperators('office.x', ['order_id', 'settle_price']), 1],
    ['an operator sets the side that a customer wins on', ofOperators('office.x', ['uid', 'payoutSide']), 1],
    ['an operator sets terms of a symbol', ofOperators('office.x', ['symbol', 'fee_rate']), 0],
    ['a customer sends the tick', ofCustomers('lever.x', ['id', 'tick_id']), 1],
    ['a customer sends his limit', ofCustomers('lever.x', ['id', 'price', 'stop_loss_price']), 0],
    ['a flag', controls('x', ['forcedResult', 'win_rate']), 2],
    ['terms of one customer', ofTables([column('terms.uid'), column('terms.key')]), 1],
    ['results of customers beside their orders', ofTables([column('plan.uid'), column('plan.result')]), 1],
    ['a flag of an account', ofTables([column('account.win_control')]), 1],
    ['a column of an order', ofTables([column('option_order.outcome')]), 1],
    ['a way around the store', writers([{ path: 'a.ts', text: "tx.updateTable('option_order').set({})" }], ['option_order']), 1],
    ['the same as SQL', writers([{ path: 'a.ts', text: 'sql`update option_order set status = 1`' }], ['option_order']), 1],
  ])('%s', (_name, found, count) => {
    expect(found).toHaveLength(count)
  })
})
