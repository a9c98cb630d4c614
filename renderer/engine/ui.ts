export interface Toast {
  id: number
  text: string
  tone: 'info' | 'success' | 'warn' | 'error'
  /** How long it stays once it is drawn, in milliseconds. */
  ms: number
  /** Called by a press on the toast, which goes away then. */
  press?: () => void
}

/** A prompt or an alert that waits for the customer. Its texts are already read from the action's snapshot. */
export interface OpenPrompt {
  id: number
  title: string
  text: string
  rows: readonly { label: string; value: string }[]
  danger: boolean
  /** Something is going on that it waits for itself; answering it puts it aside. */
  busy?: boolean
  ok: string
  /** Absent: there is nothing to refuse, only to read. */
  cancel: string | undefined
  settle: (agreed: boolean) => void
}

export interface Ui {
  /**
   * @param press called by a press on the toast, which stays for `ms` at least
   * @returns the toast; undefined for an empty text
   */
  toast(text: string, tone?: Toast['tone'], press?: { run: () => void; ms: number }): Toast | undefined
  /** Takes a toast away. The component that draws it calls this at the right time: a message that was never drawn was never read. */
  drop(toast: Toast): void
  /**
   * Resolves when the customer answers; closing is refusing.
   * @param until closes the prompt when it has ended; the answer is true then
   */
  ask(prompt: Omit<OpenPrompt, 'id' | 'settle'>, until?: Promise<unknown>): Promise<boolean>
  /** Refuses every prompt that is open: its screen is gone. */
  dismiss(): void
  /**
   * A layer has opened over the page and all other layers. Each prompt is one.
   * @param close does what its own close button does
   * @returns it is gone
   */
  cover(close: () => void): () => void
  /** Closes the topmost layer. False: there is none. */
  uncover(): boolean
  /** Number of layers. */
  layers(): number
  toasts(): readonly Toast[]
  prompts(): readonly OpenPrompt[]
  subscribe(wake: () => void): () => void
}

const toastsMax = 3

/**
 * Keeps the layers over the screens: toasts that pass and prompts that wait, the newest on top.
 * @param toastMs how long a toast stays at least; a long text stays longer
 */
export function createUi(toastMs: number): Ui {
  const wakes = new Set<() => void>()
  let toasts: readonly Toast[] = []
  let prompts: readonly OpenPrompt[] = []
  let layers: readonly (() => void)[] = []
  let next = 1
  const wake = () => {
    for (const one of wakes) one()
  }
  const cover = (close: () => void) => {
    const layer = () => close()
    layers = [...layers, layer]
    wake()
    return () => {
      layers = layers.filter((one) => one !== layer)
      wake()
    }
  }
  return {
    cover,
    uncover() {
      const top = layers.at(-1)
      layers = layers.slice(0, -1)
      wake()
      top?.()
      return top !== undefined
    },
    layers: () => layers.length,
    toast(text, tone = 'info', press) {
      if (!text) return undefined
      const ms = Math.max(toastMs, text.length * 60, press?.ms ?? 0)
      const toast: Toast = { id: next++, text, tone, ms, ...(press && { press: press.run }) }
      toasts = [...toasts, toast].slice(-toastsMax)
      wake()
      return toast
    },
    drop(toast) {
      toasts = toasts.filter((t) => t !== toast)
      wake()
    },
    ask(prompt, until) {
      return new Promise((done) => {
        const open: OpenPrompt = {
          ...prompt,
          id: next++,
          settle(agreed) {
            prompts = prompts.filter((p) => p !== open)
            gone()
            done(agreed)
          },
        }
        prompts = [...prompts, open]
        const gone = cover(() => open.settle(false))
        void until?.finally(() => open.settle(true))
      })
    },
    dismiss() {
      for (const prompt of prompts) if (prompt.cancel !== undefined) prompt.settle(false)
    },
    toasts: () => toasts,
    prompts: () => prompts,
    subscribe(w) {
      wakes.add(w)
      return () => wakes.delete(w)
    },
  }
}
