import { createRoot } from 'react-dom/client'
import { Panel, type Seen } from '#renderer/inspector/Panel.tsx'
import '#renderer/inspector/inspector.css'
import '#renderer/inspector/views.css'

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
