import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commands, run } from '#config-server/cli.ts'
import { catalog } from '#language/testdata/catalog.ts'
import { documents, filesOf, texts } from '#language/testdata/project.ts'

let root = ''
const put = async (file: string, text: string) => {
  await mkdir(dirname(join(root, file)), { recursive: true })
  await writeFile(join(root, file), text)
}
async function cfg(...argv: string[]): Promise<{ status: number; text: string }> {
  let text = ''
  const status = await run(argv, root, (line) => {
    text += line
  })
  return { status, text }
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cfg-'))
  for (const { file, text } of filesOf(documents())) await put(file, text)
  for (const [language, areas] of Object.entries(texts())) {
    for (const [area, words] of Object.entries(areas)) await put(`locales/${language}/${area}.json`, JSON.stringify(words))
  }
  await put('widgets/manifest.json', JSON.stringify({ widgets: catalog.widgets, icons: catalog.icons }))
  await put('contract/manifest.json', JSON.stringify(catalog.calls))
  await put('contract/functions/manifest.json', '[]')
  await put('contract/symbols.json', '[]')
  await put('contract/topics.json', '[]')
  await put(
    'scope.json',
    JSON.stringify({ data: { site: { open: false }, orders: { list: [{ id: 7, price: '120' }] } }, params: { id: 7 } }),
  )
})
afterAll(() => rm(root, { recursive: true, force: true }))

describe('a set with a contract of its own', () => {
  const home = {
    kind: 'screen',
    id: 'home',
    format: 1,
    data: {},
    body: [{ id: 'words', widget: 'row', props: { title: { $t: 'home.title' }, price: '1', side: 'buy' } }],
  }
  const putSet = async (changes: Record<string, unknown>) => {
    for (const [file, text] of Object.entries(changes)) await put(`set/${file}`, JSON.stringify(text))
  }
  beforeAll(async () => {
    const docs = documents() as unknown as Record<string, Record<string, unknown>>
    for (const file of ['schemas/app.json', 'schemas/theme.json', 'schemas/quick-entries/tabs.json']) await putSet({ [file]: docs[file] })
    const call = {
      name: 'lot.show',
      method: 'GET',
      path: '/lot/show',
      auth: 'none',
      reads: true,
      input: { type: 'object', properties: {} },
    }
    await putSet({
      'schemas/routes.json': { kind: 'routes', id: 'routes', format: 1, routes: { '/': { screen: 'home', tab: 'home' } } },
      'schemas/screens/home.json': {
        ...home,
        data: { lot: { call: 'lot.show', live: 'lots' } },
        body: [{ ...home.body[0], show: 'data.lot.open' }],
      },
      'contract/manifest.json': [
        {
          ...call,
          output: { type: 'object', properties: { open: { type: 'boolean' } }, required: ['open'] },
          problems: [],
          summary: 'Lot',
        },
      ],
      'contract/topics.json': [{ name: 'lots', about: 'Lots' }],
    })
    for (const language of Object.keys(texts()))
      await putSet({
        [`locales/${language}/home.json`]: { title: `Home ${language}` },
        [`locales/${language}/app.json`]: { tabs: 'x', home: 'y' },
      })
  })
  test('is judged by its own calls and topics', async () => {
    const { status, text } = await cfg('lint', 'set')
    expect([status, text]).toEqual([0, expect.stringMatching(/^5 documents, 0 errors/m)])
    await putSet({ 'schemas/screens/home.json': { ...home, data: { site: { call: 'site.info', live: 'orders' } } } })
    const wrong = (await cfg('lint', 'set')).text
    expect(wrong).toContain('there is no call "site.info"')
    expect(wrong).toContain('"orders"')
    expect(wrong).not.toContain('lot.show" is')
  })
  test('the project itself is no such set', async () => {
    expect((await cfg('lint', '.')).text).toBe((await cfg('lint')).text)
  })
})

