import type { IChartApi } from 'lightweight-charts'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Candle } from '#contract/calls/market.calls.ts'
import { type Canvas, type CanvasSettings, createCanvas } from '#widgets/candle-chart/canvas.ts'
import type { Study } from '#widgets/candle-chart/studies/study.ts'

/** The library itself; without its colour parser, which needs a browser, and without frames, so that nothing is painted. */
const made = vi.hoisted(() => ({ chart: undefined as unknown as IChartApi }))
vi.mock('lightweight-charts', async (original) => {
  const library = await original<typeof import('lightweight-charts')>()
  const createChartEx = (host: HTMLElement, scale: never, options: { layout: object }) => {
    const layout = { ...options.layout, colorParsers: [() => [0, 0, 0, 1]] }
    made.chart = library.createChartEx(host, scale, { ...options, layout } as never) as unknown as IChartApi
    return made.chart
  }
  return { ...library, createChartEx }
})
const frames = vi.spyOn(globalThis, 'requestAnimationFrame').mockReturnValue(0)
afterAll(() => frames.mockRestore())

const dayMs = 86_400_000
const candle = (day: number, close: string): Candle => ({ time: day * dayMs, open: '10', high: '14', low: '8', close, volume: '3' })
const settings: CanvasSettings = { mode: 'candles', volume: true, tick: '0.01', intraday: false, tag: 'en', price: (text) => text }
const rsi: Study = { name: 'RSI(14)', pane: 'RSI', shape: 'line', tone: 'accent', values: [40, 50, 60] }
const candles = [candle(1, '10'), candle(2, '11'), candle(3, '12')]

let canvas: Canvas
beforeEach(() => {
  const host = document.createElement('div')
  host.getBoundingClientRect = () => ({ width: 400, height: 300 }) as DOMRect
  document.body.replaceChildren(host)
  canvas = createCanvas(host, settings, { cursor: () => undefined, nearStart: () => undefined, drawn: () => undefined })
  canvas.show(candles, true)
})
afterEach(() => canvas.remove())

const panes = () => made.chart.panes().map((pane) => pane.getSeries().map((series) => series.seriesType()))

test('prices stay in the first pane when their form changes, with an indicator below them', () => {
  canvas.studies([rsi])
  expect(panes()).toEqual([['Histogram', 'Candlestick'], ['Line']])
  canvas.configure({ ...settings, mode: 'line', volume: false })
  expect(panes()).toEqual([['Area'], ['Line']])
})

test('a candle that changes or comes adds its value to each indicator, all others stay', () => {
  const bars: Study = { name: 'MACD(12, 26, 9)', pane: 'MACD', shape: 'bars', tone: 'quiet', values: [undefined, 1, -1] }
  const valuesAfter = (list: readonly Candle[], line: number[], histogram: (number | undefined)[]) => {
    canvas.show(list, false)
    canvas.studies([
      { ...rsi, values: line },
      { ...bars, values: histogram },
    ])
    return series.map((one) => one.data().map((point) => (point as { value: number }).value))
  }
  canvas.studies([rsi, bars])
  const series = made.chart
    .panes()
    .slice(1)
    .flatMap((pane) => pane.getSeries())
  const fills = series.map((one) => vi.spyOn(one, 'setData'))
  const changed = [...candles.slice(0, -1), candle(3, '13')]
  expect(valuesAfter(changed, [40, 50, 65], [undefined, 1, 2])).toEqual([
    [40, 50, 65],
    [1, 2],
  ])
  expect(valuesAfter([...changed, candle(4, '9')], [40, 50, 65, 30], [undefined, 1, 2, -3])).toEqual([
    [40, 50, 65, 30],
    [1, 2, -3],
  ])
  expect(fills.map((fill) => fill.mock.calls.length)).toEqual([0, 0])
  const earlier = [candle(0, '9'), ...changed]
  expect(valuesAfter(earlier, [20, 40, 50, 65], [undefined, 0, 1, 2])).toEqual([
    [20, 40, 50, 65],
    [0, 1, 2],
  ])
  expect(fills.map((fill) => fill.mock.calls.length)).toEqual([1, 1])
})

test('a price out of sight has no height, or that of the nearest edge while it is held', () => {
  const height = made.chart.panes()[0]!.getHeight()
  expect(canvas.yOf('11')).toBeGreaterThan(0)
  expect(canvas.yOf('11', true)).toBe(canvas.yOf('11'))
  expect([canvas.yOf('1000'), canvas.yOf('1')]).toEqual([undefined, undefined])
  expect([canvas.yOf('1000', true), canvas.yOf('1', true)]).toEqual([0, height])
})
