import { z } from '#zod'

/** Text that people read; documents give it by key. */
export const text = () => z.string().meta({ text: true })

/** A name that must exist: the publisher checks it and offers the nearest one. */
export const ref = (kind: 'quick-entries' | 'route' | 'icon' | 'prompt' | 'form') => z.string().meta({ ref: kind })

/** An exact decimal as text. */
export const decimal = () => z.string().meta({ decimal: true })

export const tone = () => z.enum(['default', 'quiet', 'accent', 'up', 'down', 'warn'])
