import { useEffect, useRef, useState } from 'react'
import { useEngineText } from '#renderer/widget-api.ts'
import { PushButton } from '#widgets/parts/PushButton.tsx'

type Copied = 'no' | 'yes' | 'refused'
const shownMs = 2_000

interface CopyButtonProps {
  text: string
  label: string
  /** Icon alone; the label names the button. */
  hideLabel?: boolean
}

const words = { no: '', yes: 'widget.copied', refused: 'widget.copy_refused' }
const icons = { no: 'copy', yes: 'check', refused: 'circle-alert' }

/** Copies a text and confirms it visibly and to screen readers. */
export function CopyButton({ text, label, hideLabel = false }: CopyButtonProps) {
  const say = useEngineText()
  const [copied, copy] = useCopy()
  const status = words[copied] && say(words[copied])
  return (
    <>
      <PushButton
        label={hideLabel ? label : status || label}
        hideLabel={hideLabel}
        size="sm"
        tone={hideLabel ? 'quiet' : 'secondary'}
        icon={icons[copied]}
        onPress={() => copy(text)}
      />
      <span className="visually-hidden" role="status">
        {status}
      </span>
    </>
  )
}

/** Copies text to the clipboard and reports the result for two seconds. */
function useCopy(): [copied: Copied, copy: (text: string) => void] {
  const [copied, setCopied] = useState<Copied>('no')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const show = (next: Copied) => {
    clearTimeout(timer.current)
    setCopied(next)
    timer.current = setTimeout(setCopied, shownMs, 'no')
  }
  return [
    copied,
    (text) => {
      // Not available on insecure pages.
      const done = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'))
      done.then(
        () => show('yes'),
        () => show('refused'),
      )
    },
  ]
}
