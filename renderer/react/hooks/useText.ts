import { useContext, useMemo, useSyncExternalStore } from 'react'
import type { BoundFormats } from '#renderer/core/format.ts'
import type { Say } from '#renderer/core/resolve.ts'
import { useEngine, WordsContext } from '#renderer/react/context.ts'

/** The language that is shown. Draws again when the customer chooses another. */
export function useLanguage(): { id: string; tag: string } {
  const engine = useEngine()
  const id = useSyncExternalStore(engine.i18n.onChange, engine.i18n.language)
  return useMemo(() => ({ id, tag: engine.language().tag }), [id, engine])
}

/** Words that a widget says itself, by key of the areas `widget`, `chart` or `engine`. Draws again when they are others. */
export function useEngineText(): Say {
  const engine = useEngine()
  return useContext(WordsContext)?.say ?? engine.say
}

/** How numbers, times and money are written now; amounts come as decimal text. */
export function useFormat(): BoundFormats {
  const engine = useEngine()
  const { id } = useLanguage()
  const fiat = useSyncExternalStore(
    (wake) => engine.outer.subscribe('session.fiat', wake),
    () => {
      const chosen = engine.fiat()
      return chosen ? `${chosen.code} ${chosen.rate}` : ''
    },
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: language and fiat decide what the engine gives
  return useMemo(() => engine.bound(), [engine, id, fiat])
}
