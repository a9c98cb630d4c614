import {
  AreaSeries,
  CandlestickSeries,
  ColorType,
  CrosshairMode,
  createChartEx,
  HistogramSeries,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  type MouseEventParams,
  type SeriesType,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts'
import type { Candle } from '#contract/calls/market.calls.ts'
import { onlyLastDiffers } from '#widgets/candle-chart/candles.rules.ts'
import { faint, type Look, readLook } from '#widgets/candle-chart/look.ts'
import { type ChartLine, panesOf, type Study, toneOf } from '#widgets/candle-chart/studies/study.ts'
import { createTimeScale } from '#widgets/candle-chart/times/time-scale.ts'
import { createTimeTexts, type TimeTexts } from '#widgets/candle-chart/times/times.ts'

export interface CanvasSettings {
  mode: 'candles' | 'line'
  volume: boolean
  tick: string
  intraday: boolean
  /** BCP 47. */
  tag: string
  price: (text: string) => string
}

interface CanvasEvents {
  /** Time of the candle under the pointer in ms; undefined when the pointer has left. */
  cursor: (timeMs: number | undefined) => void
  /** Called when the first candles become visible. */
  nearStart: () => void
  /** The chart was drawn, so that a price may stand at another height. */
  drawn: () => void
}

export interface Canvas {
  /** `fresh`: another symbol or period, shown from its end; otherwise the scroll position is kept. */
  show(candles: readonly Candle[], fresh: boolean): void
  configure(settings: CanvasSettings): void
  /** Draws indicators, each value at its candle. */
  studies(studies: readonly Study[]): void
  /** Draws horizontal lines at prices. */
  lines(lines: readonly ChartLine[]): void
  /** Height of a price in px from the top of the canvas; while it is out of sight undefined, or the nearest edge when it is `held`. */
  yOf(price: string, held?: boolean): number | undefined
  /** The price at a height, on the price step. */
  priceAt(y: number): string | undefined
  /** Reads the colours again. */
  repaint(): void
  /** Moves the crosshair to a candle and scrolls it into view; undefined removes the crosshair. */
  point(index: number | undefined): void
  remove(): void
}

const nearBars = 30
const barPx = 7

/** JS numbers are used for drawing only; displayed figures come from the candle's text. */
export function createCanvas(host: HTMLElement, first: CanvasSettings, events: CanvasEvents): Canvas {
  let settings = first
  let look: Look = readLook(host)
  let candles: readonly Candle[] = []
  let times: TimeTexts = createTimeTexts(first.tag, first.intraday)
  // The attribution is a link below the chart (Plot.tsx): the library's own sets HTML from text, which Trusted Types forbid.
  const scale = createTimeScale(() => times)
  const chart = createChartEx<Time, typeof scale>(host, scale, { autoSize: true, layout: { attributionLogo: false } } as never) as IChartApi
  // The prices are made anew in it; without this, the pane of an indicator would become the first as soon as they are removed.
  chart.panes()[0]!.setPreserveEmptyPane(true)
  let prices: ISeriesApi<SeriesType> | undefined
  let volumes: ISeriesApi<'Histogram'> | undefined
  let shownStudies: readonly Study[] = []
  let studySeries: ISeriesApi<SeriesType>[] = []
  /** The candles that the indicators are drawn for. */
  let studied: readonly Candle[] = []
  let shownLines: readonly ChartLine[] = []
  let priceLines: IPriceLine[] = []

  const stamp = (candle: Candle) => Math.floor(candle.time / 1_000) as UTCTimestamp
  const priceBar = (candle: Candle) =>
    settings.mode === 'line'
      ? { time: stamp(candle), value: Number(candle.close) }
      : { time: stamp(candle), open: Number(candle.open), high: Number(candle.high), low: Number(candle.low), close: Number(candle.close) }
  const volumeBar = (candle: Candle) => ({
    time: stamp(candle),
    value: Number(candle.volume),
    color: faint(Number(candle.close) < Number(candle.open) ? look.down : look.up, 0.42),
  })

  function dress(): void {
    chart.applyOptions({
      layout: {
        background: { type: ColorType.Solid, color: 'transparent' },
        textColor: look.text,
        fontFamily: look.font,
        fontSize: look.fontPx,
        panes: { separatorColor: look.line, separatorHoverColor: faint(look.text, 0.2) },
      },
      grid: { vertLines: { color: faint(look.line, 0.35) }, horzLines: { color: faint(look.line, 0.35) } },
      rightPriceScale: { borderVisible: false, entireTextOnly: true, scaleMargins: { top: 0.06, bottom: settings.volume ? 0.24 : 0.06 } },
      timeScale: {
        borderColor: look.line,
        timeVisible: settings.intraday,
        secondsVisible: false,
        rightOffset: 5,
        minBarSpacing: 1.5,
        tickMarkFormatter: (time: Time, type: number) => times.mark(Number(time), type),
      },
      crosshair: {
        mode: CrosshairMode.Magnet,
        vertLine: { color: look.text, width: 1, style: LineStyle.Dashed, labelBackgroundColor: look.raised },
        horzLine: { color: look.text, width: 1, style: LineStyle.Dashed, labelBackgroundColor: look.raised },
      },
      handleScroll: { vertTouchDrag: false },
      localization: { locale: settings.tag, timeFormatter: (time: Time) => times.full(Number(time)) },
    })
    prices?.applyOptions({
      priceFormat: {
        type: 'custom',
        minMove: Number(settings.tick) || 0.01,
        formatter: (value: number) => settings.price(value.toFixed(decimals())),
      },
      ...(settings.mode === 'line'
        ? { lineColor: look.accent, lineWidth: 2, topColor: faint(look.accent, 0.24), bottomColor: faint(look.accent, 0) }
        : { upColor: look.up, downColor: look.down, wickUpColor: look.up, wickDownColor: look.down, borderVisible: false }),
    })
  }

  const decimals = () => settings.tick.split('.')[1]?.length ?? 0
  const colourOf = (tone: Study['tone'] | ReturnType<typeof toneOf>) => (tone === 'quiet' ? look.text : look[tone])
  const styleOf = ({ shape, tone }: Study) => ({
    color: colourOf(tone),
    lineWidth: 1 as const,
    lineStyle: shape === 'dashes' ? LineStyle.Dashed : LineStyle.Solid,
  })

  /** The value of an indicator at a candle; none while there are too few candles before it. */
  function studyPoints({ values, shape }: Study, i: number) {
    const value = values[i]
    if (value === undefined) return []
    const time = stamp(candles[i]!)
    return [shape === 'bars' ? { time, value, color: faint(value < 0 ? look.down : look.up, 0.6) } : { time, value }]
  }

  function fillStudies(): void {
    studied = candles
    for (const [at, one] of shownStudies.entries()) studySeries[at]?.setData(candles.flatMap((_, i) => studyPoints(one, i)))
  }

  /** Draws the last value of each indicator. */
  function extendStudies(): void {
    studied = candles
    for (const [at, one] of shownStudies.entries()) for (const point of studyPoints(one, candles.length - 1)) studySeries[at]?.update(point)
  }

  function makeStudies(): void {
    for (const one of studySeries) chart.removeSeries(one)
    const panes = panesOf(shownStudies)
    studySeries = shownStudies.map((one) => {
      const base = { priceLineVisible: false, lastValueVisible: false, crosshairMarkerVisible: false }
      const pane = panes.indexOf(one.pane) + 1
      return one.shape === 'bars'
        ? chart.addSeries(HistogramSeries, base, pane)
        : chart.addSeries(LineSeries, { ...base, ...styleOf(one) }, pane)
    })
    const [main, ...below] = chart.panes()
    main?.setStretchFactor(3)
    for (const pane of below) pane.setStretchFactor(1)
    fillStudies()
  }

  function makeLines(): void {
    for (const one of priceLines) prices?.removePriceLine(one)
    priceLines = shownLines.map(({ price, label, kind, movable }) =>
      prices!.createPriceLine({
        price: Number(price),
        title: label,
        color: colourOf(toneOf(kind)),
        lineWidth: 1,
        axisLabelVisible: true,
        lineStyle: movable ? LineStyle.Dashed : LineStyle.Dotted,
      }),
    )
  }

  function rebuild(): void {
    const place = prices && chart.timeScale().getVisibleLogicalRange()
    if (prices) chart.removeSeries(prices)
    if (volumes) chart.removeSeries(volumes)
    volumes = undefined
    if (settings.volume) {
      volumes = chart.addSeries(HistogramSeries, {
        priceScaleId: 'volume',
        priceFormat: { type: 'volume' },
        lastValueVisible: false,
        priceLineVisible: false,
      })
      volumes.priceScale().applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } })
    }
    prices = settings.mode === 'line' ? chart.addSeries(AreaSeries, {}) : chart.addSeries(CandlestickSeries, {})
    // The library reports no change of the price scale; it asks each primitive for its views whenever it draws.
    prices.attachPrimitive({ updateAllViews: events.drawn })
    priceLines = []
    makeLines()
    dress()
    fill()
    if (place) chart.timeScale().setVisibleLogicalRange(place)
  }

  function fill(): void {
    prices?.setData(candles.map(priceBar))
    volumes?.setData(candles.map(volumeBar))
  }

  function onMove(param: MouseEventParams): void {
    if (!param.sourceEvent) return
    events.cursor(param.time === undefined || !param.point ? undefined : Number(param.time) * 1_000)
  }

  chart.subscribeCrosshairMove(onMove)
  chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
    if (range && candles.length > 0 && range.from < nearBars) events.nearStart()
  })
  rebuild()

  return {
    show(next, fresh) {
      const last = next.at(-1)
      const small = !fresh && last !== undefined && onlyLastDiffers(candles, next)
      candles = next
      if (small) {
        prices?.update(priceBar(last))
        volumes?.update(volumeBar(last))
        return
      }
      fill()
      if (fresh) {
        chart.timeScale().applyOptions({ barSpacing: barPx })
        chart.timeScale().scrollToPosition(5, false)
        prices?.priceScale().applyOptions({ autoScale: true })
      }
    },
    configure(next) {
      const rebuilds = next.mode !== settings.mode || next.volume !== settings.volume
      if (next.tag !== settings.tag || next.intraday !== settings.intraday) {
        times = createTimeTexts(next.tag, next.intraday)
        if (next.intraday !== settings.intraday) studied = candles = []
      }
      settings = next
      if (rebuilds) rebuild()
      else dress()
    },
    studies(next) {
      const same = next.length === shownStudies.length && next.every(({ name }, at) => name === shownStudies[at]!.name)
      shownStudies = next
      if (!same) makeStudies()
      else if (onlyLastDiffers(studied, candles)) extendStudies()
      else fillStudies()
    },
    lines(next) {
      shownLines = next
      makeLines()
    },
    yOf(price, held = false) {
      const y = prices?.priceToCoordinate(Number(price))
      const height = chart.panes()[0]?.getHeight() ?? 0
      if (held) return Math.min(Math.max(y ?? 0, 0), height)
      return y === null || y === undefined || y < 0 || y > height ? undefined : y
    },
    priceAt(y) {
      const value = prices?.coordinateToPrice(y)
      const tick = Number(settings.tick) || 0.01
      return value === null || value === undefined || value <= 0 ? undefined : (Math.round(value / tick) * tick).toFixed(decimals())
    },
    repaint() {
      look = readLook(host)
      dress()
      volumes?.setData(candles.map(volumeBar))
      for (const [at, one] of shownStudies.entries()) if (one.shape !== 'bars') studySeries[at]?.applyOptions(styleOf(one))
      fillStudies()
      makeLines()
    },
    point(index) {
      const candle = index === undefined ? undefined : candles[index]
      if (index === undefined || !candle || !prices) return chart.clearCrosshairPosition()
      const range = chart.timeScale().getVisibleLogicalRange()
      if (range && (index < range.from || index > range.to)) {
        const half = (range.to - range.from) / 2
        chart.timeScale().setVisibleLogicalRange({ from: index - half, to: index + half })
      }
      chart.setCrosshairPosition(Number(candle.close), stamp(candle), prices)
    },
    remove: () => chart.remove(),
  }
}
