import { useRef, useState } from 'react'
import { readPayment } from '#contract/rules/payment.rules.ts'
import { useEngineText, useField, type ViewProps } from '#renderer/widget-api.ts'
import { FieldFrame } from '#widgets/parts/fields/FieldFrame.tsx'
import frame from '#widgets/parts/fields/field.module.css'
import { asText, useFieldValue } from '#widgets/parts/fields/fieldValue.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'
import { PushButton } from '#widgets/parts/PushButton.tsx'
import styles from '#widgets/scan-field/ScanField.module.css'
import { mayHaveCamera, useCamera } from '#widgets/scan-field/useCamera.ts'

type Trouble = 'none' | 'denied' | 'missing'

/** Reads a QR code from the camera or a picture, on the device; nothing is sent. */
export function ScanField({ root, emit }: ViewProps<Record<string, never>, 'read'>) {
  const field = useField()
  const say = useEngineText()
  const [text, change] = useFieldValue(field, asText)
  const [reading, setReading] = useState(false)
  const [empty, setEmpty] = useState(false)
  const input = useRef<HTMLInputElement>(null)

  const take = (found: string) => {
    setEmpty(false)
    change(found)
    field.blur()
    emit('read', readPayment(found)?.address ?? '')
  }
  const camera = useCamera(take)
  const pick = async (file: File) => {
    camera.stop()
    setEmpty(false)
    setReading(true)
    try {
      const { readPicture } = await import('#widgets/scan-field/decode.ts')
      const found = await readPicture(file)
      if (found === undefined) setEmpty(true)
      else take(found)
    } catch {
      setEmpty(true)
    } finally {
      setReading(false)
    }
  }
  const trouble: Trouble | undefined = empty ? 'none' : camera.state === 'denied' || camera.state === 'missing' ? camera.state : undefined
  const live = camera.state === 'starting' || camera.state === 'on'
  const choose = () => input.current?.click()
  return (
    <FieldFrame root={root} field={field} group>
      <input
        ref={(element) => {
          input.current = element
          field.focusRef(element)
        }}
        id={field.id}
        type="file"
        accept="image/*"
        className={classes('visually-hidden', styles.input)}
        disabled={!field.enabled}
        aria-labelledby={`${field.id}-label`}
        aria-invalid={field.native['aria-invalid']}
        aria-describedby={field.native['aria-describedby']}
        onBlur={field.blur}
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file) void pick(file)
        }}
      />
      <div className={styles.place} data-live={live || undefined}>
        {/* Rendered from the press on, so that the stream has a target. */}
        <video ref={camera.video} className={styles.video} hidden={!live} muted playsInline aria-label={say('widget.scan_view')} />
        {!live && text && (
          <p className={styles.found}>
            <Icon name="check" size={20} className={styles.tick} />
            <output className={styles.text}>{text}</output>
          </p>
        )}
        {!live && !text && (
          <p className={styles.empty}>
            <Icon name="qr-code" size={28} />
            <span>{say(reading ? 'widget.scan_reading' : 'widget.scan_empty')}</span>
          </p>
        )}
        {camera.state === 'on' && <p className={styles.hint}>{say('widget.scan_aim')}</p>}
      </div>
      {trouble && (
        <p className={frame.problem} data-level="error" role="alert">
          <Icon name="circle-alert" size={16} />
          <span>{say(`widget.scan_${trouble}`)}</span>
        </p>
      )}
      <span className="visually-hidden" role="status">
        {reading ? say('widget.scan_reading') : text ? say('widget.scan_found') : ''}
      </span>
      {field.enabled && (
        <div className={styles.tools}>
          {live ? (
            <PushButton label={say('widget.scan_stop')} size="sm" icon="x" onPress={camera.stop} />
          ) : (
            mayHaveCamera() && <PushButton label={say('widget.scan_camera')} size="sm" icon="camera" onPress={camera.start} />
          )}
          <PushButton label={say('widget.scan_picture')} size="sm" icon="image" onPress={choose} />
          {text && !live && <PushButton label={say('widget.picture_remove')} size="sm" tone="quiet" icon="x" onPress={() => change('')} />}
        </div>
      )}
    </FieldFrame>
  )
}
