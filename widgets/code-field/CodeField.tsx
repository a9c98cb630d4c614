import { type ChangeEvent, type CSSProperties, useState } from 'react'
import { useClock, useEngineText, useField, type ViewProps } from '#renderer/widget-api.ts'
import styles from '#widgets/code-field/CodeField.module.css'
import { codeIn, secondsLeft } from '#widgets/code-field/code.rules.ts'
import type { CodeFieldProps } from '#widgets/code-field/code-field.props.ts'
import { waitUntil } from '#widgets/code-field/resend.ts'
import { FieldFrame } from '#widgets/parts/fields/FieldFrame.tsx'
import { asText } from '#widgets/parts/fields/fieldValue.ts'
import { useInsertion } from '#widgets/parts/fields/useInsertion.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import { PushButton } from '#widgets/parts/PushButton.tsx'

type Props = ViewProps<CodeFieldProps, 'send'>

/** One input over drawn boxes, so that a phone offers the code of a message and the code can be pasted. */
export function CodeField({ root, props, emit, listens, busy }: Props) {
  const field = useField()
  const { digits = 6, target, sent } = props
  const { onChange, ...native } = field.native
  const source = useInsertion(field.native.ref)
  const [code, setCode] = useState(() => asText(field.get()))
  const change = (event: ChangeEvent<HTMLInputElement>) => {
    const input = event.target
    const next = codeIn(code, input.value, digits, source.selected())
    if (next !== input.value) input.value = next
    setCode(next)
    onChange(event)
  }
  const sends = !listens || listens('send')
  const wait = `${field.id} ${target ?? ''}`
  return (
    <FieldFrame
      root={root}
      field={field}
      beside={sends && <Resend key={wait} wait={wait} sent={sent ?? undefined} busy={busy} send={() => emit('send')} />}
      after={sends && <Sent sent={sent ?? undefined} />}
    >
      <div className={styles.around} style={{ '--digits': digits } as CSSProperties}>
        <div className={styles.code}>
          <span className={styles.cells} aria-hidden="true">
            {Array.from({ length: digits }, (_, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place
              <i key={i} data-at={i === Math.min(code.length, digits - 1) || undefined} data-full={i < code.length || undefined} />
            ))}
          </span>
          <input
            {...native}
            ref={source.ref}
            type="text"
            className={styles.input}
            inputMode="numeric"
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            onChange={change}
          />
        </div>
      </div>
    </FieldFrame>
  )
}

interface ResendProps {
  wait: string
  sent: CodeFieldProps['sent']
  busy: boolean
  send: () => void
}

function Resend({ wait, sent, busy, send }: ResendProps) {
  const field = useField()
  const say = useEngineText()
  const now = useClock(1_000)
  const seconds = secondsLeft(waitUntil(wait, sent ?? undefined, now), now)
  return (
    <span className={styles.resend}>
      <PushButton
        label={seconds > 0 ? say('widget.code_wait', { n: seconds }) : say(sent ? 'widget.code_again' : 'widget.code_send')}
        tone="quiet"
        size="sm"
        busy={busy}
        enabled={field.enabled && seconds === 0}
        onPress={send}
      />
    </span>
  )
}

/** Rendered empty from the start, so that screen readers announce its later text. */
function Sent({ sent }: { sent: CodeFieldProps['sent'] }) {
  const say = useEngineText()
  return (
    <span className={classes(styles.sent, !sent?.target && 'visually-hidden')} role="status">
      {sent?.target ? say('widget.code_sent', { target: sent.target }) : sent ? say('widget.code_sent_plain') : ''}
    </span>
  )
}
