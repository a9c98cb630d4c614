import type { Page } from 'playwright'
import { afterEach, describe, expect, test } from 'vitest'
import { pinLimits } from '#renderer/config/pinned-documents.ts'
import { badInputs, nameOf } from '#tests/support/bad-inputs.ts'
import { stands, useBrowser, type Visit } from '#tests/support/browser/browser.ts'
import { settled, timePasses } from '#tests/support/browser/waits.ts'
import { changed, copy, document, meddle, type Part, replace } from '#tests/support/meddle.ts'
import { useApp } from '#tests/support/servers/app.ts'

const app = useApp()
const { visit } = useBrowser()
afterEach(() => app.restore())

const noise = /^console: (?!policy)/
const market = 'screens/market/market'
const words = (page: Page) => page.locator('.app').innerText()
/** Not blank, and nothing that is meant for a programmer. */
async function expectHonest(page: Page) {
  const text = await words(page)
  expect(text.trim().length).toBeGreaterThan(10)
  expect(text).not.toMatch(/undefined|\[object|TypeError|"kind"|\{"|hologram|NaN/)
}
const settings = async ({ page, go }: Visit) => {
  await go('pages/setting/setting', 'setting.setting')
  await page.locator('[data-node="language"]').waitFor()
}
const openAnew = async ({ page }: Visit, path: string) => {
  await page.goto('about:blank')
  await page.goto(`${app.origin}/#/${path}`)
}

/** Values that could replace a document. */
const mutations: [string, unknown][] = [
  ['null', null],
  ['a text', 'null'],
  ['a list', []],
  ['an empty object', {}],
  ['only a kind', { kind: 'screen' }],
  ['a body of wrong nodes', { kind: 'screen', id: 'x', format: 1, body: [null, 7, {}, { id: 'a' }, { widget: 5 }] }],
  ['a body that is an object', { kind: 'screen', id: 'x', format: 1, body: { length: 2 } }],
  [
    'sources that are none',
    { kind: 'screen', id: 'x', format: 1, data: { a: null, b: 5 }, body: [{ id: 'a', widget: 'text', props: { text: { $: 'data.a' } } }] },
  ],
  ['slots that are none', { kind: 'screen', id: 'x', format: 1, body: [{ id: 'a', widget: 'page', slots: { body: 'x' } }] }],
  [
    'a list that repeats nothing',
    {
      kind: 'screen',
      id: 'x',
      format: 1,
      body: [{ id: 'a', widget: 'page', slots: { body: [{ id: 'b', widget: 'text', repeat: null }] } }],
    },
  ],
]
const values: [string, unknown][] = [...mutations, ...badInputs('config-doc').map((line): [string, unknown] => [nameOf(line), line.value])]
const screens = ['screen/home.home', 'screen/market.market', 'quick-entries/home', 'quick-entries/tabs']
const grounds = ['app/app', 'routes/routes', 'theme/theme']

/** Every value once, each key with another one; renderer/config/release-check.test.ts tries the grounds one by one. */
const rounds = (keys: readonly string[]): [key: string, name: string, value: unknown][][] =>
  Array.from({ length: Math.ceil(values.length / keys.length) }, (_, round) =>
    keys.map((key, i) => {
      const [name, value] = values[(round * keys.length + i) % values.length]!
      return [key, name, value ?? 'null']
    }),
  )

describe('past every check of the server, a release comes with', () => {
  test('screens and lists that are none: nothing is blank, settings are reachable', { tags: 'full' }, async () => {
    const visited = await visit({ serviceWorkers: 'block', origin: app.origin, screen: 'home.home' })
    const { page, allow, go } = visited
    allow(noise)
    for (const round of rounds(screens)) {
      const names = round.map(([key, name]) => `${key}: ${name}`).join('; ')
      await meddle(page, replace(Object.fromEntries(round.map(([key, , value]) => [key, value]))))
      try {
        await openAnew(visited, '')
        await stands(page)
        await expectHonest(page)
        await go('pages/market/market')
        await expectHonest(page)
        await settings(visited)
      } catch (error) {
        throw new Error(names, { cause: error })
      }
      await page.unrouteAll({ behavior: 'wait' })
    }
    await openAnew(visited, '')
    await page.locator('[data-node="hot-list"] [data-key="BTCUSDT"]').waitFor()
  })

  test('grounds that nothing can stand on: it is not taken over, and the last good one stays', { tags: 'full' }, async () => {
    const visited = await visit({ serviceWorkers: 'block', origin: app.origin, screen: 'home.home' })
    const { page, allow } = visited
    allow(noise)
    for (const round of rounds(grounds)) {
      await meddle(page, replace(Object.fromEntries(round.map(([key, , value]) => [key, value]))))
      await openAnew(visited, '')
      await stands(page, 'home.home').catch((error: unknown) => {
        throw new Error(round.map(([key, name]) => `${key}: ${name}`).join('; '), { cause: error })
      })
      await expectHonest(page)
      await page.unrouteAll({ behavior: 'wait' })
    }
    await settings(visited)
  })

  const worse: [string, () => Record<string, unknown>][] = [
    ['no way home', () => ({ 'routes/routes': { ...document('routes'), routes: { 'pages/x': { screen: 'home.home' } } } })],
    ['a route that is null', () => ({ 'routes/routes': { ...document('routes'), routes: { '/': { screen: 'home.home' }, x: null } } })],
    [
      'a language that nobody speaks',
      () => ({ 'app/app': { ...document('app'), languages: [{ id: 'en', tag: 'not a tag', label: 'x' }] } }),
    ],
    ['no tab bar', () => ({ 'app/app': { ...document('app'), tabBar: null } })],
    ['no constants', () => ({ 'app/app': { ...document('app'), constants: null } })],
    ['no colours', () => ({ 'theme/theme': { ...document('theme'), dark: null } })],
    ['no routes document', () => ({ 'routes/routes': null })],
  ]
  test('grounds that look whole and are not: a page that is open stays as it is', { tags: 'full' }, async () => {
    const visited = await visit({ serviceWorkers: 'block', origin: app.origin, screen: 'home.home' })
    const { page, allow, go } = visited
    allow(noise)
    for (const [name, documents] of worse) {
      const asked = page.waitForResponse('**/config/manifest*')
      await app.force(documents())
      await asked
      await go('pages/market/market', 'market.market')
      await go('', 'home.home').catch(() => Promise.reject(new Error(name)))
      await expectHonest(page)
      await openAnew(visited, '')
      await stands(page, 'home.home').catch(() => Promise.reject(new Error(`${name}, opened anew`)))
    }
    await app.restore()
    await openAnew(visited, '')
    await page.locator('[data-node="hot-list"] [data-key="BTCUSDT"]').waitFor()
  })
})

describe('a document that breaks here', () => {
  const thrown = { props: { label: 7, value: {}, options: 'none' } }
  const throwing = (more: Part = {}) => changed(market, 'groups', (node) => Object.assign(node, copy(thrown), more))
  const groups = '[data-node="groups"]'
  const reports = async () =>
    (
      (await (await fetch(`${app.origin}/config/reports`)).json()) as {
        rows: { kind: string; document: string; node: string; count: number }[]
      }
    ).rows

  test('is shown with a gap the first time, and as it was the second; another page knows; a repair is taken', async () => {
    const visited = await visit({ serviceWorkers: 'block', clock: true, origin: app.origin, screen: 'home.home' })
    const { page, go, allow } = visited
    allow(noise)
    await app.force({ 'screen/market.market': throwing() })
    await go('pages/market/market', 'market.market')
    await page.locator(`${groups}.broken`).waitFor()
    await page.locator('[data-node="list"] [data-key="BTCUSDT"]').waitFor()
    await timePasses(page, 1_000)
    await go('', 'home.home')
    await go('pages/market/market', 'market.market')
    await page.locator(`${groups}:not(.broken)`).waitFor()
    await openAnew(visited, 'pages/market/market')
    await page.locator(`${groups}:not(.broken)`).waitFor()
    expect(await page.locator('.broken').count()).toBe(0)
    await app.force({
      'screen/market.market': changed(market, 'to-search', (node) => Object.assign(node.props as Part, { label: 'Repaired' })),
    })
    await page.getByText('Repaired').or(page.getByLabel('Repaired')).first().waitFor()
    await page.goto('about:blank')
    await expect
      .poll(async () => (await reports()).map(({ kind, document: key }) => `${kind} ${key}`))
      .toContain('pinned screen/market.market')
    expect((await reports()).find(({ kind }) => kind === 'broken')).toMatchObject({ document: 'screen/market.market', node: 'groups' })
  })

  test('is as it was the second time, however late what counts the times is loaded', async () => {
    const { page, go, allow } = await visit({ serviceWorkers: 'block', clock: true, origin: app.origin, screen: 'home.home' })
    allow(noise)
    let release = () => {}
    const second = new Promise<void>((done) => (release = done))
    await page.route('**/assets/recovery-*', (route) => second.then(() => route.continue()))
    await app.force({ 'screen/market.market': throwing() })
    await go('pages/market/market', 'market.market')
    await page.locator(`${groups}.broken`).waitFor()
    await page.clock.runFor(pinLimits.sameDrawMs + 100)
    await go('', 'home.home')
    await go('pages/market/market', 'market.market')
    await page.locator(`${groups}.broken`).waitFor()
    release()
    await page.locator(`${groups}:not(.broken)`).waitFor()
  })

  test('in a critical place is as it was at once, whatever stands around it', { tags: 'full' }, async () => {
    const { page, go, allow } = await visit({ serviceWorkers: 'block', origin: app.origin, screen: 'home.home' })
    allow(noise)
    await app.force({ 'screen/market.market': throwing({ critical: true }) })
    await go('pages/market/market', 'market.market')
    // Its outline stands there before it breaks, without anything to press.
    await page.locator(`${groups}:not(.broken) :is(button, input)`).first().waitFor({ state: 'attached' })
    expect(await page.locator('.broken, [data-screen="broken"]').count()).toBe(0)
  })

  test('as a whole is as it was at once', { tags: 'full' }, async () => {
    const { page, go, allow } = await visit({ serviceWorkers: 'block', origin: app.origin, screen: 'home.home' })
    allow(noise)
    await app.force({ 'screen/market.market': { ...document(market), body: 'nothing' } })
    await go('pages/market/market')
    await page.locator('[data-node="list"] [data-key="BTCUSDT"]').waitFor()
  })
})

describe('an open prompt', () => {
  test('keeps a release waiting until the next page', async () => {
    const { page, go } = await visit({
      serviceWorkers: 'block',
      origin: app.origin,
      path: 'pages/setting/setting',
      screen: 'setting.setting',
    })
    const before = await page.locator('h1').first().innerText()
    await page.locator('[data-node="clear"]').first().click()
    await page.getByRole('alertdialog').waitFor()
    const renamed = copy(document('screens/setting/setting'))
    const answered = page.waitForResponse('**/config/manifest*')
    await app.force({
      'screen/setting.setting': JSON.parse(JSON.stringify(renamed).replace('"setting.title"', '"common.nothing"')) as Part,
    })
    await answered
    await settled(page)
    expect(await page.locator('h1').first().innerText()).toBe(before)
    await page.getByRole('alertdialog').getByRole('button').first().click()
    await settled(page)
    expect(await page.locator('h1').first().innerText()).toBe(before)
    await go('', 'home.home')
    await go('pages/setting/setting', 'setting.setting')
    await expect.poll(() => page.locator('h1').first().innerText()).not.toBe(before)
  })
})

describe('a build and a document that is too new for it', () => {
  test('the build stays on the last one that it can show, and others of the release are new', { tags: 'full' }, async () => {
    const { page, go } = await visit({ serviceWorkers: 'block', origin: app.origin, screen: 'home.home' })
    const entries = copy(document('quick-entries/home')) as { entries: Part[] }
    entries.entries = entries.entries.slice(0, 3)
    await app.force({
      'screen/market.market': changed(market, 'to-search', (node) => Object.assign(node, { widget: 'hologram' })),
      'quick-entries/home': entries,
    })
    await expect.poll(() => page.locator('[data-node="entries"] a').count()).toBe(3)
    await go('pages/market/market', 'market.market')
    await page.locator('[data-node="list"] [data-key="BTCUSDT"]').waitFor()
    expect(await page.locator('.broken').count()).toBe(0)
    expect(await page.locator('[data-node="to-search"]').count()).toBe(1)
  })

  test('a build of which the server knows nothing says what it can show', { tags: 'full' }, async () => {
    const { page, go } = await visit({ serviceWorkers: 'block', origin: app.origin })
    await page.route('**/config/manifest*', (route) =>
      route.continue({
        url: route
          .request()
          .url()
          .replace(/caps=[0-9a-f]{64}/, `caps=${'0'.repeat(64)}`),
      }),
    )
    const answered = page.waitForResponse('**/config/caps')
    await go('', 'home.home')
    expect((await answered).status()).toBe(204)
  })
})
