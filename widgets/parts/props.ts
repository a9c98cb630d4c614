import type { Unit } from '#contract/units.ts'
import { z } from '#zod'

/**
 * Text that people read; documents give it by key.
 * @param fits how wide it may be where the place is narrow, in letters; Chinese, Japanese and Korean ones count twice
 */
export const text = (fits?: number) => z.string().meta({ text: true, ...(fits !== undefined && { fits }) })

/** A name that must exist: the publisher checks it and offers the nearest one. */
export const ref = (kind: 'route' | 'icon' | 'prompt' | 'form') => z.string().meta({ ref: kind })

/**
 * The id of a list of entries.
 * @param fits how wide the label of an entry may be
 */
export const entries = (fits: number) => z.string().meta({ ref: 'quick-entries', fits })

/** A market, BTCUSDT. */
export const market = () => z.string().meta({ ref: 'symbol' })

/** An exact decimal as text. With a unit: a document gives it nothing that counts something else. */
export const decimal = (unit?: Unit) => z.string().meta({ decimal: true, ...unit })
export const usd = () => decimal({ unit: 'amount', coin: 'USD' })
export const share = () => decimal({ unit: 'share' })

/** Milliseconds since 1970 UTC. */
export const timeMs = () => z.int().nonnegative().meta({ unit: 'ms' })

/** The code of a coin: that of an amount beside it. */
export const coinCode = () => z.string().meta({ coin: true })

export const tone = () => z.enum(['default', 'quiet', 'accent', 'up', 'down', 'warn'])