describe('words', () => {
  const file = 'locales/ja/app.json'
  test('lists what is not translated, fills it with marked copies, and lint tells these from translations', async () => {
    const whole = await readFile(join(root, file), 'utf8')
    const { home, ...rest } = JSON.parse(whole) as Record<string, string>
    await put(file, JSON.stringify(rest))
    expect((await cfg('words')).text).toContain(`${file} home missing: ${JSON.stringify(home)}`)
    const fill = await cfg('words', 'ja', '--fill')
    expect(fill.status).toBe(1)
    expect(fill.text).toMatch(/^written, to translate: locales\/ja\/app\.json home\n0 missing, 1 still English, /m)
    expect(JSON.parse(await readFile(join(root, file), 'utf8'))).toEqual({ ...rest, home: `[en] ${home}` })
    expect((await cfg('words', 'ja')).text).toContain(`${file} home still English`)
    const { status, text } = await cfg('lint')
    expect([status, text]).toEqual([1, expect.stringContaining('"app.home" is still English in ja')])
    await put(file, JSON.stringify({ ...rest, home: '家' }))
    expect((await cfg('words')).status).toBe(0)
    await put(file, whole)
  })
  test('names the nearest language', async () => {
    expect((await cfg('words', 'jaa')).text).toContain('there is no language "jaa"; nearest: ja')
  })
})

describe('why', () => {
  test('names the clause that decides', async () => {
    const { status, text } = await cfg('why', 'orders.detail', 'title', '--scope', 'scope.json')
    expect(status).toBe(0)
    expect(text).toContain('title enable: closed')
    expect(text).toContain("> data.orders.list[params.id].price < '100'  is  false")
    expect(text).toContain('title is shown and disabled')
  })
  test('a node inside what is hidden', async () => {
    const { text } = await cfg('why', 'home', 'hello', '--scope', 'scope.json', '--json')
    expect(JSON.parse(text)).toMatchObject({ shown: false, enabled: true, conditions: [{ node: 'page', role: 'show', open: false }] })
  })
  test('what is missing', async () => {
    await put('empty.json', '{}')
    const { text } = await cfg('why', 'home', 'page', '--scope', 'empty.json')
    expect(text).toContain('(missing: data.site.open)')
  })
  test('a field of a form, with its rules as the app judges them', async () => {
    await put('form.json', JSON.stringify({ form: { symbol: 'BTC', amount: '60' } }))
    const { status, text } = await cfg('why', 'order', 'amount', '--scope', 'form.json')
    expect(status).toBe(0)
    expect(text).toContain('amount required: open')
    expect(text).toMatch(/value <= '50' {2}is {2}false/)
    expect(text).toContain('amount is shown and enabled and required and wrong')
    await put('form.json', JSON.stringify({ form: { symbol: 'BTC', amount: '40' } }))
    expect((await cfg('why', 'form/order', 'amount', '--scope', 'form.json')).text).toContain('and required and right')
  })
  test('each rule by its number and pointer, those of the form too', async () => {
    await put('form.json', JSON.stringify({ form: { symbol: '60', amount: '60' } }))
    const lines = (await cfg('why', 'order', 'amount', '--scope', 'form.json')).text.split('\n')
    expect(lines.filter((line) => line.startsWith('amount '))).toEqual([
      'amount required: open  /fields/1/required',
      'amount rule 1: open  /fields/1/rules/0',
      'amount rule 2: closed  /fields/1/rules/1',
      'amount rule 1: closed  /rules/0',
      'amount is shown and enabled and required and wrong',
    ])
  })
  test('a source of a screen', async () => {
    const { text } = await cfg('why', 'home', 'data.site', '--scope', 'scope.json')
    expect(text).toContain('data.site is asked for')
  })
  test.each([
    [['why', 'hom', 'page', '--scope', 'scope.json'], /no screen, form or list of quick entries "hom"; nearest: home/],
    [['why', 'home', 'helo', '--scope', 'scope.json'], /no node, source, field or entry "helo"; nearest: hello/],
    [['why', 'home', 'page'], /--scope file.json/],
    [['why', 'home', 'page', '--scope', 'no.json'], /no such file/],
  ])('%j fails', async (argv, said) => {
    const { status, text } = await cfg(...argv)
    expect(status).toBe(1)
    expect(text).toMatch(said)
  })
})

