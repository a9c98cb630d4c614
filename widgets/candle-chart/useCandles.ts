import { useCallback, useEffect, useEffectEvent, useReducer } from 'react'
import type { Candle, Period } from '#contract/calls/market.calls.ts'
import { useCall, useCandle, useFeedHealth } from '#renderer/widget-api.ts'
import { type CandleEvent, type CandleState, candleLimits, noCandles, reduceCandles } from '#widgets/candle-chart/candles.rules.ts'

interface Keyed {
  key: string
  period: Period
  state: CandleState
}
type KeyedEvent = CandleEvent & { key: string; period: Period }

/** Answers for a previous symbol or period are ignored. */
function reduce(keyed: Keyed, { key, period, ...event }: KeyedEvent): Keyed {
  if (event.kind === 'reset') return { key, period, state: noCandles }
  if (key !== keyed.key) return keyed
  const state = reduceCandles(keyed.state, event, keyed.period)
  return state === keyed.state ? keyed : { ...keyed, state }
}

/** Pause before a failed request is repeated while the chart shows data. */
const pauseMs = 4_000

/** Combines the history from a call with the open candle from the feed. */
export function useCandles(symbol: string, period: Period): CandleState & { loadOlder: () => void; reload: () => void } {
  const call = useCall()
  const key = `${symbol} ${period}`
  const [keyed, dispatch] = useReducer(reduce, { key, period, state: noCandles })
  const state = keyed.key === key ? keyed.state : noCandles
  const live = useCandle(symbol, period)

  const load = useCallback(
    async (limit: number, to?: number): Promise<readonly Candle[]> => {
      const args = { symbol, period, limit: String(limit), ...(to !== undefined && { to: String(to) }) }
      return ((await call('market.kline', args)) as { list: Candle[] }).list
    },
    [call, symbol, period],
  )
  const tell = useCallback((event: CandleEvent) => dispatch({ ...event, key, period }), [key, period])
  const loadNewest = useCallback(
    (limit: number, failMs: number) =>
      load(limit).then(
        (list) => tell({ kind: 'newest', list }),
        () => setTimeout(() => tell({ kind: 'failed' }), failMs),
      ),
    [load, tell],
  )
  const reload = useCallback(() => {
    tell({ kind: 'reset' })
    void loadNewest(candleLimits.page, 0)
  }, [tell, loadNewest])
  useEffect(reload, [reload])

  const { repair, status } = state
  const isConnected = useFeedHealth().state === 'connected'
  const recover = useEffectEvent(() => {
    if (status === 'failed') reload()
  })
  // Loads that failed without a network are repeated when it is back.
  useEffect(() => {
    if (isConnected) recover()
  }, [isConnected])
  useEffect(() => {
    if (repair > 0) void loadNewest(repair, pauseMs)
  }, [repair, loadNewest])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the candle that came before the first page is told again after it
  useEffect(() => {
    if (live) tell({ kind: 'live', ...live })
  }, [live, tell, status])

  const firstMs = state.candles[0]?.time
  const { older } = state
  const loadOlder = useCallback(() => {
    if (older !== 'idle' || firstMs === undefined) return
    tell({ kind: 'ask-older' })
    load(candleLimits.page, firstMs - 1).then(
      (list) => tell({ kind: 'older', list }),
      () => setTimeout(() => tell({ kind: 'older-failed' }), pauseMs),
    )
  }, [older, firstMs, load, tell])

  return { ...state, loadOlder, reload }
}
