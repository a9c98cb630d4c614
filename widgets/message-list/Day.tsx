import { useClock, useFormat, useLanguage } from '#renderer/widget-api.ts'
import { dayName } from '#widgets/message-list/day.rules.ts'
import styles from '#widgets/message-list/MessageList.module.css'

/** Date heading above messages. */
export function Day({ at }: { at: number }) {
  const { tag } = useLanguage()
  const now = useClock(60_000)
  const { date } = useFormat()
  if (!Number.isFinite(at)) return null
  return (
    <p className={styles.day}>
      <time dateTime={date(at)}>{dayName(at, now, tag)}</time>
    </p>
  )
}
