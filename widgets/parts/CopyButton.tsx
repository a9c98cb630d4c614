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

/** Copies, and says aloud and for the eye that it did. */
export function CopyButton({ text, label, hideLabel = false }: CopyButtonProps) {
  const say = useEngineText()
  const [copied, copy] = useCopy()
  const told = words[copied] && say(words[copied])
  return (
    <>
      <PushButton
        label={hideLabel ? label : told || label}
        hideLabel={hideLabel}
        size="sm"
        tone={hideLabel ? 'quiet' : 'secondary'}
        icon={icons[copied]}
        onPress={() => copy(text)}
      />
      <span className="visually-hidden" role="status">
        {told}
      </span>
    </>
  )
}

/** Puts text on the clipboard and says for two seconds whether it went well. */
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
      // Absent where the page is not secure.
      const done = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'))
      done.then(
        () => show('yes'),
        () => show('refused'),
      )
    },
  ]
}
