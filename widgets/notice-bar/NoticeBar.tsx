import { useState } from 'react'
import { useEngineText, type ViewProps } from '#renderer/widget-api.ts'
import styles from '#widgets/notice-bar/NoticeBar.module.css'
import type { NoticeBarProps } from '#widgets/notice-bar/notice-bar.props.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'
import { PushButton } from '#widgets/parts/PushButton.tsx'
import { useRotation } from '#widgets/parts/useRotation.ts'

const stayMs = 5_000

export function NoticeBar({ root, props, emit }: ViewProps<NoticeBarProps, 'press'>) {
  const { items, label } = props
  const say = useEngineText()
  const [turn, setTurn] = useState(0)
  const next = () => setTurn((n) => n + 1)
  const several = items.length > 1
  const rotation = useRotation(several ? stayMs : 0, next)
  const item = items[turn % items.length]
  if (!item) return null
  return (
    <section {...root} className={styles.bar} aria-label={label} {...rotation.hold}>
      <button key={item.id} type="button" className={classes('pressable', styles.line)} onClick={() => emit('press', item.id)}>
        <Icon name="megaphone" size={18} className={styles.icon} />
        <span className={styles.text}>{item.text}</span>
      </button>
      {several &&
        (rotation.moves ? (
          <PushButton label={say('widget.pause')} icon="pause" tone="quiet" size="sm" hideLabel onPress={rotation.stop} />
        ) : (
          <PushButton label={say('widget.next')} icon="chevron-right" tone="quiet" size="sm" hideLabel onPress={next} />
        ))}
    </section>
  )
}
