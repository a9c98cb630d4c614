import { useRef } from 'react'
import { typeOf } from '#contract/picture.ts'
import { type FieldHandle, useEngineText, useField, type ViewProps } from '#renderer/widget-api.ts'
import styles from '#widgets/image-field/ImageField.module.css'
import type { ImageFieldProps } from '#widgets/image-field/image-field.props.ts'
import { FieldFrame } from '#widgets/parts/fields/FieldFrame.tsx'
import frame from '#widgets/parts/fields/field.module.css'
import { asText, useFieldValue } from '#widgets/parts/fields/fieldValue.ts'
import { usePicture } from '#widgets/parts/fields/usePicture.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'
import { PushButton } from '#widgets/parts/PushButton.tsx'

/** The value is the address from the server; empty until the upload is done. */
export function ImageField({ root, props }: ViewProps<ImageFieldProps>) {
  const field = useField()
  const say = useEngineText()
  const [url, change] = useFieldValue(field, asText)
  const { picture, pick, retry, clear } = usePicture(props.purpose, change)
  const input = useRef<HTMLInputElement>(null)
  const shown = picture.preview ?? (url || undefined)
  const choose = () => input.current?.click()
  const remove = () => {
    clear()
    change('')
    input.current?.focus()
  }
  return (
    <FieldFrame root={root} field={field} group>
      <Chooser field={field} input={input} capture={props.capture} pick={pick} />
      <div className={styles.place} data-phase={picture.phase} onPointerUp={shown || !field.enabled ? undefined : choose}>
        {shown ? (
          <img className={styles.picture} src={shown} alt={say('widget.picture_alt', { label: field.label })} />
        ) : (
          <span className={styles.empty} aria-hidden="true">
            <Icon name="camera" size={28} />
            <span>{props.prompt ?? say('widget.picture_choose')}</span>
          </span>
        )}
        {picture.phase === 'sending' && (
          <progress className={styles.progress} value={picture.fraction} aria-label={say('widget.picture_sending')} />
        )}
      </div>
      {picture.phase === 'failed' && (
        <p className={frame.problem} data-level="error" role="alert">
          <Icon name="circle-alert" size={16} />
          <span>{picture.reason}</span>
        </p>
      )}
      <span className="visually-hidden" role="status">
        {picture.phase === 'sending'
          ? say('widget.picture_sending')
          : picture.phase === 'idle' && url && picture.preview
            ? say('widget.picture_sent')
            : ''}
      </span>
      {shown && field.enabled && (
        <div className={styles.tools}>
          {picture.phase === 'failed' && picture.again && (
            <PushButton label={say('widget.retry')} size="sm" icon="refresh-cw" onPress={retry} />
          )}
          <PushButton label={say('widget.picture_other')} size="sm" icon="camera" onPress={choose} />
          <PushButton
            label={say(picture.phase === 'sending' ? 'widget.cancel' : 'widget.picture_remove')}
            size="sm"
            tone="quiet"
            icon="x"
            onPress={remove}
          />
        </div>
      )}
    </FieldFrame>
  )
}

interface ChooserProps {
  field: FieldHandle
  input: React.RefObject<HTMLInputElement | null>
  capture: ImageFieldProps['capture']
  pick: (file: File) => void
}

/** A visually hidden native file control, which keyboard and assistive technology use. */
function Chooser({ field, input, capture, pick }: ChooserProps) {
  return (
    <input
      ref={(element) => {
        input.current = element
        field.focusRef(element)
      }}
      id={field.id}
      type="file"
      className={classes('visually-hidden', styles.input)}
      accept={Object.values(typeOf).join()}
      capture={capture}
      disabled={!field.enabled}
      aria-labelledby={`${field.id}-label`}
      required={field.required}
      aria-invalid={field.native['aria-invalid']}
      aria-describedby={field.native['aria-describedby']}
      onBlur={field.blur}
      onChange={(event) => {
        const file = event.target.files?.[0]
        // Allows the same file to be chosen again after it was removed or has failed.
        event.target.value = ''
        if (file) pick(file)
      }}
    />
  )
}
