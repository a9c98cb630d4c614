import { type ComponentType, useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { lazy } from '#renderer/core/lazy.ts'
import type { OpenPrompt, Toast } from '#renderer/engine/ui.ts'
import { useEngine } from '#renderer/react/context.ts'

const dialog = lazy(() => import('#renderer/react/layers/PromptDialog.tsx'))

/** Fetches the dialog before it is needed: what it will have to say may be that nothing can be fetched. @throws when it cannot be had */
export const loadPromptDialog = dialog.load

/** Prompts that wait for an answer, the newest on top. */
export function PromptHost() {
  const { ui } = useEngine()
  const prompts = useSyncExternalStore(ui.subscribe, ui.prompts)
  const top = prompts.at(-1)
  const isAsking = top !== undefined
  useLayoutEffect(() => {
    document.documentElement.toggleAttribute('data-asking', isAsking)
    return () => document.documentElement.removeAttribute('data-asking')
  }, [isAsking])
  return top ? <Prompt key={top.id} prompt={top} /> : null
}

function Prompt({ prompt }: { prompt: OpenPrompt }) {
  const [View, setView] = useState<ComponentType<{ prompt: OpenPrompt }> | undefined>(() => dialog.ready()?.default)
  useEffect(() => {
    if (View) return
    let live = true
    const show = () => live && setView(() => dialog.ready()?.default ?? PlainPrompt)
    dialog.load().then(show, show)
    return () => {
      live = false
    }
  }, [View])
  return View ? <View prompt={prompt} /> : null
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

/** Toasts, read out politely. The live region stands empty before the first one, so that it is heard. */
export function ToastHost() {
  const { ui } = useEngine()
  const waiting = useSyncExternalStore(ui.subscribe, ui.toasts)
  const [stands, setStands] = useState(false)
  useEffect(() => setStands(true), [])
  const toasts = stands ? waiting : []
  return (
    <div className="toasts" role="status" aria-live="polite">
      {toasts.map((toast) => (
        <PassingToast key={toast.id} toast={toast} />
      ))}
    </div>
  )
}

function PassingToast({ toast }: { toast: Toast }) {
  const { ui } = useEngine()
  useEffect(() => {
    const timer = setTimeout(() => ui.drop(toast), toast.ms)
    return () => clearTimeout(timer)
  }, [ui, toast])
  const { press } = toast
  if (!press)
    return (
      <div className="toast" data-tone={toast.tone}>
        {toast.text}
      </div>
    )
  const go = () => {
    ui.drop(toast)
    press()
  }
  return (
    <button type="button" className="toast" data-tone={toast.tone} onClick={go}>
      {toast.text}
    </button>
  )
}
