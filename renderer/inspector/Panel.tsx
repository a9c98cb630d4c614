import { useEffect, useReducer, useState } from 'react'
import { createRoot } from 'react-dom/client'
import type { Engine } from '#renderer/engine/types.ts'
import { EngineView } from '#renderer/inspector/EngineView.tsx'
import { branchAt, elementOf } from '#renderer/inspector/find.ts'
import { Highlight } from '#renderer/inspector/Highlight.tsx'
import { LogView } from '#renderer/inspector/LogView.tsx'
import type { Log } from '#renderer/inspector/log.ts'
import { NodeCard } from '#renderer/inspector/NodeCard.tsx'
import { Picker } from '#renderer/inspector/Picker.tsx'
import { RootsView } from '#renderer/inspector/RootsView.tsx'
import { TreeView } from '#renderer/inspector/TreeView.tsx'
import { type Branch, treeOf, wayTo } from '#renderer/inspector/tree.ts'
import type { Watch } from '#renderer/inspector/watch.ts'
import { words } from '#renderer/inspector/words.ts'
import '#renderer/inspector/inspector.css'
import '#renderer/inspector/views.css'

const views = ['nodes', 'values', 'log', 'engine'] as const
type View = (typeof views)[number]

/** Nodes send no event when they change, so that customers do not pay for it: an open panel looks again this often. */
const lookEveryMs = 400

function useLook(): void {
  const [, look] = useReducer((n: number) => n + 1, 0)
  useEffect(() => {
    const timer = setInterval(look, lookEveryMs)
    return () => clearInterval(timer)
  }, [])
}

/** The state that the panel shows. */
export interface Seen {
  engine: Engine
  watch: Watch
  log: Log
}

/** The panel: at the side of a wide window, at the foot of a narrow one. */
export function Panel({ seen, onClose }: { seen: Seen; onClose: () => void }) {
  useLook()
  const [view, setView] = useState<View>('nodes')
  const [folded, setFolded] = useState(false)
  const [picking, setPicking] = useState(false)
  const [chosen, setChosen] = useState<string>()
  const [pointed, setPointed] = useState<string>()
  useRoom(folded ? 'folded' : 'open')

  const trunks = treeOf(seen.watch.live)
  const way = chosen === undefined ? [] : wayTo(trunks, chosen)
  const shown = pointed === undefined ? way : wayTo(trunks, pointed)
  const element = shown.length > 0 ? elementOf(shown) : undefined
  const choose = (branch: Branch | undefined) => {
    setChosen(branch?.path)
    setView('nodes')
  }
  const picked = (at: Element | null) => {
    setPicking(false)
    setFolded(false)
    const branch = branchAt(at, trunks)
    if (branch) choose(branch)
  }
  return (
    <aside className="i-panel" aria-label={words.title} data-folded={folded || undefined}>
      <header className="i-head">
        <h2>{words.title}</h2>
        <button type="button" aria-pressed={picking} onClick={() => setPicking(!picking)}>
          {words.pick}
        </button>
        <button type="button" aria-expanded={!folded} onClick={() => setFolded(!folded)}>
          {folded ? words.unfold : words.fold}
        </button>
        <button type="button" onClick={onClose}>
          {words.close}
        </button>
      </header>
      {!folded && (
        <>
          <nav className="i-views" aria-label={words.views}>
            {views.map((one) => (
              <button key={one} type="button" aria-current={view === one || undefined} onClick={() => setView(one)}>
                {words[one]}
              </button>
            ))}
          </nav>
          <div className="i-body">
            {view === 'nodes' && (
              <div className="i-nodes" data-chosen={chosen !== undefined || undefined}>
                <TreeView trunks={trunks} chosen={chosen} choose={choose} point={setPointed} />
                <NodeCard way={way} chosen={chosen} choose={choose} engine={seen.engine} />
              </div>
            )}
            {view === 'values' && <RootsView trunks={trunks} branch={way.at(-1)} />}
            {view === 'log' && <LogView log={seen.log} />}
            {view === 'engine' && <EngineView engine={seen.engine} live={seen.watch.live} />}
          </div>
        </>
      )}
      {!picking && element && <Highlight element={element} label={shown.at(-1)} />}
      {picking && <Picker trunks={trunks} pick={picked} cancel={() => setPicking(false)} />}
      <p className="visually-hidden" role="status">
        {picking ? words.picking : ''}
      </p>
    </aside>
  )
}

/** The app makes room for the panel: see inspector.css. */
function useRoom(state: 'open' | 'folded'): void {
  useEffect(() => {
    document.documentElement.dataset.inspector = state
    return () => {
      delete document.documentElement.dataset.inspector
    }
  }, [state])
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
