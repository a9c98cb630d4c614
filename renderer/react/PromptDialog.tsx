import { AlertDialog } from '@base-ui/react/alert-dialog'
import type { OpenPrompt } from '#renderer/io/ui.ts'

/** One prompt: what will happen, row by row, then refuse or agree. Escape refuses; focus goes back to where it was. */
export default function PromptDialog({ prompt }: { prompt: OpenPrompt }) {
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
              <button type="button" className="prompt-cancel" onClick={() => prompt.settle(false)}>
                {prompt.cancel}
              </button>
            )}
            <button type="button" className="prompt-ok" onClick={() => prompt.settle(true)}>
              {prompt.ok}
            </button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
