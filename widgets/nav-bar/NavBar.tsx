import { useBack, useEngineText, useIsBeside, type ViewProps } from '#renderer/widget-api.ts'
import styles from '#widgets/nav-bar/NavBar.module.css'
import type { NavBarProps } from '#widgets/nav-bar/nav-bar.props.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'

export function NavBar({ root, props, emit, listens, slots }: ViewProps<NavBarProps, 'back', 'right'>) {
  const { title, back = true } = props
  const say = useEngineText()
  const goBack = useBack()
  const listensBack = listens?.('back') ?? false
  const closes = useIsBeside() && !listensBack
  return (
    <header {...root} className={styles.bar} data-back={back || undefined}>
      {back && (
        <button
          type="button"
          className={classes('pressable', styles.back)}
          aria-label={say(closes ? 'widget.close' : 'widget.back')}
          onClick={() => (listensBack ? emit('back') : goBack())}
        >
          <Icon name={closes ? 'x' : 'chevron-left'} size={24} />
        </button>
      )}
      <h1 className={styles.title}>{title}</h1>
      <div className={styles.right}>{slots.right.all()}</div>
    </header>
  )
}
