import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { HashRouter, type Location, useLocation, useNavigate, useNavigationType } from 'react-router-dom'
import type { ScreenDoc } from '#language/documents/documents.ts'
import { compileNode } from '#renderer/core/compile.ts'
import { pathOf } from '#renderer/engine/gate.rules.ts'
import { arrive, type Visit } from '#renderer/engine/kept.ts'
import type { Engine } from '#renderer/engine/types.ts'
import { useEngine, useRelease } from '#renderer/react/context.ts'
import { useLanguage } from '#renderer/react/hooks/useText.ts'
import { LazyLayers } from '#renderer/react/layers/LazyLayers.tsx'
import { Notice } from '#renderer/react/layers/Notice.tsx'
import { NodeBoundary } from '#renderer/react/NodeBoundary.tsx'
import { OfflineBar } from '#renderer/react/OfflineBar.tsx'
import { OutsideNode } from '#renderer/react/OutsideNode.tsx'
import { ScreenLoader } from '#renderer/react/ScreenLoader.tsx'
import type { View } from '#renderer/react/view.ts'

/** The app: hash routes from the routes document, the tab bar, toasts and prompts. */
export function AppRoutes() {
  return (
    // Transitions draw in slices between frames: on a slow phone a known screen would stand twice as late.
    <HashRouter useTransitions={false}>
      <Shell />
    </HashRouter>
  )
}

function Shell() {
  const engine = useEngine()
  const release = useRelease()
  useLanguage()
  const location = useLocation()
  const { pathname, search } = location
  const shown = useVisit(location)
  const visit = `${shown.key} ${search}`
  const navigate = useNavigate()
  const matched = engine.match(pathname)
  const screenId = matched?.route.screen
  const [loaded, setLoaded] = useState<ScreenDoc>()
  const doc = docOf(engine, screenId) ?? (loaded?.id === screenId ? loaded : undefined)
  useLayoutEffect(() => {
    engine.setMover({
      go: (address, replace) => void navigate(address, { replace }),
      // The first page that was opened has nothing behind it; home is where its back button leads.
      back: () => void (hasHistory() ? navigate(-1) : navigate('/', { replace: true })),
    })
  }, [engine, navigate])
  const tab = matched?.route.tab
  useLayoutEffect(() => engine.setTab(tab), [engine, tab])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a release waits for another page, not for other parameters
  useEffect(() => engine.moved(), [engine, pathname])
  // Looked at on each arrival, so that away and back to the same entry count as two moves.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a prompt belongs to the visit that asked
  useLayoutEffect(() => {
    engine.visit()
    return () => engine.ui.dismiss()
  }, [engine, pathname, visit])
  const open = useGate(pathname)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another release may carry another tab bar
  const tabBar = useMemo(() => compileNode(engine.app().tabBar, engine.registry), [engine, release])
  return (
    <div className="app" data-wide={doc?.wide || undefined}>
      {/* biome-ignore lint/a11y/useValidAnchor: a skip link is a link; the hash belongs to the router */}
      <a className="skip" href="#main" onClick={skip}>
        {engine.say('engine.skip_to_content')}
      </a>
      <div className="app-body" id="main" tabIndex={-1}>
        {screenId === undefined ? (
          <Notice kind="not_found" />
        ) : matched?.route.off ? (
          <Notice kind="off" />
        ) : open ? (
          <ScreenLoader
            key={`${screenId} ${shown.number}`}
            id={screenId}
            search={search}
            visit={visit}
            kept={shown.kept}
            onLoaded={setLoaded}
          />
        ) : (
          <Notice kind={engine.gate.isShut(pathname) ? 'shut' : 'loading'} />
        )}
      </div>
      <OfflineBar />
      <LazyLayers shown={shown} wide={doc?.wide === true} />
      {tab !== undefined && (
        <NodeBoundary subject={tabBar} stand={() => null} onBroken={() => undefined}>
          <OutsideNode node={tabBar} />
        </NodeBoundary>
      )}
    </div>
  )
}

/** The visit of a location; the router gives another object for each move. */
function useVisit(location: Location): Visit {
  const replaced = useNavigationType() === 'REPLACE'
  const last = useRef<Visit>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the kind of the move belongs to the location
  return useMemo(() => (last.current = arrive(last.current, location.pathname, replaced)), [location])
}

/**
 * Whether the page may be shown. A customer who opens a closed page directly gets a message and is led away. A page that was open stays in
 * sight until the move when its session ends, so that nothing jumps.
 */
function useGate(pathname: string): boolean {
  const { gate, outer } = useEngine()
  const popped = useNavigationType() === 'POP'
  const entry = useSyncExternalStore(
    useCallback((wake: () => void) => outer.subscribe('session', wake), [outer]),
    () => gate.entry(pathname),
  )
  const path = pathOf(pathname)
  useEffect(() => gate.visited(path, popped), [gate, path, popped])
  useEffect(() => {
    if (entry !== 'open') gate.turnAway(path)
  }, [gate, path, entry])
  const admitted = useRef<string | undefined>(undefined)
  if (entry === 'open') admitted.current = path
  return admitted.current === path
}

const docOf = ({ config }: Engine<View>, screen: string | undefined) =>
  screen === undefined ? undefined : (config.document(`screen/${screen}`) as ScreenDoc | undefined)

const hasHistory = () => typeof history.state?.idx === 'number' && history.state.idx > 0

function skip(event: { preventDefault(): void }) {
  event.preventDefault()
  document.getElementById('main')?.focus()
}
