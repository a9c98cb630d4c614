import type { CSSProperties } from 'react'
import styles from '#examples/lending-library/widgets/shelf-card/ShelfCard.module.css'
import type { ViewProps } from '#renderer/widget-api.ts'
import { classes } from '#widgets/parts/look/classes.ts'

interface ShelfCardProps {
  title: string
  author: string
  hue: number
  status: string
  free: boolean
}

/** A book with its cover, and whether it can be borrowed. */
export function ShelfCard({ root, props, emit, listens }: ViewProps<ShelfCardProps, 'press'>) {
  const { title, author, hue, status, free } = props
  const isButton = listens?.('press') ?? false
  const Box = isButton ? 'button' : 'div'
  return (
    <Box {...root} className={classes(styles.card, isButton && 'pressable')} onClick={isButton ? () => emit('press') : undefined}>
      <span className={styles.cover} style={{ '--hue': hue } as CSSProperties} aria-hidden="true">
        {title.slice(0, 1)}
      </span>
      <span className={styles.words}>
        <span className={styles.title}>{title}</span>
        <span className={styles.author}>{author}</span>
      </span>
      <span className={classes(styles.status, free && styles.free)}>{status}</span>
    </Box>
  )
}
