import { AlertDialog } from '@base-ui/react/alert-dialog'
import { useEffect, useState } from 'react'
import type { OpenPrompt } from '#renderer/engine/ui.ts'

/** Longer than the two taps of a double tap lie apart. */
const restMs = 500

/**
 * One prompt: what will happen, row by row, then refuse or agree. Escape refuses; focus goes back to where it was. At first the buttons take
 * nothing: the second tap, or the second Enter, was meant for what opened the prompt, and nobody has read it yet.
 */
export default function PromptDialog({ prompt }: { prompt: OpenPrompt }) {
  const [rested, setRested] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setRested(true), restMs)
    return () => clearTimeout(timer)
  }, [])
  const answer = (agreed: boolean) => ({ 'aria-disabled': !rested || undefined, onClick: () => rested && prompt.settle(agreed) })
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && prompt.settle(false)}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="prompt-back" />
        <AlertDialog.Popup className="prompt" data-danger={prompt.danger || undefined} data-busy={prompt.busy || undefined}>
          <AlertDialog.Title className="prompt-title">{prompt.title}</AlertDialog.Title>
          {prompt.busy && <div className="prompt-busy" role="progressbar" aria-label={prompt.title} />}
          {prompt.text && <AlertDialog.Description className="prompt-text">{prompt.text}</AlertDialog.Description>}
          {prompt.rows.length > 0 && (
            <dl className="prompt-rows">
              {prompt.rows.map((row) => (
                <div key={row.label}>
                  <dt>{row.label}</dt>
                  <dd>{row.value}</dd>
                </div>
              ))}
            </dl>
          )}
          <div className="prompt-actions">
            {prompt.cancel !== undefined && (
              <button type="button" className="prompt-cancel" {...answer(false)}>
                {prompt.cancel}
              </button>
            )}
            <button type="button" className="prompt-ok" {...answer(true)}>
              {prompt.ok}
            </button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
