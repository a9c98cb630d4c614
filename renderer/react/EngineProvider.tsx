import { type ReactNode, useEffect, useLayoutEffect, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { themeVariables } from '#renderer/core/theme.ts'
import type { Engine } from '#renderer/engine/types.ts'
import { EngineContext, useEngine, useRelease, WordsContext } from '#renderer/react/context.ts'
import { useDevice } from '#renderer/react/hooks/host.ts'
import { useLanguage } from '#renderer/react/hooks/useText.ts'
import type { View } from '#renderer/react/view.ts'

/** The one context. The engine is stable; what changes lives in its stores. */
export function EngineProvider({ engine, children }: { engine: Engine<View>; children: ReactNode }) {
  return (
    <EngineContext value={engine}>
      <Looks />
      <Words>{children}</Words>
    </EngineContext>
  )
}

/** Listens for everybody, once: a form may have a hundred fields that say words. Components that use no words are not drawn again. */
function Words({ children }: { children: ReactNode }) {
  const { i18n, say } = useEngine()
  useTranslation(undefined, { i18n: i18n.i18next })
  return <WordsContext value={{ say }}>{children}</WordsContext>
}

const wantsLight = typeof matchMedia === 'function' ? matchMedia('(prefers-color-scheme: light)') : undefined
const onScheme = (wake: () => void) => {
  wantsLight?.addEventListener('change', wake)
  return () => wantsLight?.removeEventListener('change', wake)
}

/** Writes theme and language where CSS and assistive technology read them. */
function Looks(): null {
  const engine = useEngine()
  const release = useRelease()
  const language = useLanguage()
  const [theme] = useDevice('theme')
  const [colours] = useDevice('colours')
  const systemLight = useSyncExternalStore(onScheme, () => wantsLight?.matches ?? false)
  const mode = theme === 'light' || (theme === 'system' && systemLight) ? 'light' : 'dark'
  // Before anything is painted, or what is drawn would change its size under the finger.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another release may carry another theme and other constants
  useLayoutEffect(() => {
    const root = document.documentElement
    const variables = themeVariables(engine.theme(), mode, colours === 'swapped')
    for (const [name, value] of Object.entries(variables)) root.style.setProperty(name, value)
    const { pageTransitionMs, spinnerAfterMs } = engine.app().constants
    if (pageTransitionMs !== undefined) root.style.setProperty('--transition', `${pageTransitionMs}ms`)
    if (spinnerAfterMs !== undefined) root.style.setProperty('--spinner-after', `${spinnerAfterMs}ms`)
    root.dataset.theme = mode
    root.dataset.colours = String(colours)
    document.querySelector('meta[name=theme-color]')?.setAttribute('content', variables['--ground'] ?? '')
  }, [engine, mode, colours, release])
  useEffect(() => {
    document.documentElement.lang = language.tag
  }, [language.tag])
  return null
}
