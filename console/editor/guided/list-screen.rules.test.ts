import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openProject } from '#config-server/cli/project.ts'
import {
  audiences,
  columnsOf,
  filesOfListScreen,
  lackingIn,
  listingCalls,
  neededBy,
  proposedId,
  screenOf,
  usualColumns,
} from '#console/editor/guided/list-screen.rules.ts'
import { createChecker } from '#console/io/checker.ts'
import type { LintProblem } from '#language/types/catalog.ts'

const { files, catalog } = await openProject({ root: join(import.meta.dirname, '../../..'), options: new Map() })
const calls = listingCalls(catalog.calls)
const callOf = (name: string) => calls.find((call) => call.name === name)!
const languages = ['zh', 'en', 'hk', 'th', 'ja', 'ko', 'fr', 'es']
const title = Object.fromEntries(languages.map((language) => [language, `Rows ${language}`]))
const checker = createChecker(catalog, false)
checker.change(files)

/** Problems of the draft with a new screen, which is taken out again. */
function problemsOf(made: Record<string, string>): LintProblem[] {
  checker.change(made)
  const problems = checker.problems()
  checker.change(Object.fromEntries(Object.keys(made).map((path) => [path, files[path] ?? null])))
  return problems
}

test('calls that list are offered, with the members of their rows', () => {
  const names = calls.map(({ name }) => name)
  expect(names.length).toBeGreaterThan(25)
  expect(names).toEqual(expect.arrayContaining(['wallet.hzhistory', 'otc.orders', 'news.getList', 'currency.list']))
  expect(names).not.toContain('lever.order')
  expect(columnsOf(callOf('wallet.hzhistory')).map(({ name }) => name)).toEqual([
    'id',
    'currency_id',
    'currency_code',
    'from',
    'to',
    'amount',
    'time',
  ])
  expect(usualColumns(columnsOf(callOf('wallet.hzhistory')))).toEqual(['currency_code', 'amount', 'time'])
  expect(neededBy(callOf('news.getList')).map(([name]) => name)).toEqual(['type'])
})

test('a screen shows its first column as title, the second at the end and the others below', () => {
  const screen = screenOf(
    { call: callOf('wallet.hzhistory'), args: {}, columns: ['currency_code', 'amount', 'time', 'from'], id: 'wallet.moves' },
    'a.moves',
  )
  expect(screen.data).toEqual({ rows: { call: 'wallet.hzhistory', pages: true } })
  const [list] = screen.body as { slots: { row: { props: unknown; repeat: unknown }[] } }[]
  expect(list?.slots.row[0]).toMatchObject({
    props: {
      title: { $: 'item.currency_code' },
      value: { $: "format('amount', item.amount)" },
      note: { $: "cat(format('dateTime', item.time), ' · ', item.from)" },
    },
    repeat: { each: { $: 'data.rows.list' }, key: 'id' },
  })
})

describe('a new list screen is a sound draft', () => {
  test('for every call that lists, with its usual columns', () => {
    const made: Record<string, string> = {}
    for (const [i, call] of calls.entries()) {
      const args = Object.fromEntries(neededBy(call).map(([name, schema]) => [name, String(schema.enum?.[0] ?? 'news')]))
      if (neededBy(call).some(([name]) => name !== 'type')) continue
      const id = `guided.screen_${i}`
      const wanted = {
        call,
        args,
        columns: usualColumns(columnsOf(call)),
        id,
        address: `pages/guided/${i}`,
        title,
        audience: 'everyone' as const,
        entry: null,
      }
      Object.assign(made, filesOfListScreen({ ...files, ...made }, wanted, `market.guided_${i}`, []))
    }
    expect(Object.keys(made).length).toBeGreaterThan(30)
    expect(problemsOf(made).map(({ file, pointer, message }) => `${file} ${pointer} ${message}`)).toEqual([])
  })

  test.for(audiences)('for %s, with an entry on the home page', (audience) => {
    const call = callOf('wallet.hzhistory')
    const entry = { file: 'schemas/quick-entries/home.json', icon: 'star' }
    const wanted = {
      call,
      args: {},
      columns: ['currency_code', 'amount'],
      id: 'wallet.moves',
      address: 'pages/wallet/moves',
      title,
      audience,
      entry,
    }
    const made = filesOfListScreen(files, wanted, 'market.moves', ['verified', 'customers'])
    expect(problemsOf(made)).toEqual([])
    const last = (JSON.parse(made[entry.file]!) as { entries: { to: string; show?: string }[] }).entries.at(-1)
    expect([last?.to, last?.show]).toEqual([
      'pages/wallet/moves',
      { everyone: undefined, customers: 'segment.customers', verified: 'segment.verified', verified_fully: 'session.kyc >= 2' }[audience],
    ])
    const route = (JSON.parse(made['schemas/routes.json']!) as { routes: Record<string, unknown> }).routes['pages/wallet/moves']
    expect(route).toEqual(
      {
        everyone: { screen: 'wallet.moves', auth: true },
        customers: { screen: 'wallet.moves', auth: true },
        verified: { screen: 'wallet.moves', auth: true, kyc: 1 },
        verified_fully: { screen: 'wallet.moves', auth: true, kyc: 2 },
      }[audience],
    )
  })
})

test('an id is made of the area of the call and the title, and is free', () => {
  expect(proposedId('wallet.hzhistory', 'My moves!', {})).toBe('wallet.my_moves')
  expect(proposedId('wallet.hzhistory', 'My moves!', { 'schemas/screens/wallet/my_moves.json': '{}' })).toBe('wallet.my_moves_2')
  expect(proposedId('otc.orders', '订单', {})).toBe('otc.list')
  expect(lackingIn({ en: 'A', fr: ' ' }, { en: {}, fr: {} })).toEqual(['fr'])
})
