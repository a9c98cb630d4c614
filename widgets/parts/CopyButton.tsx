import { useEngineText } from '#renderer/widget-api.ts'
import { PushButton } from '#widgets/parts/PushButton.tsx'
import { useCopy } from '#widgets/parts/useCopy.ts'

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
