import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { viewStage } from '#widgets/parts/view-fixture.tsx'
import { ShareCard } from '#widgets/share-card/ShareCard.tsx'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
const feed = vi.hoisted(() => ({ last: undefined as string | undefined }))
const saved = vi.hoisted(() => [] as string[])
vi.mock('#widgets/parts/download.ts', () => ({ download: (_: Blob, name: string) => saved.push(name) }))
vi.mock('#renderer/widget-api.ts', () => ({
  useQuote: () => (feed.last === undefined ? undefined : { last: feed.last }),
  useEngineText: () => (key: string) => key.replace('widget.', ''),
  useFormat: () => ({
    amount: (text: string) => text,
    price: (text: string) => text,
    percent: (ratio: string) => `${(Number(ratio) * 100).toFixed(2)}%`,
    dateTime: (time: number) => new Date(time).toISOString(),
  }),
}))

const closed = {
  symbol: 'BTCUSDT',
  name: 'BTC/USDT',
  base: 'BTC',
  currency_code: 'USDT',
  list: 'history',
  side: 'long',
  multiple: 20,
  lots: '10',
  lot_size: '0.01',
  open_price: '50000',
  exit_price: '51000',
  margin: '0',
  maintenance_rate: '0.005',
  fee_rate: '0.0005',
  spread: '0',
  overnight_open: '0',
  result: '94.95',
  opened: 1_700_000_000_000,
  ended: 1_700_000_100_000,
}
const open = { ...closed, list: 'position', exit_price: null, margin: '250', ended: null }
const words = { label: 'Picture', brand: 'Tessera', invite: 'Join', code: 'ABC', link: 'https://tessera.example/#/r?code=ABC' }
const stage = viewStage(ShareCard, words)
const labelOf = () => stage.box.querySelector('canvas')?.getAttribute('aria-label')
const status = () => stage.box.querySelector('[role="status"]')?.textContent
const part = (name: string) => stage.box.querySelector<HTMLButtonElement>(`[data-part="${name}"]`)
const press = (name: string) => act(async () => part(name)?.click())

beforeEach(() => {
  feed.last = undefined
  saved.length = 0
  HTMLCanvasElement.prototype.toBlob = (done) => done(new Blob(['png'], { type: 'image/png' }))
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  Reflect.deleteProperty(navigator, 'share')
  Reflect.deleteProperty(navigator, 'canShare')
})

test('the picture of a closed trade is told in words', () => {
  stage.show({ trade: closed })
  expect(labelOf()).toBe(
    'Picture, BTC/USDT, position_long ×20, +37.98%, +94.95 USDT, position_open_price, 50000, position_exit_price, 51000, position_ended, 2023-11-14T22:15:00.000Z',
  )
})

test('the picture of a settled option is told in words', () => {
  const option = {
    symbol: 'BTCUSDT',
    name: 'BTC/USDT',
    base: 'BTC',
    currency_code: 'USDT',
    type: 'down',
    seconds: 60,
    number: '100',
    open_price: '50000',
    settle_price: '50010',
    profit: '-100',
    settled: 1_700_000_060_000,
  }
  stage.show({ trade: option })
  expect(labelOf()).toBe(
    'Picture, BTC/USDT, option_down · minutes_short, −100.00%, −100 USDT, option_open, 50000, option_settle, 50010, card_settled, 2023-11-14T22:14:20.000Z',
  )
})

test('a market with simulated prices is named so', () => {
  stage.show({ trade: closed, simulated: true })
  expect(labelOf()).toMatch(/, chart.simulated$/)
})

test('an open position follows the last price, and waits for the first one', () => {
  stage.show({ trade: open })
  expect(stage.box.querySelector('canvas')).toBeNull()
  feed.last = '49000'
  stage.show({ trade: open })
  expect(labelOf()).toContain('−41.98%, −104.95 USDT, position_open_price, 50000, position_mark, 49000, position_opened')
})

test('amounts can be hidden; the rate stays', async () => {
  stage.show({ trade: closed })
  await press('hide')
  expect(part('hide')?.getAttribute('aria-pressed')).toBe('true')
  expect(labelOf()).not.toContain('94.95')
  expect(labelOf()).toContain('+37.98%')
})

test('a device without a share sheet saves the picture', async () => {
  stage.show({ trade: closed })
  await press('share')
  expect([saved, status()]).toEqual([['tessera-btcusdt-long.png'], 'card_saved'])
  await press('save')
  expect(saved).toHaveLength(2)
})

test('a share sheet gets picture and link; one that is closed says nothing, one that fails does', async () => {
  const share = vi.fn(async (_: ShareData) => undefined)
  Object.assign(navigator, { canShare: () => true, share })
  stage.show({ trade: closed })
  await press('share')
  const sent = share.mock.calls[0]?.[0]
  expect([sent?.files?.map(({ name, type }) => [name, type]), sent?.text]).toEqual([
    [['tessera-btcusdt-long.png', 'image/png']],
    'Join https://tessera.example/#/r?code=ABC',
  ])
  share.mockRejectedValueOnce(new DOMException('closed', 'AbortError'))
  await press('share')
  expect(status()).toBe('')
  share.mockRejectedValueOnce(new DOMException('no', 'NotAllowedError'))
  await press('share')
  expect(status()).toBe('card_failed')
  expect(saved).toEqual([])
})

test('a picture that the browser does not make is told', async () => {
  HTMLCanvasElement.prototype.toBlob = (done) => done(null)
  stage.show({ trade: closed })
  await press('save')
  expect([saved, status()]).toEqual([[], 'card_failed'])
})
