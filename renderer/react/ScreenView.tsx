import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { ScreenDoc } from '#language/documents/documents.ts'
import { namedValues } from '#language/expression/named.ts'
import { act, actOnChanges } from '#renderer/actions/act.ts'
import { chainOf } from '#renderer/actions/enter-chain.ts'
import type { ActionPlace } from '#renderer/actions/place.ts'
import { compiledOf, dataDeps } from '#renderer/config/screens.ts'
import type { CompiledScreen } from '#renderer/core/compile.ts'
import { NodeModel } from '#renderer/core/model.ts'
import { openSources } from '#renderer/data/data.ts'
import type { Kept } from '#renderer/engine/kept.ts'
import { ScreenStore } from '#renderer/engine/store.ts'
import type { Engine } from '#renderer/engine/types.ts'
import { ScreenContext, type ScreenHandle, useEngine } from '#renderer/react/context.ts'
import { hasLoaded, screenPlace, useSourceEvents } from '#renderer/react/hooks/useSourceEvents.ts'
import { drawNode } from '#renderer/react/NodeView.tsx'
import { slotsOf } from '#renderer/react/slots.tsx'
import type { View } from '#renderer/react/view.ts'

function openScreen(screen: CompiledScreen<View>, store: ScreenStore, engine: Engine<View>): ScreenHandle {
  const { constants } = engine.app()
  store.values = namedValues(screen.values)
  const data = openSources(screen.sources, store, dataDeps(engine))
  return {
    engine,
    store,
    get form() {
      return store.form
    },
    data,
    screen: screen.doc,
    say: engine.say,
    throttleMs: Number(constants.clickThrottleMs ?? 500),
    statusOf: data.status,
    onClosed: (node, what, missing) => engine.bus.emit('guard-closed', { screen: screen.doc.id, node, what, missing }),
    onStopped: (node, what, reason) => engine.bus.emit('node-stopped', { screen: screen.doc.id, node, what, reason }),
  }
}

interface Props {
  doc: ScreenDoc
  params: Record<string, unknown>
  /** Another one for each entry of the browser's history. */
  visit?: string
  /** The kept state of the visit; absent beside another page. */
  kept?: Kept | undefined
}

/** One open screen. Its values live as long as it is mounted; another revision of its document is drawn over the same values. */
export function ScreenView({ doc, params, visit, kept }: Props) {
  const engine = useEngine()
  const [store] = useState(() => new ScreenStore(engine.outer, params, doc.state ?? {}, doc.lists, kept))
  const screen = compiledOf(doc, engine)
  const [open, setOpen] = useState(() => ({ screen, handle: openScreen(screen, store, engine) }))
  useLayoutEffect(() => {
    if (open.screen === screen) return
    store.adopt(screen.doc.state ?? {}, screen.doc.lists)
    setOpen({ screen, handle: openScreen(screen, store, engine) })
  }, [open, screen, store, engine])
  useLayoutEffect(() => {
    open.handle.data.start()
    return () => open.handle.data.stop()
  }, [open])
  useLayoutEffect(() => store.setParams(params), [store, params])
  useEffect(() => engine.bus.emit('screen-drawn', { screen: open.screen.doc.id }), [engine, open])
  const [circle, setCircle] = useState<string>()
  const entered = useRef<ActionPlace['entry']>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for a visit, whatever releases change of the document meanwhile
  useEffect(() => {
    const chain = chainOf(engine)
    if (!doc.enter && !hasLoaded(open.screen)) return chain.end()
    const entry = chain.begin(doc.id)
    if ('circle' in entry) return setCircle(entry.circle)
    entered.current = entry
    if (doc.enter) void act(doc.enter, store, undefined, screenPlace(open.handle, { entry }))
  }, [store, visit])
  useSourceEvents(
    open,
    engine,
    visit,
    useCallback(() => entered.current, []),
  )
  const { changes } = open.screen.doc
  useEffect(() => changes && actOnChanges(changes, store, () => screenPlace(open.handle, { source: { depth: 1 } })), [changes, store, open])
  if (circle !== undefined) throw new Error(`"enter" causes a cycle: ${circle}`)
  return (
    <ScreenContext value={open.handle}>
      <div className="screen" data-screen={doc.id}>
        <Body screen={open.screen} store={store} handle={open.handle} />
      </div>
    </ScreenContext>
  )
}

function Body({ screen, store, handle }: { screen: CompiledScreen<View>; store: ScreenStore; handle: ScreenHandle }) {
  const model = useMemo(() => new NodeModel(screen.root, store, handle), [screen, store, handle])
  const shot = useSyncExternalStore(
    useCallback((wake: () => void) => model.subscribe(wake), [model]),
    () => model.getSnapshot(),
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows that come, go or move give other handles
  return useMemo(() => slotsOf(model, drawNode).body?.all(), [model, shot.rows])
}