test('where-used finds names, members and versions, not the document itself', async () => {
  const { status, text } = await cfg('where-used', 'order.list', '--json')
  expect(status).toBe(0)
  const { uses } = JSON.parse(text) as { uses: { document: string; line: number }[] }
  expect(uses.map(({ document }) => document).sort()).toEqual(['screen/orders.detail', 'screen/orders.list'])
  expect((await cfg('where-used', 'list')).text).toContain('/widget')
  expect((await cfg('where-used', 'cancel-button')).text).not.toContain('fragments/cancel-button.json')
  expect((await cfg('where-used', 'nothing-of-the-kind')).status).toBe(1)
})

test('where-used finds a field, a source and state by their paths', async () => {
  const places = async (word: string) =>
    (JSON.parse((await cfg('where-used', word, '--json')).text) as { uses: { document: string; pointer: string }[] }).uses.map(
      ({ document, pointer }) => `${document} ${pointer}`,
    )
  expect(await places('form.amount')).toEqual([
    'form/order /rules/0/test/!==/1/var',
    'form/order /submit/steps/0/args/amount/$',
    'screen/orders.place /body/1/show/and/0/has',
    'screen/orders.place /body/1/on/press/0/set/form.amount',
  ])
  expect(await places('data.site')).toContain('screen/home /body/0/show/===/0/var')
  expect(await places('state.step')).toContain('form/order /fields/1/on/send/0/set/state.step')
  expect(await places('params.id')).toContain('screen/orders.detail /body/0/enable/</0/var')
})

describe('where-used names the part of a document', () => {
  const parts = async (word: string) =>
    (JSON.parse((await cfg('where-used', word, '--json')).text) as { uses: { pointer: string; part: string }[] }).uses.map(
      ({ pointer, part }) => `${pointer}: ${part}`,
    )
  test.each([
    ['form.amount', '/rules/0/test/!==/1/var: rule 1 of field amount, test'],
    ['form.amount', '/submit/steps/0/args/amount/$: submit'],
    ['form.amount', '/body/1/show/and/0/has: node seen, show'],
    ['form.amount', '/body/1/on/press/0/set/form.amount: node seen, steps of press'],
    ['form.symbol', '/fields/1/required/has: field amount, required'],
    ['at-least', '/fields/1/rules/0: field amount, rule 1'],
    ['site.info', '/data/site/call: source site, call'],
    ['icon/home', '/entries/0/icon: entry home, icon'],
    ['orders.too_much', '/fields/1/rules/1/message/$t: field amount, rule 2'],
  ])('%s: %s', async (word, place) => expect(await parts(word)).toContain(place))

  test('in the words of the answer', async () => {
    expect((await cfg('where-used', 'site.info')).text).toContain('/data/site/call (source site, call)')
  })
  test('in one document alone', async () => {
    expect(await parts('form/order#form.amount')).toEqual([
      '/rules/0/test/!==/1/var: rule 1 of field amount, test',
      '/submit/steps/0/args/amount/$: submit',
    ])
    expect(await parts('orders.place#form.amount')).toHaveLength(2)
    expect(await parts('orders.list#form.amount')).toEqual([])
  })
  test.each([
    ['ordr#form.amount', 'there is no document "ordr"; nearest: order'],
    ['form/ordr#form.amount', 'there is no document "form/ordr"; nearest: form/order'],
  ])('%s fails', async (word, said) => {
    const { status, text } = await cfg('where-used', word)
    expect([status, text]).toEqual([1, expect.stringContaining(said)])
  })
})

test('export writes what would be published, with its addresses', async () => {
  const { status } = await cfg('export', 'out', '--prepared')
  expect(status).toBe(0)
  const release = JSON.parse(await readFile(join(root, 'out/release.json'), 'utf8')) as Record<string, { sha256: string }>
  expect(Object.keys(release)).toContain('screen/orders.detail')
  expect(release['screen/home']?.sha256).toMatch(/^[0-9a-f]{64}$/)
  expect(await readdir(join(root, 'out/screen'))).toEqual(['home.json', 'orders.detail.json', 'orders.list.json', 'orders.place.json'])
})

