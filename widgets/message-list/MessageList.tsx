import { useMemo, useRef, useState } from 'react'
import { lazy, useEngineText, useUnsent, type ViewProps } from '#renderer/widget-api.ts'
import { Bubble } from '#widgets/message-list/Bubble.tsx'
import { Day } from '#widgets/message-list/Day.tsx'
import styles from '#widgets/message-list/MessageList.module.css'
import type { MessageListProps } from '#widgets/message-list/message-list.props.ts'
import { inOrder, linesOf, type Message } from '#widgets/message-list/messages.rules.ts'
import { usePlace } from '#widgets/message-list/usePlace.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'
import { Spinner } from '#widgets/parts/look/Spinner.tsx'
import { Notice } from '#widgets/parts/Notice.tsx'
import { PushButton } from '#widgets/parts/PushButton.tsx'
import { asksForMore } from '#widgets/parts/values/end.rules.ts'

type Props = ViewProps<MessageListProps, 'more'>

const LargePicture = lazy(() => import('#widgets/parts/LargePicture.tsx'))
const none: readonly Message[] = []
const dayOf = (ms: number) => new Date(ms).toDateString()

/** A conversation with the newest message at the bottom. It fills the remaining height of the page. */
export function MessageList(view: Props) {
  const { root, props, status, retry } = view
  const { label, messages = none, emptyText } = props
  const say = useEngineText()
  const all = useMemo(() => inOrder(messages), [messages])
  if (all.length > 0) return <Conversation {...view} all={all} />
  return (
    <div {...root} className={styles.box} data-fill="" role="log" aria-label={label} aria-busy={status === 'loading' || undefined}>
      {status === 'loading' ? (
        <Bones />
      ) : (
        <div className={styles.none}>
          {status === 'failed' ? (
            <Notice icon="triangle-alert" tone="warn" title={say('widget.error_title')} text={say('widget.error_text')}>
              <PushButton label={say('widget.retry')} onPress={retry} />
            </Notice>
          ) : (
            <Notice icon="messages-square" title={emptyText ?? say('widget.messages_none')} />
          )}
        </div>
      )}
    </div>
  )
}

function Conversation({ root, props, emit, enabled, all }: Props & { all: readonly Message[] }) {
  const { label, more = false, loadingMore = false } = props
  const say = useEngineText()
  const [large, setLarge] = useState<string>()
  const askedAt = useRef(-1)
  const place = usePlace(all, (near) => {
    if (!near) askedAt.current = -1
    if (!asksForMore({ count: all.length, more, loading: loadingMore, near, askedAt: askedAt.current })) return
    askedAt.current = all.length
    emit('more')
  })
  const { drawn, fresh } = place
  const lines = useMemo(() => linesOf(drawn, dayOf), [drawn])
  const pictures = useMemo(() => drawn.flatMap(({ id, picture }) => (picture ? [{ id: String(id), src: picture }] : [])), [drawn])
  const nameOf = (at: number) => say('widget.picture_of', { label, n: at + 1, total: pictures.length })
  const shown = pictures.findIndex(({ id }) => id === large)
  const act = useUnsent()
  return (
    <div {...root} className={styles.box} data-fill="">
      <div
        ref={place.scroller}
        className={styles.scroller}
        role="log"
        aria-label={label}
        aria-live={place.live}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by keys
        tabIndex={0}
      >
        <div className={styles.inner}>
          <div className={styles.top}>{loadingMore ? <Spinner now /> : !more && <span>{say('widget.messages_begin')}</span>}</div>
          {lines.map((line) =>
            line.kind === 'day' ? (
              <Day key={line.key} at={line.at} />
            ) : (
              <Bubble
                key={line.key}
                message={line.message}
                first={line.first}
                last={line.last}
                act={enabled ? act : undefined}
                open={setLarge}
              />
            ),
          )}
        </div>
      </div>
      {(fresh > 0 || place.away) && (
        <button
          type="button"
          className={classes('pressable', styles.down)}
          aria-label={fresh > 0 ? undefined : say('widget.messages_newest')}
          onClick={place.toBottom}
        >
          {fresh > 0 && <span>{say('widget.messages_fresh', { n: fresh })}</span>}
          <Icon name="chevron-down" size={18} />
        </button>
      )}
      {shown >= 0 && (
        <LargePicture
          pictures={pictures}
          at={shown}
          nameOf={nameOf}
          show={(at) => setLarge(pictures[at]?.id)}
          close={() => setLarge(undefined)}
        />
      )}
    </div>
  )
}

/** Skeleton bubbles at the bottom, where the newest messages will be. */
function Bones() {
  return (
    <div className={styles.bones} aria-hidden="true">
      {['other', 'other', 'mine', 'other', 'mine'].map((side, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces are alike
        <i key={i} data-side={side} />
      ))}
    </div>
  )
}
