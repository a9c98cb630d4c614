import type { ViewProps } from '#renderer/widget-api.ts'
import styles from '#widgets/icon/IconView.module.css'
import type { IconProps } from '#widgets/icon/icon.props.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'
import { toneClass } from '#widgets/parts/look/tones.ts'

export function IconView({ root, props }: ViewProps<IconProps>) {
  const { name, size, tone, label } = props
  return (
    <span {...root} className={classes(styles.icon, toneClass(tone))}>
      <Icon name={name} size={size} />
      {label && <span className="visually-hidden">{label}</span>}
    </span>
  )
}
