import { createRoot } from 'react-dom/client'
import type { Engine } from '#renderer/engine/engine.ts'
import type { Log } from '#renderer/inspector/log.ts'
import { Panel } from '#renderer/inspector/Panel.tsx'
import type { Watch } from '#renderer/inspector/watch.ts'
import '#renderer/inspector/inspector.css'
import '#renderer/inspector/views.css'

export interface Seen {
  engine: Engine
  watch: Watch
  log: Log
}

/** Draws the panel into an element of its own, outside of the app, so that neither can break the other. */
export function showPanel(box: HTMLElement, seen: Seen, onClose: () => void): { close(): void } {
  const root = createRoot(box)
  root.render(<Panel seen={seen} onClose={onClose} />)
  return {
    close() {
      root.unmount()
      box.remove()
    },
  }
}
