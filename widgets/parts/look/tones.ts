import styles from '#widgets/parts/look/tones.module.css'
import type { tone } from '#widgets/parts/props.ts'
import type { z } from '#zod'

export type Tone = z.output<ReturnType<typeof tone>>

/** Class of a text colour; undefined to inherit the colour. */
export function toneClass(tone: Tone | undefined): string | undefined {
  return tone && styles[tone]
}
