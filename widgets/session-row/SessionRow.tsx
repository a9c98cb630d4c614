import { useId } from 'react'
import { useClock, useEngineText, useFormat, type ViewProps } from '#renderer/widget-api.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'
import { SkeletonShape } from '#widgets/parts/look/SkeletonShape.tsx'
import { PushButton } from '#widgets/parts/PushButton.tsx'
import { deviceIcon } from '#widgets/session-row/device.rules.ts'
import styles from '#widgets/session-row/SessionRow.module.css'
import type { SessionRowProps } from '#widgets/session-row/session-row.props.ts'

const everyMs = 60_000

export function SessionRow({ root, props, emit, busy, enabled, status }: ViewProps<SessionRowProps, 'end'>) {
  const say = useEngineText()
  const { ago } = useFormat()
  const id = useId()
  useClock(everyMs)
  if (status === 'loading') return <SkeletonShape shape="row" count={1} root={{ ...root }} />
  const { device = '', ip, place, seen, current = false } = props
  const name = device || say('widget.session_unknown')
  const where = [place, ip].filter(Boolean).join(' · ')
  return (
    <div {...root} className={styles.row}>
      <Icon name={deviceIcon(device)} size={22} className={styles.icon} />
      <div className={styles.words}>
        <span id={`${id}name`} className={styles.name}>
          {name}
        </span>
        {where && <span className={styles.note}>{where}</span>}
        <span className={styles.note}>{current ? say('widget.session_now') : say('widget.session_seen', { ago: ago(seen) })}</span>
      </div>
      {current ? (
        <span className={styles.badge}>{say('widget.session_this')}</span>
      ) : (
        <span className={styles.end}>
          <PushButton
            root={{ id: `${id}end`, 'aria-labelledby': `${id}end ${id}name` }}
            label={say('widget.session_end')}
            size="sm"
            tone="secondary"
            busy={busy}
            enabled={enabled}
            onPress={() => emit('end')}
          />
        </span>
      )}
    </div>
  )
}
