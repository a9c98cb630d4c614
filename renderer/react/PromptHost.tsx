import { lazy, Suspense, useSyncExternalStore } from 'react'
import type { OpenPrompt } from '#renderer/io/ui.ts'
import { useEngine } from '#renderer/react/context.ts'
import { NodeBoundary } from '#renderer/react/NodeBoundary.tsx'

const PromptDialog = lazy(() => import('#renderer/react/PromptDialog.tsx'))

/** Prompts that wait for an answer. The dialog is loaded with the first of them. */
export function PromptHost() {
  const { ui } = useEngine()
  const prompts = useSyncExternalStore(ui.subscribe, ui.prompts)
  const top = prompts.at(-1)
  if (!top) return null
  return (
    <NodeBoundary subject={top} stand={() => <PlainPrompt prompt={top} />} onBroken={() => undefined}>
      <Suspense>
        <PromptDialog key={top.id} prompt={top} />
      </Suspense>
    </NodeBoundary>
  )
}

/** When even the dialog cannot be loaded, what it had to say is still said. */
function PlainPrompt({ prompt }: { prompt: OpenPrompt }) {
  const { title, text, rows, cancel, ok, settle } = prompt
  return (
    <div className="prompt" role="alertdialog" aria-label={title}>
      <p className="prompt-title">{title}</p>
      {text && <p className="prompt-text">{text}</p>}
      {rows.map((row) => (
        <p key={row.label}>
          {row.label} {row.value}
        </p>
      ))}
      <div className="prompt-actions">
        {cancel !== undefined && (
          <button type="button" onClick={() => settle(false)}>
            {cancel}
          </button>
        )}
        <button type="button" onClick={() => settle(true)}>
          {ok}
        </button>
      </div>
    </div>
  )
}

/** Toasts, read out politely. The live region stands from the start, so that the first one is heard. */
export function ToastHost() {
  const { ui } = useEngine()
  const toasts = useSyncExternalStore(ui.subscribe, ui.toasts)
  return (
    <div className="toasts" role="status" aria-live="polite">
      {toasts.map((toast) => (
        <div key={toast.id} className="toast" data-tone={toast.tone}>
          {toast.text}
        </div>
      ))}
    </div>
  )
}
