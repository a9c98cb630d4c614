import { type CSSProperties, useState } from 'react'
import type { ViewProps } from '#renderer/widget-api.ts'
import styles from '#widgets/image/Image.module.css'
import type { ImageProps } from '#widgets/image/image.props.ts'
import { mayDraw } from '#widgets/parts/address.rules.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'

export function Image({ root, props }: ViewProps<ImageProps>) {
  const { src, alt, ratio, round = false } = props
  const [broken, setBroken] = useState('')
  const style = ratio ? ({ '--ratio': ratio.replace(':', ' / ') } as CSSProperties) : undefined
  const name = classes(styles.image, round && styles.round)
  if (!src || broken === src || !mayDraw(src)) {
    return (
      <span {...root} className={classes(name, styles.missing)} style={style}>
        <Icon name="image" />
        {alt && <span className={styles.alt}>{alt}</span>}
      </span>
    )
  }
  return <img {...root} className={name} style={style} src={src} alt={alt} loading="lazy" decoding="async" onError={() => setBroken(src)} />
}
