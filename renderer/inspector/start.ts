import type { Engine } from '#renderer/engine/types.ts'
import { isShortcut } from '#renderer/inspector/allowed.ts'
import { ownRoot } from '#renderer/inspector/find.ts'
import { keepLog } from '#renderer/inspector/log.ts'
import { watchModels } from '#renderer/inspector/watch.ts'

/**
 * Makes the inspector ready, before the first screen stands: from now on nodes and calls are known. Its panel comes in a chunk of its own
 * when it is first opened. Called only where `inspection` allows it.
 */
export function startInspector(engine: Engine, open: boolean): void {
  const watch = watchModels()
  const log = keepLog(engine)
  let panel: { close(): void } | undefined
  const toggle = async () => {
    if (panel) {
      panel.close()
      panel = undefined
      return
    }
    const { showPanel } = await import('#renderer/inspector/Panel.tsx')
    const box = document.createElement('div')
    box.id = ownRoot
    document.body.append(box)
    panel = showPanel(box, { engine, watch, log }, () => void toggle())
  }
  window.addEventListener('keydown', (event) => {
    if (!isShortcut(event)) return
    event.preventDefault()
    void toggle()
  })
  if (open) void toggle()
}
