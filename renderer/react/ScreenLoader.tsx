import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { ScreenDoc } from '#language/documents/documents.ts'
import { loadScreen, screenNow } from '#renderer/config/screens.ts'
import { readParams } from '#renderer/core/route.ts'
import type { Kept } from '#renderer/engine/kept.ts'
import { useEngine, useRelease } from '#renderer/react/context.ts'
import { Notice } from '#renderer/react/layers/Notice.tsx'
import { NodeBoundary } from '#renderer/react/NodeBoundary.tsx'
import { ScreenView } from '#renderer/react/ScreenView.tsx'

type Loading = { doc: ScreenDoc } | { failed: true } | undefined

interface ScreenLoaderProps {
  id: string
  search: string
  visit: string
  kept?: Kept
  /** Told of a document that was not here when the page opened. */
  onLoaded?: (doc: ScreenDoc) => void
}

/** Finds the document of a screen: at once when it is here, otherwise with a skeleton meanwhile. */
export function ScreenLoader({ id, search, visit, kept, onLoaded }: ScreenLoaderProps) {
  const engine = useEngine()
  const release = useRelease()
  const [loading, setLoading] = useState<Loading>(undefined)
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another release or attempt may bring another document
  const now = useMemo(() => screenNow(engine, id), [engine, id, release, attempt])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt loads again
  useEffect(() => {
    if (now) return
    let live = true
    loadScreen(engine, id).then(
      (doc) => live && setLoading({ doc }),
      () => live && setLoading({ failed: true }),
    )
    return () => {
      live = false
    }
  }, [engine, id, now, attempt])
  const last = useRef<ScreenDoc | undefined>(undefined)
  const doc = now ?? (loading && 'doc' in loading ? loading.doc : last.current)
  last.current = doc
  useLayoutEffect(() => {
    if (!now && doc) onLoaded?.(doc)
  }, [now, doc, onLoaded])
  // Another visit gives a screen that broke another chance, also when it is the same screen: home, after "Go to home" on home.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another object for each document and visit
  const subject = useMemo(() => ({}), [doc, visit])
  const read = useMemo(() => doc && readParams(doc.params, new URLSearchParams(search)), [doc, search])
  if (!doc || !read) {
    const again = () => {
      setLoading(undefined)
      setAttempt((n) => n + 1)
    }
    return <Notice kind={loading && 'failed' in loading ? 'failed' : 'loading'} retry={again} />
  }
  if ('wrong' in read) return <Notice kind="not_found" />
  return (
    <NodeBoundary
      subject={subject}
      stand={(retry, error) => <Notice kind="broken" retry={retry} error={error} />}
      onBroken={(error) => report(engine, id, error)}
    >
      <ScreenView doc={doc} params={read.params} visit={visit} kept={kept} />
    </NodeBoundary>
  )
}

function report(engine: ReturnType<typeof useEngine>, screen: string, error: unknown): void {
  engine.bus.emit('node-broken', { screen, node: screen, widget: 'screen', reason: String(error), whole: true })
}
