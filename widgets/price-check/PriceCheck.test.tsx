import { act } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { viewStage } from '#widgets/parts/view-fixture.tsx'
import { PriceCheck } from '#widgets/price-check/PriceCheck.tsx'

const wire = vi.hoisted(() => ({ call: vi.fn() }))
vi.mock('#renderer/widget-api.ts', () => ({
  useCall: () => wire.call,
  useEngineText: () => (key: string, values?: object) => [key, ...Object.values(values ?? {})].join(' '),
}))
vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
beforeEach(() => void wire.call.mockReset())

/** The first tick of a log, with its hash by hand: `printf` of the fields, one a line, into `sha256sum`. */
const tick = {
  tick_id: 1,
  symbol: 'BTCUSDT',
  price: '60001.50',
  size: '0.01',
  time: 1_795_000_000_001,
  source: 'manual',
  prev_hash: '0'.repeat(64),
  hash: '41232ab40c2c8a26d5ae0552ebe776ed004b00351819614271345431aea70351',
}
const stage = viewStage(PriceCheck, { tick, rule: 'logged' })
const answering = (row: object) => async (name: string) => ({ list: name === 'market.ticks' ? [row] : [] })
const press = () => act(async () => stage.box.querySelector('button')!.click())
const lines = () => [...stage.box.querySelectorAll('p, li')].map((one) => one.textContent)

test('a press reads the prices around it and the ends of days, and says what was checked', async () => {
  wire.call.mockImplementation(answering(tick))
  stage.show({})
  expect(wire.call).not.toHaveBeenCalled()
  await press()
  expect(lines()).toEqual([
    'widget.check_right',
    'widget.check_hash_right',
    'widget.check_log_right 1',
    'widget.check_chain_right 1 1 1',
    'widget.check_day_none',
    'widget.check_limits',
  ])
  expect(wire.call.mock.calls).toEqual([
    ['market.ticks', { from: '1', limit: '500' }],
    ['market.dayEnds', { from: '1795000000001', limit: '3' }],
  ])
})

test('a log that says something else is told', async () => {
  wire.call.mockImplementation(answering({ ...tick, price: '1.00' }))
  stage.show({})
  await press()
  expect(lines().slice(0, 4)).toEqual([
    'widget.check_wrong',
    'widget.check_hash_right',
    'widget.check_log_wrong 1',
    'widget.check_chain_wrong 1',
  ])
})

test('without an answer it says so, and can be pressed again', async () => {
  wire.call.mockRejectedValueOnce(new Error('offline'))
  stage.show({})
  await press()
  expect(lines()).toEqual(['widget.check_failed'])
  wire.call.mockImplementation(answering(tick))
  await press()
  expect(lines()[0]).toBe('widget.check_right')
})
