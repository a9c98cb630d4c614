import '#language/expression/all-operators.ts'
import { useEffect, useLayoutEffect, useMemo } from 'react'
import { createRoot } from 'react-dom/client'
import { HashRouter, useLocation } from 'react-router-dom'
import { Bar } from '#app/gallery/Bar.tsx'
import { findWidget } from '#app/gallery/examples.ts'
import { FunctionsPage } from '#app/gallery/FunctionsPage.tsx'
import { IndexPage } from '#app/gallery/IndexPage.tsx'
import { app, createStage } from '#app/gallery/stage.ts'
import { useSwitches } from '#app/gallery/switches.ts'
import { WidgetPage } from '#app/gallery/WidgetPage.tsx'
import { words } from '#app/gallery/words.ts'
import { createLayerHistory } from '#renderer/engine/layers.ts'
import { useEngine } from '#renderer/react/context.ts'
import { EngineProvider } from '#renderer/react/EngineProvider.tsx'
import { useLanguage } from '#renderer/react/hooks/useText.ts'
import { PromptHost, ToastHost } from '#renderer/react/layers/PromptHost.tsx'
import '#renderer/reset.css'
import '#renderer/base.css'
import '#renderer/react/engine.css'
import '#app/gallery/gallery.css'
import '#app/gallery/facts.css'

/**
 * Development page at /gallery: every example of every widget in every state, rendered by the real engine. It has an entry of its own
 * (gallery.html), so the app for customers contains nothing of it. Tests build it into their own folder.
 */
const languages = app().languages.map(({ id }) => id)

function Gallery() {
  const engine = useEngine()
  const [switches, change] = useSwitches(languages)
  useLanguage()
  const type = useLocation().pathname.slice(1)
  const widget = findWidget(type)
  useEffect(() => {
    void engine.i18n.change(switches.lang)
  }, [engine, switches.lang])
  useLayoutEffect(() => engine.device.set('theme', switches.theme === 'light' ? 'light' : 'dark'), [engine, switches.theme])
  useLayoutEffect(() => {
    document.documentElement.style.fontSize = switches.text === 100 ? '' : `${switches.text}%`
  }, [switches.text])
  const layers = useMemo(() => createLayerHistory(engine.ui), [engine])
  useEffect(() => layers.start(), [layers])
  useLayoutEffect(() => {
    layers.settle()
    scrollTo(0, 0)
    document.title = type === '' ? words.title : `${type} – ${words.title}`
  }, [type, layers])
  return (
    <div className="gallery">
      <header className="g-top">
        {type === '' ? <h1>{words.title}</h1> : <p className="g-title">{words.title}</p>}
        <Bar switches={switches} change={change} />
      </header>
      <main key={`${type} ${switches.lang}`}>
        {type === 'functions' ? (
          <FunctionsPage />
        ) : widget ? (
          <WidgetPage widget={widget} switches={switches} />
        ) : (
          <>
            {type !== '' && <p className="g-none">{words.unknown}</p>}
            <IndexPage switches={switches} />
          </>
        )}
      </main>
    </div>
  )
}

createRoot(document.getElementById('root')!).render(
  <EngineProvider engine={createStage()}>
    <HashRouter>
      <Gallery />
    </HashRouter>
    <ToastHost />
    <PromptHost />
  </EngineProvider>,
)
