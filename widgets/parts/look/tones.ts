import styles from '#widgets/parts/look/tones.module.css'

export type Tone = 'default' | 'quiet' | 'accent' | 'up' | 'down' | 'warn'

/** Class that colours text; undefined leaves the colour of the place where it stands. */
export function toneClass(tone: Tone | undefined): string | undefined {
  return tone && styles[tone]
}
