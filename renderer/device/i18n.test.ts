import i18next from 'i18next'
import { describe, expect, test, vi } from 'vitest'
import { createI18n, type I18nOptions } from '#renderer/device/i18n.ts'

const languages: ReturnType<I18nOptions['languages']> = [
  { id: 'zh', label: '简体中文', tag: 'zh-CN', aliases: ['simplified'] },
  { id: 'en', label: 'English', tag: 'en' },
  { id: 'hk', label: '繁體中文', tag: 'zh-HK', aliases: ['traditional'] },
  { id: 'fr', label: 'Français', tag: 'fr', aliases: ['fra'] },
  { id: 'es', label: 'Español', tag: 'es', aliases: ['spa'] },
]

function start(more: Partial<I18nOptions> = {}) {
  const missing: string[] = []
  const i18n = createI18n(i18next.createInstance(), {
    languages: () => languages,
    defaultLanguage: () => 'en',
    fetchTexts: async () => ({}),
    onMissing: (key, language) => missing.push(`${language} ${key}`),
    ...more,
  })
  return { i18n, missing }
}

describe('which language is meant', () => {
  const rows: [string | undefined, string][] = [
    ['fr', 'fr'],
    ['fra', 'fr'],
    ['spa', 'es'],
    ['simplified', 'zh'],
    ['traditional', 'hk'],
    ['zh-HK', 'hk'],
    ['zh_CN', 'zh'],
    ['FR-ca', 'fr'],
    ['de', 'en'],
    ['', 'en'],
    [undefined, 'en'],
    ['__proto__', 'en'],
  ]
  test.each(rows)('%s is %s', (asked, id) => {
    expect(start().i18n.choose(asked)).toBe(id)
    expect(start(asked === undefined ? {} : { language: asked }).i18n.language()).toBe(id)
  })
})

describe('words', () => {
  const words = {
    title: 'Market',
    deep: { word: 'Deep' },
    hello: 'Hello {{name}}!',
    two: '{{a}}{{b}}',
    n_one: '{{count}} item',
    n_other: '{{count}} items',
    nest: '$t(market.title) {{a}}',
    num: '{{value, number}}',
    empty: '',
    state: 'Unknown state',
    state_done: 'Done',
    state_sent: 'Sent to {{name}}',
  }
  function market() {
    const started = start()
    started.i18n.addArea('en', 'market', words)
    return started
  }
  const rows: [string, Record<string, unknown> | undefined, string][] = [
    ['market.title', undefined, 'Market'],
    ['market.deep.word', undefined, 'Deep'],
    ['market.hello', { name: 'Ann' }, 'Hello Ann!'],
    ['market.hello', {}, 'Hello !'],
    ['market.n', { count: 1 }, '1 item'],
    ['market.n', { count: 0 }, '0 items'],
    ['market.n', { count: '1' }, '1 item'],
    ['market.num', { value: 1234567.5 }, '1,234,567.5'],
    ['market.empty', undefined, ''],
    ['market.state', { context: 'done' }, 'Done'],
    ['market.state', { context: 'sent', name: 'Ann' }, 'Sent to Ann'],
    ['market.state', { context: 'new' }, 'Unknown state'],
    ['market.state', { context: '' }, 'Unknown state'],
    ['market.state', { context: 'done.x' }, 'Unknown state'],
    ['market.state', { context: null }, 'Unknown state'],
  ]
  test.each(rows)('%s with %j says %s', (key, args, text) => {
    const { i18n, missing } = market()
    expect(i18n.say(key, args)).toBe(text)
    expect(missing).toEqual([])
  })
  const hostile = [
    '$t(market.title)',
    '{{name}}',
    '{{count}}',
    '<img src=x onerror=alert(1)>',
    '&amp;',
    '$t(market.title, {"a":1})',
    '{{- name}}',
    '$1$&',
    '__proto__',
    '\\u0000 {{',
    "'; --",
    '%s',
  ]
  test.each(hostile)('a value %s stays as typed', (value) => {
    const { i18n } = market()
    expect(i18n.say('market.hello', { name: value })).toBe(`Hello ${value}!`)
  })
  test('two values cannot join to something that is carried out', () => {
    const { i18n } = market()
    expect(i18n.say('market.two', { a: '$t(', b: 'market.title)' })).toBe('$t(market.title)')
    expect(i18n.say('market.two', { a: '{{', b: 'name}}' })).toBe('{{name}}')
    expect(i18n.say('market.nest', { a: '$t(market.title)' })).toBe('$t(market.title) $t(market.title)')
    expect(i18n.say('market.nest', { a: 'x' })).toBe('$t(market.title) x')
  })
  test('names of arguments are never options', () => {
    const { i18n } = market()
    const args = {
      lng: 'fr',
      ns: 'x',
      defaultValue: 'evil',
      returnObjects: true,
      postProcess: 'x',
      keySeparator: '/',
      interpolation: { escapeValue: true },
      context: 'c',
      replace: { name: 'evil' },
      name: 'Ann',
    }
    expect(i18n.say('market.hello', args)).toBe('Hello Ann!')
    expect(i18n.say('market.hello', JSON.parse('{"__proto__":{"name":"evil"},"name":"Ann"}'))).toBe('Hello Ann!')
    expect(Object.keys(args)).not.toContain('count')
  })
  test.each(['market.nothing', 'nowhere.nothing', 'market.deep', 'market.constructor', 'market.__proto__', 'nothing', 'market'])(
    '%s is missing: its last part, told once',
    (key) => {
      const { i18n, missing } = market()
      const last = key.split('.').at(-1)
      expect([i18n.say(key), i18n.say(key)]).toEqual([last, last])
      expect(missing).toEqual([`en ${key}`])
    },
  )
  test('an area is replaced as a whole, the others stay', () => {
    const { i18n } = market()
    i18n.addArea('en', 'wallet', { title: 'Wallet' })
    i18n.addArea('en', 'market', { other: 'Other' })
    expect([i18n.say('market.title'), i18n.say('market.other'), i18n.say('wallet.title')]).toEqual(['title', 'Other', 'Wallet'])
    expect([i18n.hasArea('en', 'market'), i18n.hasArea('fr', 'market'), i18n.hasArea('en', 'constructor')]).toEqual([true, false, false])
  })
})

