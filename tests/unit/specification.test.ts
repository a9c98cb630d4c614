import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readFiles } from '#config-server/files.ts'
import { accountId, accountKinds, accountText } from '#contract/accounts.ts'
import { contract } from '#contract/contract.ts'
import { appVersion } from '#contract/version.ts'
import { openSet } from '#flows/set.ts'
import type { AppDoc, RoutesDoc } from '#language/documents/documents.ts'
import { createRouter } from '#renderer/core/route.ts'
import { ownDocuments } from '#tests/support/documents.ts'
import { readCode } from '#tests/support/house/tidy.files.ts'
import { projectRoot } from '#tests/support/servers/product.ts'

/** The page that says where each item of the specification is kept, and items that the documents alone keep. */

const here = 'tests/unit/specification.test.ts'
const page = readFileSync(join(projectRoot, 'docs/specification.md'), 'utf8')
const json = <T>(path: string) => JSON.parse(readFileSync(join(projectRoot, path), 'utf8')) as T
const routes = json<RoutesDoc>('schemas/routes.json')
const match = createRouter(routes)
const calls = Object.entries(contract)

interface Row {
  no: string
  item: string
  kept: string[]
  proof: string
  note: string
}
const cellsOf = (line: string) =>
  line
    .slice(2, -1)
    .split(' | ')
    .map((cell) => cell.trim())
const named = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)

/** @throws Error for a row that does not have its five cells */
function rowsOf(text: string): Row[] {
  return text
    .split('\n')
    .filter((line) => /^\| \d/.test(line))
    .map((line) => {
      const [no = '', item = '', kept = '', proof = '', note, ...more] = cellsOf(line)
      if (note === undefined || more.length > 0) throw new Error(`five cells are expected: ${line}`)
      return { no, item, kept: named(kept), proof, note }
    })
}

/** Items in each section of the specification. */
const counts = { 1: 30, 2: 37, 3: 33, 4: 18, 5: 17, 6: 5, 7: 18, 8: 20, 9: 21 }

type Kind = 'route' | 'path of a call' | 'file' | 'call'
const kindOf = (name: string): Kind =>
  name === '/' || name.startsWith('pages/')
    ? 'route'
    : name.startsWith('/')
      ? 'path of a call'
      : name.includes('/') || existsSync(join(projectRoot, name))
        ? 'file'
        : 'call'
const isThere: Readonly<Record<Kind, (name: string) => boolean>> = {
  route: (name) => match(name) !== undefined,
  'path of a call': (name) => calls.some(([, { path }]) => path === name),
  file: (name) => existsSync(join(projectRoot, name)),
  call: (name) => calls.some(([call]) => call === name),
}
const isProof = (path: string) => /\.test\.tsx?$|^schemas\/flows\/[\w-]+\.json$/.test(path) && isThere.file(path)

