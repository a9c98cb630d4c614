import type { Unit } from '#contract/units.ts'
import { z } from '#zod'

/**
 * Displayed text, which documents give by key.
 * @param fits maximum width in a narrow place, in letters; Chinese, Japanese and Korean characters count twice
 */
export const text = (fits?: number) => z.string().meta({ text: true, ...(fits !== undefined && { fits }) })

/** A name that must exist. The publisher checks it and suggests the nearest one. */
export const ref = (kind: 'route' | 'icon' | 'prompt' | 'form') => z.string().meta({ ref: kind })

/**
 * Id of a list of entries.
 * @param fits maximum width of an entry's label
 */
export const entries = (fits: number) => z.string().meta({ ref: 'quick-entries', fits })

/** Symbol of an instrument: BTCUSDT. */
export const market = () => z.string().meta({ ref: 'symbol' })

/** An exact decimal as text. With a unit, values of other units are refused. */
export const decimal = (unit?: Unit) => z.string().meta({ decimal: true, ...unit })
export const usd = () => decimal({ unit: 'amount', coin: 'USD' })
export const share = () => decimal({ unit: 'share' })

/** Milliseconds since 1970 UTC. */
export const timeMs = () => z.int().nonnegative().meta({ unit: 'ms' })

/** Code of the currency of an amount beside it. */
export const coinCode = () => z.string().meta({ coin: true })

/**
 * A status of the contract: the publisher writes its text and its tone into the two props beside it, so a view reads those alone.
 * @param text prop with the text @param tone prop with the tone
 */
export const status = (text: string, tone: string) =>
  z.string().meta({ shows: { text, tone } }).optional().describe(`a status of the contract, in place of \`${text}\` and \`${tone}\``)

export const tone = () => z.enum(['default', 'quiet', 'accent', 'up', 'down', 'warn'])