describe('changing the language', () => {
  const table: Record<string, Record<string, string>> = {
    hk: { n_other: '{{count}} 項', title: '市場' },
    fr: { title: 'Marché', n_one: '{{count}} ordre', n_other: '{{count}} ordres' },
  }
  function english(more: Partial<I18nOptions> = {}) {
    const fetchTexts = vi.fn(async (language: string) => table[language] ?? {})
    const started = start({ fetchTexts, ...more })
    started.i18n.addArea('en', 'market', { title: 'Market', n_one: '{{count}} order', n_other: '{{count}} orders' })
    return { ...started, fetchTexts }
  }
  test('waits for the areas in use, then tells once; coming back needs no fetch', async () => {
    const { i18n, fetchTexts } = english()
    const wake = vi.fn()
    i18n.onChange(wake)
    const change = i18n.change('fra')
    expect(i18n.say('market.title')).toBe('Market')
    await change
    expect([i18n.language(), i18n.say('market.title')]).toEqual(['fr', 'Marché'])
    await i18n.change('en')
    await i18n.change('en')
    expect([i18n.language(), i18n.say('market.title')]).toEqual(['en', 'Market'])
    expect(fetchTexts.mock.calls).toEqual([['fr', 'market']])
    expect(wake).toHaveBeenCalledTimes(2)
  })
  test('plurals follow the language and not the device: 1 in Chinese and 0 in French', async () => {
    const { i18n } = english()
    await i18n.change('hk')
    expect(i18n.say('market.n', { count: 1 })).toBe('1 項')
    await i18n.change('fr')
    expect(i18n.say('market.n', { count: 0 })).toBe('0 ordre')
  })
  test('what the new language lacks is said in the default one', async () => {
    const { i18n } = english({ fetchTexts: async () => ({}) })
    await i18n.change('fr')
    expect(i18n.say('market.title')).toBe('Market')
  })
  test('the last request wins, whatever comes first', async () => {
    const done: Record<string, () => void> = {}
    const { i18n } = english({
      fetchTexts: (language) => new Promise((resolve) => (done[language] = () => resolve(table[language] ?? {}))),
    })
    const asked = (language: string) => vi.waitFor(() => expect(done).toHaveProperty(language))
    const wishes = [i18n.change('fr')]
    await asked('fr')
    wishes.push(i18n.change('hk'))
    await asked('hk')
    done.hk?.()
    await wishes[1]
    done.fr?.()
    await wishes[0]
    expect([i18n.language(), i18n.say('market.title')]).toEqual(['hk', '市場'])
  })
  test('words are of the language that they are kept under, however quickly others are chosen', async () => {
    let at = 'en'
    const entered: (() => void)[] = []
    const { i18n } = english({
      enter: (language) => new Promise<void>((done) => void entered.push(() => done(void (at = language)))),
      fetchTexts: async () => table[at] ?? {},
    })
    const wishes = [i18n.change('fr'), i18n.change('hk')]
    for (const come of entered.splice(0)) come()
    await Promise.all(wishes)
    const again = i18n.change('fr')
    entered[0]?.()
    await again
    expect([i18n.language(), i18n.say('market.title')]).toEqual(['fr', 'Marché'])
  })
  test('a language that is chosen again is entered again, and shown even when it cannot be', async () => {
    const entered: string[] = []
    let isDown = false
    const { i18n } = english({
      async enter(language) {
        entered.push(language)
        if (isDown) throw new Error('down')
      },
    })
    await i18n.change('fr')
    await i18n.change('en')
    expect(entered).toEqual(['fr', 'en'])
    isDown = true
    await i18n.change('fr')
    expect([i18n.language(), i18n.say('market.title')]).toEqual(['fr', 'Marché'])
    await expect(i18n.change('hk')).rejects.toThrow('down')
    expect(i18n.language()).toBe('fr')
  })
  test('texts that do not come leave the language as it was', async () => {
    const { i18n } = english({ fetchTexts: () => Promise.reject(new Error('down')) })
    const wake = vi.fn()
    i18n.onChange(wake)
    await expect(i18n.change('fr')).rejects.toThrow('down')
    expect([i18n.language(), i18n.say('market.title'), wake.mock.calls.length]).toEqual(['en', 'Market', 0])
  })
})