/** Faults of the rows: each says its row. */
function faultsOf(rows: readonly Row[]): string[] {
  return rows.flatMap(({ no, item, kept, proof, note }) => {
    const found: string[] = []
    if (item === '') found.push('no item')
    const tests = named(proof)
    if (proof === 'planned') {
      for (const name of kept) {
        const kind = kindOf(name)
        if (kind === 'file' || kind === 'call') found.push(`planned, and names the ${kind} ${name}`)
        else if (isThere[kind](name)) found.push(`planned, and the ${kind} ${name} is there`)
      }
      if (tests.length > 0) found.push('planned, and names tests')
    } else {
      if (kept.length === 0) found.push('kept nowhere')
      for (const name of kept) {
        const kind = kindOf(name)
        if (kind === 'path of a call') found.push(`the call ${name} is named by its path`)
        else if (!isThere[kind](name)) found.push(`no ${kind} ${name}`)
      }
      if (proof !== 'no test' && (tests.length === 0 || proof.replace(/`[^`]+`/g, '').trim() !== '')) found.push(`the proof reads ${proof}`)
      for (const name of tests) if (!isProof(name)) found.push(`no test ${name}`)
      if (tests.includes(here) && !Object.hasOwn(cases, no)) found.push(`no case in ${here}`)
    }
    for (const name of named(note))
      if (/^\w[\w-]*\/.*\.\w+$/.test(name) && !name.startsWith('pages/') && !isThere.file(name)) found.push(`no file ${name}`)
    return found.map((fault) => `${no}: ${fault}`)
  })
}

const app = json<AppDoc & { fiats: string[]; defaultFiat: string; device: { area: { default: string } } }>('schemas/app.json')
const entries = (id: string) => json<{ entries: { id: string; to: string }[] }>(`schemas/quick-entries/${id}.json`).entries
const leadsTo = (id: string) => entries('home').find((entry) => entry.id === id)?.to
const theme = json<Record<'dark' | 'coins', Record<string, string>>>('schemas/theme.json')
const pages = openSet(await ownDocuments())
const withoutBar = [...pages.screens.values()]
  .filter((screen) => !/"widget":"nav-bar(?:@\d+)?"/.test(JSON.stringify(screen)))
  .map(({ id }) => id)
/** English label of a field in the form of a bank card. */
function labelOf(name: string): string | undefined {
  const words = json<Record<string, string>>('locales/en/funding.json')
  const field = pages.forms.get('setting.bank_international')?.fields.find((one) => one.name === name)
  const label = field?.label as { $t?: string } | undefined
  return words[String(label?.$t).replace('funding.', '')]
}
const pageSizes = calls.flatMap(([name, { input }]) => {
  const read = 'size' in input.shape ? input.shape.size.safeParse(undefined) : undefined
  return read?.success ? [[name, read.data] as const] : []
})
const constants = app.constants as Record<string, unknown>

/** Values of the specification that stand in documents or in the contract: what stands there, and what the specification says. */
const cases: Readonly<Record<string, readonly [actual: unknown, specified: unknown]>> = {
  '1.8': [leadsTo('margin'), 'pages/transaction/contract'],
  '1.25': [
    ['recharge', 'withdraw', 'copytrade', 'margin', 'otc', 'bills', 'exchange'].map(leadsTo),
    ['select', 'select', 'follow', 'contract', 'otc', 'bill', 'exchange'].map((name) => expect.stringContaining(name)),
  ],
  '1.28': [app.languages.map(({ id }) => id), ['zh', 'en', 'hk', 'th', 'ja', 'ko', 'fr', 'es']],
  '1.29': [app.defaultLanguage, 'en'],
  '1.30': [
    Object.fromEntries(app.languages.flatMap(({ id, aliases = [] }) => aliases.map((alias) => [alias, id]))),
    expect.objectContaining({ simplified: 'zh', traditional: 'hk', fra: 'fr', spa: 'es' }),
  ],
  '2.5': [withoutBar, []],
  '2.6': [['/', '/pages/index/index'].map((path) => match(path)?.route.tab), ['home', 'home']],
  '2.8': [match('/pages/quotation/index.vue')?.path, '/'],
  '2.19': [withoutBar.includes('common.webView'), false],
  '2.20': [
    [constants.loginRoute, constants.verifyRoute],
    ['pages/common/login', 'pages/setting/real_mark'],
  ],
  '3.7': [
    ['alipay_account', 'real_name', 'bank_account', 'bank_dizhi', 'bank_name', 'swift_code', 'phone', 'wechat_account'].map(labelOf),
    [/ABA/, /holder/, /Card number/, /city or address/, /Bank/, /SWIFT/, /Phone/, /holder address/].map((label) =>
      expect.stringMatching(label),
    ),
  ],
  '3.11': [app.defaultFiat, 'USD'],
  '3.12': [
    [accountKinds.map(accountId), ['1', '2', '3', '4'].map((id) => accountText.parse(id))],
    [
      [1, 2, 3, 4],
      ['legal', 'change', 'lever', 'micro'],
    ],
  ],
  '4.15': [constants.heartbeatStaleMs, 40_000],
  '4.18': [constants.storedVersionResetBelow, 1],
  '5.7': [
    ['bank', 'bank_international'].flatMap(
      (id) =>
        pages.forms
          .get(`setting.${id}`)
          ?.fields.filter(({ required }) => !required)
          .map(({ name }) => name) ?? ['no form'],
    ),
    [],
  ],
  '5.17': [app.device.area.default, '86'],
  '8.15': [
    [json<{ off: string }>('locales/en/engine.json').off, Object.keys(routes.routes).filter((path) => routes.routes[path]?.off)],
    ['This function is under development', []],
  ],
  '9.1': [
    [constants.requestTimeoutMs, constants.chunkTimeoutMs],
    [60_000, 60_000],
  ],
  '9.2': [constants.spinnerAfterMs, 800],
  '9.3': [constants.redirectWaitMs, 1_200],
  '9.4': [constants.toastMs, 1_500],
  '9.5': [constants.clickThrottleMs, 500],
  '9.6': [constants.pageTransitionMs, 300],
  '9.7': [
    ['reconnectDelayMs', 'reconnectDelayMaxMs', 'reconnectRandomization', 'socketConnectTimeoutMs'].map((name) => constants[name]),
    [1_000, 5_000, 0.5, 20_000],
  ],
  '9.8': [
    [constants.pageSize, new Map(pageSizes).get('lever.orderList'), new Map(pageSizes).get('news.list')],
    [10, 10, 10],
  ],
  '9.9': [
    [app.defaultLanguage, app.defaultFiat, app.device.area.default, app.fiats],
    ['en', 'USD', '86', ['USD', 'CNY', 'GBP', 'HKD', 'JPY', 'EUR', 'AED', 'THB', 'PHP', 'SGD', 'VND']],
  ],
  '9.15': [
    [constants.fiatCacheMs, constants.storedVersionResetBelow],
    [86_400_000, 1],
  ],
  '9.16': [
    [appVersion, json<{ version: string }>('package.json').version, { name: constants.appVersion, code: constants.appVersionCode }],
    [{ name: '0.8.0', code: 80 }, '0.8.0', { name: '0.8.0', code: 80 }],
  ],
  '9.21': [
    [theme.dark.up, theme.dark.down, Object.keys(theme.coins)],
    ['#28ba98', '#F04A5A', expect.arrayContaining(['BTC', 'USDT', 'LTC', 'ETH'])],
  ],
}

test.each(Object.entries(cases))('item %s stands as specified', (_, [actual, specified]) => {
  expect(actual).toEqual(specified)
})

describe('the page', () => {
  const rows = rowsOf(page)
  test('has every item of each section, once and in order', () => {
    const wanted = Object.entries(counts).flatMap(([section, count]) => Array.from({ length: count }, (_, i) => `${section}.${i + 1}`))
    expect(rows.map(({ no }) => no)).toEqual(wanted)
  })
  test('names documents, calls, routes and tests that are there, and calls nothing planned that is', () => {
    expect(faultsOf(rows)).toEqual([])
  })
  test('has a row for every case of this file', () => {
    expect(Object.keys(cases).filter((no) => !rows.some((row) => row.no === no && named(row.proof).includes(here)))).toEqual([])
  })

  test('lists the calls of the specification that no screen uses, and no others', async () => {
    const documents = (await readFiles(projectRoot)).filter(({ file }) => /^schemas\/(?!flows\/|meta\/)/.test(file))
    const code = readCode(projectRoot).filter(
      ({ path }) => /^(?:app|renderer|widgets)\//.test(path) && !/\.(?:test|fixture)\.tsx?$|-fixture\.tsx?$/.test(path),
    )
    const text = [...documents, ...code].map((one) => one.text).join('\n')
    const used = new Set(text.match(/\b[a-z0-9]+\.[A-Za-z_]+\b/g))
    const specified = rows.flatMap(({ no, kept }) => (no.startsWith('7.') ? kept.filter((name) => kindOf(name) === 'call') : []))
    const section = page.slice(page.indexOf('\n## Calls for older apps'))
    const listed = section.split('\n').flatMap((line) => (line.startsWith('| `') ? [named(line)] : []))
    expect(listed.map(([call]) => call)).toEqual(specified.filter((call) => !used.has(call)).sort())
    for (const [, ...instead] of listed) for (const name of instead) expect(isThere[kindOf(name)](name), name).toBe(true)
  })
})

test.each<[fault: string, row: Partial<Row>]>([
  ['kept nowhere', { kept: [] }],
  ['no route pages/nowhere', { kept: ['pages/nowhere'] }],
  ['no call wallet.nothing', { kept: ['wallet.nothing'] }],
  ['no file schemas/nothing.json', { kept: ['schemas/nothing.json'] }],
  ['the call /user/login is named by its path', { kept: ['/user/login'] }],
  ['the proof reads', { proof: '' }],
  ['the proof reads it is tested', { proof: 'it is tested' }],
  ['no test tests/unit/nothing.test.ts', { proof: '`tests/unit/nothing.test.ts`' }],
  ['no test schemas/app.json', { proof: '`schemas/app.json`' }],
  [`no case in ${here}`, { no: '1.1', proof: `\`${here}\`` }],
  ['planned, and the route pages/common/login is there', { kept: ['pages/common/login'], proof: 'planned' }],
  ['planned, and the path of a call /user/login is there', { kept: ['/user/login'], proof: 'planned' }],
  ['planned, and names the call user.login', { kept: ['user.login'], proof: 'planned' }],
  ['no file schemas/nothing.json', { note: 'see `schemas/nothing.json`' }],
])('a row is faulty: %s', (fault, row) => {
  const good: Row = { no: '9.9', item: 'An item', kept: ['schemas/app.json', 'user.login', '/'], proof: `\`${here}\``, note: '' }
  expect(faultsOf([good])).toEqual([])
  expect(faultsOf([{ ...good, ...row }]).map((one) => one.trim())).toEqual([`${row.no ?? '9.9'}: ${fault}`])
})
