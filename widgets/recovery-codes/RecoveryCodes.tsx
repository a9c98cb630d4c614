import { useEngineText, type ViewProps } from '#renderer/widget-api.ts'
import { CopyButton } from '#widgets/parts/CopyButton.tsx'
import { download } from '#widgets/parts/download.ts'
import { PushButton } from '#widgets/parts/PushButton.tsx'
import styles from '#widgets/recovery-codes/RecoveryCodes.module.css'
import type { RecoveryCodesProps } from '#widgets/recovery-codes/recovery-codes.props.ts'

/** Recovery codes that are shown once. Emits `kept` after they were saved, so that a document may ask before leaving. */
export function RecoveryCodes({ root, props, emit }: ViewProps<RecoveryCodesProps, 'kept'>) {
  const { label, codes, file = 'recovery-codes' } = props
  const say = useEngineText()
  const text = codes.join('\n')
  const save = () => {
    download(new Blob([`${label}\n\n${text}\n`], { type: 'text/plain;charset=utf-8' }), `${file}.txt`)
    emit('kept')
  }
  return (
    <div {...root} className={styles.codes}>
      <ol className={styles.grid} aria-label={label}>
        {codes.map((code) => (
          <li key={code} className={styles.code}>
            {code}
          </li>
        ))}
      </ol>
      <div className={styles.tools}>
        <CopyButton text={text} label={say('widget.copy_all')} />
        <PushButton label={say('widget.save_text')} size="sm" icon="download" onPress={save} />
      </div>
    </div>
  )
}
