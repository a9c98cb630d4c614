import { memo, useState } from 'react'
import { localMs, useEngineText, writtenClock } from '#renderer/widget-api.ts'
import styles from '#widgets/message-list/MessageList.module.css'
import type { Message } from '#widgets/message-list/messages.rules.ts'
import { mayDraw } from '#widgets/parts/address.rules.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'

interface BubbleProps {
  message: Message
  /** Begins and ends a run of messages of the same author. */
  first: boolean
  last: boolean
  /** Sends a failed one once more, or leaves it; undefined while the list is disabled. */
  act: ((what: 'resend' | 'discard', id: string) => unknown) | undefined
  open: (id: string) => void
}

const marks = { pending: 'clock', sent: 'check', seen: 'check-check', failed: 'circle-alert' } as const

/** One message. It renders again only when the message has changed. */
export const Bubble = memo(function Bubble({ message, first, last, act, open }: BubbleProps) {
  const { id, mine = false, name, avatar, text, picture, sending, sendingProblem } = message
  const state = sending ?? message.state ?? 'sent'
  const say = useEngineText()
  return (
    <div
      className={styles.row}
      data-message={String(id)}
      data-mine={mine || undefined}
      data-first={first || undefined}
      data-state={mine ? state : undefined}
    >
      {!mine && <span className={styles.face}>{last && <Face name={name} src={avatar} />}</span>}
      <div className={styles.column}>
        {mine ? (
          <span className="visually-hidden">{say('widget.messages_you')}</span>
        ) : (
          name && <span className={classes(first ? styles.name : 'visually-hidden')}>{name}</span>
        )}
        <div className={styles.bubble} data-bare={(picture && !text) || undefined}>
          {picture && <Picture src={picture} press={() => open(String(id))} />}
          {text && (
            <span className={styles.text} dir="auto">
              {text}
            </span>
          )}
          <Stamp at={message.at} state={mine ? state : undefined} />
        </div>
        {mine && state === 'failed' && (
          <span className={styles.failed}>
            <span>
              {say('widget.message_failed')}
              {sendingProblem && <span className={styles.why}>{sendingProblem}</span>}
            </span>
            {act && (
              <span>
                <button type="button" className={classes('pressable', styles.again)} onClick={() => act('resend', String(id))}>
                  {say('widget.retry')}
                </button>
                <button type="button" className={classes('pressable', styles.again)} onClick={() => act('discard', String(id))}>
                  {say('widget.message_discard')}
                </button>
              </span>
            )}
          </span>
        )}
      </div>
    </div>
  )
}, same)

/** Handlers are new in each render of the list; only their presence is compared. */
function same(a: BubbleProps, b: BubbleProps): boolean {
  if (a.first !== b.first || a.last !== b.last || !a.act !== !b.act) return false
  const names = new Set([...Object.keys(a.message), ...Object.keys(b.message)]) as Set<keyof Message>
  return [...names].every((name) => a.message[name] === b.message[name])
}

function Stamp({ at, state }: { at: number; state: keyof typeof marks | undefined }) {
  const say = useEngineText()
  return (
    <span className={styles.stamp}>
      {/* A row of data may lack its time. */}
      {Number.isFinite(at) && <time dateTime={new Date(at).toISOString()}>{writtenClock(localMs(at), false)}</time>}
      {state && (
        <>
          <Icon name={marks[state]} size={14} />
          <span className="visually-hidden">{say(`widget.message_${state}`)}</span>
        </>
      )}
    </span>
  )
}

function Face({ name = '', src }: { name: string | undefined; src: string | undefined }) {
  const [broken, setBroken] = useState<string>()
  if (src && src !== broken && mayDraw(src)) return <img src={src} alt="" loading="lazy" decoding="async" onError={() => setBroken(src)} />
  const [letter = ''] = name
  return <span aria-hidden="true">{letter.toLocaleUpperCase() || <Icon name="user" size={16} />}</span>
}

function Picture({ src, press }: { src: string; press: () => void }) {
  const say = useEngineText()
  const [broken, setBroken] = useState<string>()
  if (src === broken || !mayDraw(src))
    return (
      <span className={styles.lost}>
        <Icon name="image" size={24} />
        <span>{say('widget.picture_lost')}</span>
      </span>
    )
  return (
    <button
      type="button"
      className={classes('pressable', styles.picture)}
      aria-label={say('widget.picture_open', { label: say('widget.message_picture') })}
      onClick={press}
    >
      <img src={src} alt="" loading="lazy" decoding="async" onError={() => setBroken(src)} />
    </button>
  )
}
