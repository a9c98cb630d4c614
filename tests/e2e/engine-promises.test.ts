import { readFile } from 'node:fs/promises'
import { afterEach, expect, test } from 'vitest'
import type { Json } from '#language/documents/documents.ts'
import { stands, useBrowser } from '#tests/support/browser/browser.ts'
import { expectToast, messages } from '#tests/support/browser/messages.ts'
import { eventually } from '#tests/support/eventually.ts'
import { useApp } from '#tests/support/servers/app.ts'

/** Behaviour of the engine that authors of documents rely on, tested with two replaced screens. */
const app = useApp()
const { visit } = useBrowser()
afterEach(() => app.restore())

const aboutus = (body: Json[], more: object = {}) => ({
  kind: 'screen',
  id: 'common.aboutus',
  format: 1,
  body: [{ id: 'page', widget: 'page', slots: { body } }],
  ...more,
})

test('a rule depends only on the branch that it takes, whatever field the other branch names', async () => {
  const limit = { '===': [{ var: 'form.mode' }, 'limit'] }
  const cost = { if: [limit, { '*': [{ var: 'value' }, { var: 'form.price' }] }, { var: 'value' }] }
  const rule = { test: { '<=': [cost, 1_000] }, message: 'More than you have' }
  const line = (name: string, type: string, more: object) => ({
    name,
    type,
    widget: `${type === 'string' ? 'text' : type}-field`,
    label: name,
    ...more,
  })
  const form = {
    kind: 'form',
    id: 'common.forgot',
    format: 1,
    fields: [
      line('mode', 'string', { default: 'market' }),
      line('price', 'decimal', { show: limit, required: true }),
      line('size', 'decimal', { required: true, rules: [rule] }),
    ],
    rules: [{ test: { '!==': [{ var: 'form.size' }, '13'] }, message: 'Not thirteen', field: 'price' }],
    submit: { label: 'Send', steps: [{ toast: 'Sent' }] },
  }
  await app.force({ 'form/common.forgot': form })
  const { page } = await visit({ origin: app.origin, path: 'pages/common/forgot', screen: 'common.forgot' })
  const size = page.locator('[name=size]')
  const send = page.getByRole('button', { name: 'Send', exact: true })
  await size.fill('1000.01')
  await send.click()
  await page.getByText('More than you have').waitFor()
  // A rule of the form with a hidden field shows its message above the button.
  await size.fill('13')
  await send.click()
  await page.locator('.form-problem', { hasText: 'Not thirteen' }).waitFor()
  await size.fill('1000')
  await page.locator('.form-problem').waitFor({ state: 'detached' })
  expect((await messages(page)).filter((one) => one.includes('Sent'))).toEqual([])
  await send.click()
  await expectToast(page, 'Sent')
  // The form of the files uses validations that this page has not loaded.
  await app.restore()
  await page.locator('[name=code]').waitFor()
})

test('"Go to home" leaves a circle of enter steps, even when home is part of it', async () => {
  const routes = JSON.parse(await readFile('schemas/routes.json', 'utf8')) as { routes: object }
  const screen = (id: string, text: string, to: string) => ({
    ...aboutus([{ id: 'here', widget: 'text', props: { text } }], { enter: [{ go: to }] }),
    id,
  })
  // A new screen: a screen with an earlier revision would be replaced by that.
  await app.force({
    'routes/routes': { ...routes, routes: { ...routes.routes, 'pages/round': { screen: 'common.round' } } },
    'screen/common.round': screen('common.round', 'Round', '/'),
    'screen/home.home': screen('home.home', 'Home stands', 'pages/round'),
  })
  const { page, allow } = await visit({ origin: app.origin, path: 'pages/round', screen: 'broken' })
  // The app asks for an earlier revision.
  allow(/404 .*\/config\/revisions\?document=screen%2Fcommon\.round/)
  allow(/"enter" causes a cycle: common\.round → home\.home → common\.round/)
  await page.getByRole('button', { name: 'Go to home' }).click()
  await page.getByText('Home stands').waitFor()
  expect(new URL(page.url()).hash).toBe('#/')
})

