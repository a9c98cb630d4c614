import { type CSSProperties, useId, useRef, useState } from 'react'
import { typeOf } from '#contract/picture.ts'
import { useEngineText, type ViewProps } from '#renderer/widget-api.ts'
import styles from '#widgets/avatar/Avatar.module.css'
import type { AvatarProps } from '#widgets/avatar/avatar.props.ts'
import { initials } from '#widgets/avatar/initials.rules.ts'
import { mayDraw } from '#widgets/parts/address.rules.ts'
import { usePicture } from '#widgets/parts/fields/usePicture.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'
import { PushButton } from '#widgets/parts/PushButton.tsx'

const rems = { sm: 2.5, md: 4, lg: 6 }

export function Avatar(view: ViewProps<AvatarProps, 'uploaded'>) {
  const { root, props } = view
  const { name = '', src, size = 'md', editable = false } = props
  if (editable) return <EditableAvatar {...view} />
  return (
    <span {...root} className={styles.avatar} style={sized(size)}>
      <Face name={name} src={src} alt={name} />
    </span>
  )
}

const sized = (size: keyof typeof rems) => ({ '--size': `${rems[size]}rem` }) as CSSProperties

function EditableAvatar({ root, props, emit, busy, enabled }: ViewProps<AvatarProps, 'uploaded'>) {
  const { name = '', src, size = 'lg', purpose = 'avatar' } = props
  const say = useEngineText()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const { picture, pick, retry } = usePicture(purpose, (url) => emit('uploaded', url))
  const sending = picture.phase === 'sending'
  return (
    <div {...root} className={styles.editable}>
      <input
        ref={input}
        id={id}
        type="file"
        className={classes('visually-hidden', styles.input)}
        accept={Object.values(typeOf).join()}
        aria-label={say('widget.avatar_change')}
        disabled={!enabled || sending || busy}
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file) pick(file)
        }}
      />
      <label htmlFor={id} className={classes('pressable', styles.avatar)} style={sized(size)} data-sending={sending || undefined}>
        <Face name={name} src={picture.preview ?? src} alt="" />
        <span className={styles.badge}>
          <Icon name="camera" size={16} />
        </span>
        {sending && <progress className="visually-hidden" value={picture.fraction} aria-label={say('widget.picture_sending')} />}
        {sending && <Ring fraction={picture.fraction} />}
      </label>
      {picture.phase === 'failed' && (
        <>
          <p className={styles.problem} role="alert">
            {picture.reason}
          </p>
          {picture.again && <PushButton label={say('widget.retry')} size="sm" icon="refresh-cw" onPress={retry} />}
        </>
      )}
    </div>
  )
}

function Face({ name, src, alt }: { name: string; src?: string; alt: string }) {
  const [broken, setBroken] = useState<string>()
  if (src && src !== broken && mayDraw(src)) return <img className={styles.picture} src={src} alt={alt} onError={() => setBroken(src)} />
  const letters = initials(name) || <Icon name="user" size={24} />
  return alt ? (
    <span className={styles.letters} role="img" aria-label={alt}>
      {letters}
    </span>
  ) : (
    <span className={styles.letters} aria-hidden="true">
      {letters}
    </span>
  )
}

function Ring({ fraction }: { fraction: number }) {
  return (
    <svg className={styles.ring} viewBox="0 0 36 36" aria-hidden="true">
      <circle cx="18" cy="18" r="17" pathLength="100" strokeDasharray={`${Math.round(fraction * 100)} 100`} />
    </svg>
  )
}
