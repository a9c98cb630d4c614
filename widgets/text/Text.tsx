import type { CSSProperties } from 'react'
import type { ViewProps } from '#renderer/widget-api.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import { toneClass } from '#widgets/parts/look/tones.ts'
import styles from '#widgets/text/Text.module.css'
import type { TextProps } from '#widgets/text/text.props.ts'

export function Text({ root, props, status }: ViewProps<TextProps>) {
  const { text, size = 'md', tone, weight, align, as: Tag = 'p', lines } = props
  return (
    <Tag
      {...root}
      className={classes(
        styles.text,
        styles[size],
        toneClass(tone),
        weight && styles[weight],
        align && styles[align],
        lines !== undefined && styles.clamp,
      )}
      style={lines === undefined ? undefined : ({ '--lines': lines } as CSSProperties)}
    >
      {status === 'loading' ? <i className={styles.bone} aria-hidden="true" /> : text}
    </Tag>
  )
}
