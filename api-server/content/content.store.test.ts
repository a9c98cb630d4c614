import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { contentHandlers } from '#api-server/content/content.handlers.ts'
import { contentMigrations } from '#api-server/content/content.migration.ts'
import { createContentReads } from '#api-server/content/content.reads.ts'
import { createContentStore } from '#api-server/content/content.store.ts'
import { readSeed, type SeedFile, seedContent } from '#api-server/content/seed.ts'
import { currencyHandlers } from '#api-server/currency/currency.handlers.ts'
import { currencyMigrations } from '#api-server/currency/currency.migration.ts'
import { createCurrencyReads } from '#api-server/currency/currency.reads.ts'
import { listCurrencies, seedCurrencies } from '#api-server/currency/currency.store.ts'
import { type Database, write } from '#server-kit/db/db.ts'
import { onEngines } from '#tests/support/databases/engines.ts'

const now = 1_800_000_000_000
const dayMs = 86_400_000
const article = (nid: number, daysAgo: number, type: SeedFile['articles'][number]['type'] = 'news') => ({
  nid,
  daysAgo,
  type,
  c_id: 1,
  cover: '/covers/market.svg',
  title: `Title ${nid}`,
  summary: `Summary ${nid}`,
  content: `<p>Text ${nid}</p>`,
})
const english: SeedFile = {
  settings: { site_name: 'House', slogan: 'Calm' },
  pages: { aboutus: { title: 'About', content: '<p>We</p>' }, contactus: { title: 'Contact', content: '' } },
  channels: [
    { id: 'mail', label: 'Mail', value: 'a@b.example' },
    { id: 'desk', label: 'Desk', value: 'Door 3' },
  ],
  categories: { '1': 'News' },
  articles: [article(1, 9), article(2, 1), article(3, 5, 'notice')],
  banners: [{ id: 1, page: 'home', image: '/b.svg', title: 'Banner', text: 'Text', to: '', nid: 2 }],
  notices: [3, 1],
  pop: 2,
  faq: [{ id: 1, group: 'start', question: 'Why?', answer: '<p>So.</p>' }],
  menu: [{ id: 1, name: 'faq', title: 'Questions', to: 'pages/common/faq' }],
  symbols: { BTCUSDT: 'Bitcoin' },
}
const japanese: SeedFile = {
  ...english,
  settings: { site_name: '家' },
  symbols: { BTCUSDT: 'ビットコイン' },
  articles: [{ ...article(1, 99), title: '題' }],
}
const caller = (lang: string) => ({ lang, token: undefined, agent: '', ip: '' })

function serve(database: Database) {
  const clock = { at: now, now: () => clock.at }
  const reads = createContentReads(createContentStore(database), clock)
  return { reads, clock, calls: contentHandlers(reads, { source: 'simulator', passwordMin: 9 }) }
}

