import styles from '#widgets/parts/look/tones.module.css'

export type Tone = 'default' | 'quiet' | 'accent' | 'up' | 'down' | 'warn'

/** Class of a text colour; undefined to inherit the colour. */
export function toneClass(tone: Tone | undefined): string | undefined {
  return tone && styles[tone]
}