describe('sources in folders', () => {
  const entries = 'schemas/quick-entries/tabs.json'
  const read = (file: string) => readFile(join(root, file), 'utf8')

  test('export copies byte for byte, and import takes back what differs and nothing else', async () => {
    expect((await cfg('export', 'copy')).status).toBe(0)
    expect(await read(`copy/${entries}`)).toBe(await read(entries))
    expect(await read('copy/locales/en/orders.json')).toBe(await read('locales/en/orders.json'))
    expect((await cfg('diff', '.', 'copy')).text).toBe('nothing differs')

    const before = await read(entries)
    await put(`copy/${entries}`, before.replace('"icon": "home"', '"icon":   "search"'))
    const diff = await cfg('diff', '.', 'copy', '--json')
    expect(diff.status).toBe(0)
    expect(JSON.parse(diff.text).diff).toMatchObject([
      { path: entries, state: 'changed', changes: [{ kind: 'changed', node: 'home', member: 'icon' }] },
    ])
    expect((await cfg('diff', '.', 'copy')).text).toMatch(/~ home icon: "home" → "search"/)

    expect(JSON.parse((await cfg('import', 'copy', '--json')).text)).toEqual({ ok: true, changed: [entries], gone: [] })
    expect(await read(entries)).toContain('"icon":   "search"')
    await put(entries, before)
  })
  test('a folder with a mistake is not taken in', async () => {
    const before = await read(entries)
    await cfg('export', 'wrong')
    await put(`wrong/${entries}`, before.replace('"home"', '"hme"'))
    const { status, text } = await cfg('import', 'wrong')
    expect(status).toBe(1)
    expect(text).toMatch(/nothing was written/)
    expect(await read(entries)).toBe(before)
  })
  test('what a folder lacks is removed only when that is asked for', async () => {
    await cfg('export', 'less')
    await put('schemas/validations/more.json', JSON.stringify({ ...documents()['schemas/validations/at-least.json'], id: 'more' }))
    expect(JSON.parse((await cfg('import', 'less', '--json')).text)).toMatchObject({ changed: [], gone: [] })
    expect(JSON.parse((await cfg('import', 'less', '--prune', '--json')).text)).toMatchObject({ gone: ['schemas/validations/more.json'] })
    await expect(read('schemas/validations/more.json')).rejects.toThrow()
  })
  test.each([
    [['diff', '.'], /diff <A> <B>/],
    [['diff', '.', 'no-such-folder'], /no folder, and none of live/],
    [['diff', '.', 'live'], /--server URL/],
    [['lint', 'draft:3'], /--server URL/],
    [['publish', '3'], /--reason TEXT/],
    [['publish', '3', '--server', 'http://far.example', '--reason', 'x'], /no TLS/],
    [
      ['publish', '3', '--server', 'http://127.0.0.1:1', '--reason', 'x', '--emergency', '--at', '2026-12-24T18:00:00Z'],
      /--emergency publishes now/,
    ],
    [['rollback'], /--reason TEXT/],
    [['import'], /import <folder>/],
    [['flow', 'cancle'], /no flow "cancle"; nearest: cancel/],
    [['test', 'hom'], /no screen "hom"; nearest: home/],
    [['test', 'home'], /no build to run in/],
  ])('%j fails in words', async (argv, said) => {
    const { status, text } = await cfg(...argv)
    expect(text).toMatch(said)
    expect(status).toBe(1)
  })
})

