import { lazy, Suspense, useSyncExternalStore } from 'react'
import { useEngine } from '#renderer/react/context.ts'

const PromptDialog = lazy(() => import('#renderer/react/PromptDialog.tsx'))

/** Prompts that wait for an answer. The dialog is loaded with the first of them. */
export function PromptHost() {
  const { ui } = useEngine()
  const prompts = useSyncExternalStore(ui.subscribe, ui.prompts)
  const top = prompts.at(-1)
  if (!top) return null
  return (
    <Suspense>
      <PromptDialog key={top.id} prompt={top} />
    </Suspense>
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
