import { embeddedRates, type Rates, readRates } from '#api-server/rates/rates.rules.ts'
import { isTooDeepJson } from '#server-kit/http/depth.ts'

/** A source of exchange rates. */
export interface RatesProvider {
  readonly source: string
  /** @throws Error when no rates could be fetched */
  fetch(): Promise<Rates>
}

const providerLimits = { waitMs: 10_000, bytesMax: 1_048_576 } as const

export const embeddedProvider: RatesProvider = { source: embeddedRates.source, fetch: async () => embeddedRates }

async function textOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.byteLength
    if (bytes > providerLimits.bytesMax) throw new Error(`the table of rates is larger than ${providerLimits.bytesMax} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** Provider for a public table of rates: one GET, no redirects, bounded in time and size. */
export function httpProvider(url: string, waitMs: number = providerLimits.waitMs): RatesProvider {
  const source = new URL(url).host
  return {
    source,
    async fetch() {
      const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(waitMs), headers: { accept: 'application/json' } })
      if (!response.ok) {
        await response.body?.cancel()
        throw new Error(`${source} answered ${response.status}`)
      }
      const text = await textOf(response)
      if (isTooDeepJson(text)) throw new Error(`the table of ${source} nests too deep`)
      const list = readRates(JSON.parse(text))
      if (!list) throw new Error(`${source} sent no table of rates`)
      return { list, source }
    },
  }
}