describe('migrate and format', () => {
  test('a node of an earlier major, said or not, asks for its step', async () => {
    const path = 'schemas/screens/home.json'
    const whole = await readFile(join(root, path), 'utf8')
    await put(
      'widgets/manifest.json',
      JSON.stringify({ widgets: catalog.widgets.map((one) => ({ ...one, major: 3 })), icons: catalog.icons }),
    )
    await put(path, whole.replace('"widget": "button"', '"widget": "button@2"'))
    expect(await cfg('migrate')).toMatchObject({ status: 1, text: 'nothing leads from button@2 to button@3' })
    await put(path, whole)
    expect(await cfg('migrate', '--from', 'button@1')).toMatchObject({ status: 1, text: 'nothing leads from button@1 to button@2' })
    await put('widgets/manifest.json', JSON.stringify({ widgets: catalog.widgets, icons: catalog.icons }))
  })
  test('trees become text, and what is released of them stays the same', async () => {
    await cfg('export', 'before', '--prepared')
    expect(await cfg('format')).toMatchObject({ status: 1, text: expect.stringContaining('schemas/screens/home.json') })
    expect(await cfg('migrate', '--write')).toMatchObject({ status: 0, text: expect.stringMatching(/files written$/) })
    expect(await cfg('migrate')).toMatchObject({ status: 0, text: expect.stringMatching(/^nothing to migrate/) })
    expect(await cfg('format')).toMatchObject({ status: 0, text: '0 files would change' })
    await cfg('export', 'after', '--prepared')
    const [before, after] = await Promise.all(['before', 'after'].map((folder) => readFile(join(root, folder, 'release.json'), 'utf8')))
    expect(after).toBe(before)
  })
})

describe('help', () => {
  test.each(commands.map(({ name }) => name))('of %s says what it takes', async (name) => {
    const { status, text } = await cfg('help', name)
    expect(status).toBe(0)
    expect(text).toContain(`npm run cfg -- ${name} `)
    expect(await cfg(name, '--help')).toEqual({ status, text })
  })
  test('alone lists every command', async () => {
    const { status, text } = await cfg('help')
    expect(status).toBe(0)
    for (const { name } of commands) expect(text).toContain(`  ${name} `)
  })
})

describe('lint', () => {
  test('nothing wrong is status 0', async () => {
    expect(await cfg('lint')).toEqual({
      status: 0,
      text: '8 documents, 0 errors, 0 warnings'.replace('8', String(Object.keys(documents()).length)),
    })
  })
  test('a mistake is status 1, for people and for machines, and nothing is exported', async () => {
    const doc = documents()['schemas/screens/home.json']
    await put('schemas/screens/home.json', JSON.stringify(doc, null, 2).replace('"search"', '"serch"'))
    const { status, text } = await cfg('lint')
    expect(status).toBe(1)
    expect(text).toMatch(
      /schemas\/screens\/home\.json:\d+ error refs \/body\/0\/slots\/body\/0\/props\/icon\n {4}there is no icon "serch"\n {4}nearest: search/,
    )
    const machine = await cfg('lint', '--json')
    expect(JSON.parse(machine.text)).toMatchObject({ ok: false, problems: [{ check: 'refs', suggestion: 'search' }] })
    expect((await cfg('export', 'other', '--prepared')).status).toBe(1)
    await expect(readdir(join(root, 'other'))).rejects.toThrow()
  })
  test('the back office is a set of its own: its calls, its words and those that it takes from the app', async () => {
    const docs = documents()
    for (const [path, doc] of Object.entries(docs)) await put(`console/${path}`, JSON.stringify(doc))
    for (const language of ['en', 'ja']) await put(`console/locales/${language}/office.json`, '{}')
    await put('contract/office.manifest.json', '[]')
    const { status, text } = await cfg('lint', 'console')
    expect(status).toBe(1)
    expect(text).toMatch(/^console\/schemas\/screens\/orders\/list\.json:\d+ error calls .*\n {4}there is no call "order\.list"/m)
    expect(text).not.toMatch(/^locales\//m)
  })
  test('a file that cannot be read is told', async () => {
    await put('schemas/screens/broken.json', '{"kind": "screen"')
    const { status, text } = await cfg('lint')
    expect(status).toBe(1)
    expect(text).toContain('schemas/screens/broken.json:1 error parse')
  })
})

test('an unknown command', async () => {
  const { status, text } = await cfg('lnt')
  expect(status).toBe(1)
  expect(text).toContain('nearest: lint')
})
