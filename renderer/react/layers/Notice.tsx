import { useEffect, useState } from 'react'
import { chainOf } from '#renderer/actions/enter-chain.ts'
import { loadAreas } from '#renderer/config/screens.ts'
import { useEngine } from '#renderer/react/context.ts'
import { Exception } from '#renderer/react/StandIn.tsx'

interface Props {
  kind: 'loading' | 'failed' | 'broken' | 'not_found' | 'off' | 'shut'
  retry?: () => void
  /** What broke; shown while developing. */
  error?: unknown
}

/** What stands where a whole screen cannot: never a blank page, always a way on. */
export function Notice({ kind, retry, error }: Props) {
  const engine = useEngine()
  const { say } = engine
  const worded = useEngineWords(kind !== 'loading')
  if (kind === 'loading' || !worded) {
    return (
      <main className="notice" data-screen="loading" aria-busy="true">
        <span className="visually-hidden">{say('engine.loading')}</span>
        <div className="notice-bars" aria-hidden="true" />
      </main>
    )
  }
  const home = () => {
    chainOf(engine).home()
    engine.go('/', {}, true)
  }
  const [screen, title, text] =
    kind === 'not_found'
      ? ['not-found', 'engine.not_found_title', 'engine.not_found_text']
      : kind === 'off'
        ? ['off', 'engine.off', 'engine.off_text']
        : kind === 'shut'
          ? ['shut', 'engine.shut_title', 'engine.shut_text']
          : ['broken', 'engine.broken_title', 'engine.broken_text']
  return (
    <main className="notice" data-screen={screen}>
      <h1>{say(title)}</h1>
      <p>{say(text)}</p>
      {kind === 'broken' && <Exception error={error} retry={retry} />}
      <div className="notice-actions">
        {retry && (
          <button type="button" onClick={retry}>
            {say('engine.retry')}
          </button>
        )}
        <button type="button" onClick={home}>
          {say('engine.home')}
        </button>
      </div>
    </main>
  )
}

/** Whoever comes in by a wrong address has no screen that would bring these words along. Without them at all there is still a way on. */
function useEngineWords(wanted: boolean): boolean {
  const engine = useEngine()
  const [asked, setAsked] = useState(false)
  const hasWords = engine.i18n.hasArea(engine.i18n.language(), 'engine')
  useEffect(() => {
    if (!wanted || hasWords) return
    let here = true
    const done = () => here && setAsked(true)
    void loadAreas(engine, ['engine']).then(done, done)
    return () => {
      here = false
    }
  }, [engine, wanted, hasWords])
  return hasWords || asked
}