test('a computed symbol gets its price, and an unknown symbol does not affect others', async () => {
  const price = (id: string, symbol: string) => ({ id, widget: 'price', props: { symbol } })
  const computed = { id: 'computed', widget: 'text', props: { text: { $: { cat: [{ var: 'feed[state.symbol].last' }] } } } }
  const next = { id: 'next', widget: 'button', props: { label: 'Next' }, on: { press: [{ set: { 'state.symbol': 'ETHUSDT' } }] } }
  const body = [price('good', 'XAUUSDT'), price('bad', 'not/one'), computed, next]
  await app.force({ 'screen/common.aboutus': aboutus(body, { state: { symbol: 'BTCUSDT' } }) })
  const visited = await visit({ origin: app.origin })
  const asked: string[][] = []
  const refused: string[][] = []
  visited.page.on('websocket', (socket) => {
    const read = (payload: string | Buffer) => JSON.parse(String(payload)) as { action: string; symbols?: string[]; error?: string }
    socket.on('framesent', ({ payload }) => {
      const { action, symbols } = read(payload)
      if (action === 'getQuota' && symbols) asked.push(symbols)
    })
    socket.on('framereceived', ({ payload }) => {
      const { error, symbols } = read(payload)
      if (error === 'symbol_unknown' && symbols) refused.push(symbols)
    })
  })
  const { page, go } = visited
  await go('pages/common/aboutus', 'common.aboutus')
  const text = (id: string) => page.locator(`[data-node=${id}]`).innerText()
  await eventually(() => text('good')).toMatch(/\d/)
  await eventually(() => text('computed')).toMatch(/^\d/)
  expect(await text('bad')).toBe('—')
  await eventually(() => refused.flat()).toContain('not/one')
  expect(asked.at(-1)?.toSorted()).toEqual(['BTCUSDT', 'XAUUSDT', 'not/one'])
  const left = (await page.locator('[data-node=good]').boundingBox())?.x ?? 0
  expect(left).toBe((await page.locator('[data-node=computed]').boundingBox())?.x)
  const before = await text('computed')
  await page.getByRole('button', { name: 'Next' }).click()
  await eventually(() => asked.at(-1)?.toSorted()).toEqual(['ETHUSDT', 'XAUUSDT', 'not/one'])
  await eventually(async () => Number(await text('computed')) < Number(before) / 2).toBe(true)
})

test('back closes what lies over the first page, one by one, and refuses a prompt; forward opens nothing again', async () => {
  const button = (id: string, press: Json[]) => ({ id, widget: 'button', props: { label: id }, on: { press } })
  const ask: Json[] = [{ confirm: 'logout' }, { set: { 'state.messages': 'agreed' } }]
  const body: Json[] = [
    { id: 'told', widget: 'text', props: { text: { $: 'state.messages' } } },
    { id: 'works', widget: 'picture-viewer', props: { label: 'Works', pictures: [{ id: 'a', src: '/icons/apple-touch-icon.png' }] } },
    button('more', [{ open: 'sheet' }]),
    { id: 'sheet', widget: 'sheet', props: { title: 'More' }, slots: { body: [button('ask', ask), button('away', [{ go: '/' }])] } },
  ]
  await app.force({ 'screen/common.aboutus': aboutus(body, { state: { messages: 'nothing' } }) })
  const { page } = await visit({ origin: app.origin, path: 'pages/common/aboutus', screen: 'common.aboutus' })
  const address = page.url()
  const press = (id: string) => page.locator(`[data-node=${id}]`).click()
  const layers = () => page.locator('[role=dialog], [role=alertdialog]')
  const back = () => page.evaluate(() => history.back())

  await press('more')
  await press('ask')
  await page.locator('[role=alertdialog]').waitFor()
  await back()
  await page.locator('[role=alertdialog]').waitFor({ state: 'detached' })
  expect([await layers().count(), await page.locator('[data-node=told]').innerText()]).toEqual([1, 'nothing'])
  await back()
  await expect.poll(() => layers().count()).toBe(0)
  await page.evaluate(() => history.forward())
  await expect.poll(() => page.evaluate(() => history.state.layer)).toBeUndefined()
  expect([await layers().count(), page.url()]).toEqual([0, address])

  await page.locator('[data-node=works] button').click()
  await layers().waitFor()
  await back()
  await expect.poll(() => layers().count()).toBe(0)
  expect(page.url()).toBe(address)

  // A move out of a sheet leaves nothing of it behind: one step leads back to the page.
  await press('more')
  await press('away')
  await stands(page, 'home.home')
  await back()
  await stands(page, 'common.aboutus')
  expect([await layers().count(), page.url()]).toEqual([0, address])
})
