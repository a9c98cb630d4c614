import { useEngineText } from '#renderer/widget-api.ts'
import styles from '#widgets/parts/look/Spinner.module.css'

/** Announces loading to assistive technology at once; visible after the `spinnerAfterMs` of the app, 800 ms by default. */
export function Spinner({ now = false }: { now?: boolean }) {
  const say = useEngineText()
  return (
    <span className={styles.spinner} data-now={now || undefined} role="status">
      <span className="visually-hidden">{say('widget.busy')}</span>
    </span>
  )
}
