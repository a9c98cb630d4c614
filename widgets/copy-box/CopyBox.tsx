import { useId } from 'react'
import { useEngineText, type ViewProps } from '#renderer/widget-api.ts'
import styles from '#widgets/copy-box/CopyBox.module.css'
import type { CopyBoxProps } from '#widgets/copy-box/copy-box.props.ts'
import { CopyButton } from '#widgets/parts/CopyButton.tsx'

/** A value to copy, such as an invite code or a secret. A press selects it, the button copies it. */
export function CopyBox({ root, props }: ViewProps<CopyBoxProps>) {
  const { label, value, note } = props
  const say = useEngineText()
  const id = useId()
  return (
    <div {...root} className={styles.copy}>
      <span id={id} className={styles.label}>
        {label}
      </span>
      <div className={styles.box}>
        <output className={styles.value} aria-labelledby={id}>
          {value}
        </output>
        <CopyButton text={value} label={say('widget.copy', { label })} hideLabel />
      </div>
      {note && <p className={styles.note}>{note}</p>}
    </div>
  )
}