onEngines('content', (engine) => {
  test('the demonstration content is stored once, complete, in every language', async () => {
    const database = await engine.open(contentMigrations)
    const files = new Map([
      ['en', english],
      ['ja', japanese],
    ])
    expect(await seedContent(database, files, now)).toBe(true)
    await database.transaction((tx) => write(1, tx.deleteFrom('faq').where('id', '=', 1)))
    expect(await seedContent(database, files, now)).toBe(false)
    const { calls, reads } = serve(database)
    expect(await calls['common.faq']({}, caller('en'))).toEqual({ list: [] })
    expect(await calls['common.getSetting']({ keyword: 'site_name' }, caller('ja'))).toEqual({ keyword: 'site_name', value: '家' })
    expect(await calls['common.getSetting']({ keyword: 'slogan' }, caller('ja'))).toEqual({ keyword: 'slogan', value: 'Calm' })
    expect(reads.symbolTitle('BTCUSDT', 'ja')).toBe('ビットコイン')
    expect(reads.symbolTitle('BTCUSDT', 'ko')).toBe('Bitcoin')
    expect(reads.symbolTitle('NOPE', 'ko')).toBeUndefined()
    const row = { nid: 1, c_id: 1, title: '題', summary: 'Summary 1', cover: '/covers/market.svg', time: now - 9 * dayMs }
    expect(await calls['news.getNewsDetail']({ nid: 1 }, caller('ja'))).toEqual({ ...row, content: '<p>Text 1</p>' })
    expect(await calls['news.getList']({ type: 'news', page: 1, size: 10 }, caller('ja'))).toEqual({
      list: [expect.objectContaining({ nid: 2 }), row],
      total: 2,
    })
    expect(await calls['news.list']({ c_id: 1, page: 2, size: 2 }, caller('en'))).toMatchObject({ list: [{ nid: 1 }], total: 3 })
    expect(await calls['news.indexPop']({}, caller('en'))).toMatchObject({ article: { nid: 2 } })
    expect(await calls['common.getPageSet']({ type: 'home' }, caller('en'))).toEqual({
      type: 'home',
      banners: [{ id: 1, image: '/b.svg', title: 'Banner', text: 'Text', to: '', nid: 2 }],
      notices: [
        { nid: 3, title: 'Title 3' },
        { nid: 1, title: 'Title 1' },
      ],
    })
    expect(await calls['common.contactus']({}, caller('en'))).toEqual({
      title: 'Contact',
      content: '',
      updated: now,
      channels: english.channels,
    })
  })

  test('texts that no operator changed become those of a newer version, also where they have no mark', async () => {
    const database = await engine.open(contentMigrations)
    // As an early version stored it: without a mark, unless the text was one that a version brought.
    const before = '<p>No. This version shows markets and needs no account. Favourites and settings stay on your device.</p>'
    await database.transaction(async (tx) => {
      await write(1, tx.insertInto('setting').values({ keyword: 'slogan' }))
      await write(1, tx.insertInto('page').values({ id: 'aboutus', updated_at: 1 }))
      const texts = [
        { owner: 'faq:1', lang: 'en', field: 'answer', text: before, seeded: createHash('sha256').update(before).digest('hex') },
        { owner: 'faq:1', lang: 'en', field: 'question', text: 'Edited by an operator', seeded: null },
        { owner: 'page:aboutus', lang: 'en', field: 'title', text: english.pages.aboutus!.title, seeded: null },
        { owner: 'page:aboutus', lang: 'en', field: 'content', text: '<p>Old</p>', seeded: null },
      ]
      await write(texts.length, tx.insertInto('content_text').values(texts))
    })
    const textsNow = async () => {
      const rows = await database.db
        .selectFrom('content_text')
        .select(['owner', 'field', 'text'])
        .orderBy('owner')
        .orderBy('field')
        .execute()
      return rows.map(({ owner, field, text }) => `${owner} ${field} ${text}`)
    }
    const start = (file: SeedFile, at: number) => seedContent(database, new Map([['en', file]]), at)
    expect(await start(english, now)).toBe(false)
    expect(await textsNow()).toEqual([
      'faq:1 answer <p>So.</p>',
      'faq:1 question Edited by an operator',
      'page:aboutus content <p>Old</p>',
      'page:aboutus title About',
    ])
    const updated = async () => (await database.db.selectFrom('page').select('updated_at').executeTakeFirstOrThrow()).updated_at
    expect(await updated()).toBe(1)
    const newer = { ...english, pages: { ...english.pages, aboutus: { title: 'About us', content: '<p>New</p>' } } }
    await start(newer, now)
    expect([(await textsNow()).slice(2), await updated()]).toEqual([
      ['page:aboutus content <p>Old</p>', 'page:aboutus title About us'],
      now,
    ])
    await database.transaction((tx) => write(1, tx.updateTable('content_text').set({ text: 'Ours' }).where('field', '=', 'title')))
    await start(english, now)
    expect((await textsNow()).at(-1)).toBe('page:aboutus title Ours')
  })

  test('content that fails half way leaves nothing behind', async () => {
    const database = await engine.open(contentMigrations)
    const broken: SeedFile = { ...english, notices: [1, 99] }
    await expect(seedContent(database, new Map([['en', broken]]), now)).rejects.toThrow()
    for (const table of ['setting', 'article', 'content_text', 'page'] as const)
      expect(await database.db.selectFrom(table).selectAll().execute()).toEqual([])
    expect(await seedContent(database, new Map(), now)).toBe(false)
  })

  test('an installation without content has empty lists, and its pages are not found', async () => {
    const { calls } = serve(await engine.open(contentMigrations))
    const paged = { page: 1, size: 10 }
    expect(await calls['news.getList']({ type: 'news', ...paged }, caller('en'))).toEqual({ list: [], total: 0 })
    expect(await calls['news.list']({ c_id: 1, ...paged }, caller('en'))).toEqual({ list: [], total: 0 })
    expect(await calls['common.menu']({}, caller('en'))).toEqual({ list: [] })
    expect(await calls['news.indexPop']({}, caller('en'))).toEqual({ article: null })
    expect(await calls['common.getPageSet']({ type: 'home' }, caller('en'))).toEqual({ type: 'home', banners: [], notices: [] })
    expect(await calls['common.getSiteConfig']({}, caller('en'))).toMatchObject({
      name: 'Tessera',
      slogan: '',
      version: '0.8.0',
      version_code: 80,
      simulated: true,
      password_min: 9,
    })
    for (const name of ['common.aboutus', 'common.contactus', 'common.operational_compliance'] as const)
      await expect((async () => calls[name]({}, caller('en')))()).rejects.toMatchObject({ code: 'not_found' })
    await expect((async () => calls['common.getSetting']({ keyword: '__proto__' }, caller('en')))()).rejects.toMatchObject({
      code: 'not_found',
    })
    await expect((async () => calls['news.getList']({ type: 'toString', ...paged }, caller('en')))()).rejects.toMatchObject({
      code: 'parameter_error',
    })
  })

  test('a write of another node is visible after a minute, a write of this node at once', async () => {
    const database = await engine.open(contentMigrations)
    await seedContent(database, new Map([['en', english]]), now)
    const { calls, reads, clock } = serve(database)
    const ask = async () => (await calls['common.menu']({}, caller('en'))).list.length
    expect(await ask()).toBe(1)
    await database.transaction((tx) => write(1, tx.insertInto('menu_link').values({ id: 2, name: 'x', target: '', position: 2 })))
    expect(await ask()).toBe(1)
    clock.at += 61_000
    await ask()
    await expect.poll(ask).toBe(2)
    await database.transaction((tx) => write(1, tx.deleteFrom('menu_link').where('id', '=', 2)))
    reads.forget()
    expect(await ask()).toBe(1)
  })

  test('currencies: stable numbers, chains in order, rates from the last price', async () => {
    const database = await engine.open(currencyMigrations)
    expect([await seedCurrencies(database), await seedCurrencies(database)]).toEqual([true, false])
    const prices: Record<string, string> = { BTCUSDT: '50000.01' }
    const clock = { now: () => now }
    const deps = { list: () => listCurrencies(database), lastPrice: (symbol: string) => prices[symbol], quoteAge: () => 0 }
    const calls = currencyHandlers(createCurrencyReads({ ...deps, clock }))
    const { list } = await calls['currency.list']({}, caller('en'))
    expect(list.slice(0, 3)).toEqual([
      { id: 1, name: 'Bitcoin', currency_code: 'BTC', sub_name: ['BTC'], status: 1, scale: 8, rate: '50000.01' },
      { id: 2, name: 'Ethereum', currency_code: 'ETH', sub_name: ['ERC20'], status: 1, scale: 8, rate: '0' },
      { id: 3, name: 'Tether', currency_code: 'USDT', sub_name: ['ERC20', 'TRC20'], status: 1, scale: 8, rate: '1' },
    ])
  })
})

test('the seed files are readable and hold the same entries in eight languages', () => {
  const files = readSeed('api-server/content/seed')
  expect([...files.keys()]).toEqual(['en', 'es', 'fr', 'hk', 'ja', 'ko', 'th', 'zh'])
  const shape = (file: SeedFile) => ({
    settings: Object.keys(file.settings).sort(),
    pages: Object.keys(file.pages).sort(),
    channels: file.channels.map((row) => row.id),
    articles: file.articles.map(({ nid, c_id, type }) => ({ nid, c_id, type })),
    faq: file.faq.map((row) => row.id),
    menu: file.menu.map(({ id, name, to }) => ({ id, name, to })),
    symbols: Object.keys(file.symbols).sort(),
  })
  const english = shape(files.get('en')!)
  for (const [lang, file] of files) expect(shape(file), lang).toEqual(english)
})
