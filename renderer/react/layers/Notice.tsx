import { useEffect, useState } from 'react'
import { chainOf } from '#renderer/actions/enter-chain.ts'
import { loadAreas } from '#renderer/config/screens.ts'
import { useEngine } from '#renderer/react/context.ts'
import { Exception } from '#renderer/react/StandIn.tsx'

interface Props {
  kind: 'loading' | 'failed' | 'broken' | 'not_found' | 'off' | 'shut'
  retry?: () => void
  /** The error; shown while developing. */
  error?: unknown
}

/** Fills the place of a whole screen that cannot be drawn: never a blank page, always a way on. */
export function Notice({ kind, retry, error }: Props) {
  const engine = useEngine()
  const { hasWords, worded } = useEngineWords(engine, kind !== 'loading')
  const say = hasWords ? engine.say : plainWord
  if (kind === 'loading' || !worded) {
    return (
      <main className="notice" data-screen="loading" aria-busy="true">
        {hasWords && <span className="visually-hidden">{say('engine.loading')}</span>}
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

/**
 * English words for a start that has no words at all, because neither the network nor the device gives them: a key of a text is no sentence.
 * A test compares them with locales/en.
 */
export const plainWords: Readonly<Record<string, string>> = {
  'engine.broken_title': 'This part cannot be shown',
  'engine.broken_text': 'The rest of the page still works.',
  'engine.not_found_title': 'Page not found',
  'engine.not_found_text': 'The address is wrong, or the page has moved.',
  'engine.off': 'This function is under development',
  'engine.off_text': 'It is not available here yet.',
  'engine.shut_title': 'You cannot open this page',
  'engine.shut_text': 'It needs a login or a verified account, and neither can be had here.',
  'engine.retry': 'Try again',
  'engine.home': 'Go to home',
}
const plainWord = (key: string): string => plainWords[key] ?? ''

/**
 * A wrong address has no screen that would bring these words along.
 * @returns `hasWords`: they are here; `worded`: nothing is waited for any more
 */
function useEngineWords(engine: ReturnType<typeof useEngine>, wanted: boolean): { hasWords: boolean; worded: boolean } {
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
  return { hasWords, worded: hasWords || asked }
}
