import { feedLimits } from '#contract/feed.ts'
import type { Engine, FiatRate, Host } from '#renderer/engine/types.ts'
import type { Feed } from '#renderer/feed/feed.ts'

const dayMs = 86_400_000
/** After a failure the rates are asked for again when this has passed. */
const askAgainMs = 60_000

type RatesHost = Pick<Host, 'device' | 'api' | 'wake'> & { engine: () => Pick<Engine, 'app' | 'clock'> }

/** Rates as the device keeps them. */
interface Kept {
  /** When they came, in milliseconds since 1970. */
  at: number
  /** When the server fetched them. */
  saveTime: number
  list: { currency_code: string; rate: string }[]
}

function keptOf(text: string | null): Kept | undefined {
  try {
    const kept = JSON.parse(text ?? 'null') as Kept | null
    return Number.isFinite(kept?.at) && Number.isFinite(kept?.saveTime) && Array.isArray(kept?.list) ? (kept as Kept) : undefined
  } catch {
    return undefined
  }
}

/**
 * Rate of the currency chosen on the device, from `wallet.getRateCurrency`. The device keeps the rates with their time, and they are asked for
 * again after `fiatCacheMs`, a day by default; while that fails, the last ones serve.
 */
export function createRates({ device, api, wake, engine }: RatesHost): FiatRate {
  let read: { text: string | null; value: Kept | undefined } | undefined
  let asking = false
  device.onChange('fiat', () => wake('session.fiat'))
  device.onChange('rates', () => wake('session.fiat'))

  function kept(): Kept | undefined {
    const text = device.kept('rates')
    if (read?.text !== text) read = { text, value: keptOf(text) }
    return read?.value
  }

  async function ask(): Promise<void> {
    asking = true
    try {
      const { saveTime, list } = (await api.call('wallet.getRateCurrency', {})) as Omit<Kept, 'at'>
      device.keep('rates', JSON.stringify({ at: engine().clock.now(), saveTime, list }))
      asking = false
    } catch {
      setTimeout(() => {
        asking = false
        wake('session.fiat')
      }, askAgainMs)
    }
  }

  return () => {
    const code = String(device.get('fiat') ?? 'USD')
    if (code === 'USD') return undefined
    const known = kept()
    const { app, clock } = engine()
    const ageMs = known ? clock.now() - known.at : Number.NaN
    // Rates of a time that has not come were kept by a wrong clock.
    if (!asking && !(ageMs >= 0 && ageMs < Number(app().constants.fiatCacheMs ?? dayMs))) void ask()
    return { code, rate: known?.list.find((row) => row.currency_code === code)?.rate, saveTime: known?.saveTime }
  }
}

/** By then the drawn rows have subscribed their own quotes. */
const heldMs = 5_000

/**
 * Subscribes quotes of the instruments in an answer, so that they arrive before the rows are drawn.
 * @param data answer of a call: `{ list: [{ symbol, quote24h }] }`; any other answer has no effect
 */
export function wantListed(feed: Pick<Feed, 'wantQuotes'>, data: unknown, later: (run: () => void, ms: number) => void): void {
  const list = (data as { list?: unknown } | null)?.list
  if (!Array.isArray(list)) return
  const symbols = list
    .slice(0, feedLimits.subscriptionsMax)
    .flatMap((row) => (row?.quote24h && typeof row.symbol === 'string' ? [row.symbol] : []))
  if (symbols.length > 0) later(feed.wantQuotes(symbols), heldMs)
}
