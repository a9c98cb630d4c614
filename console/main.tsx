import '#console/zod-config.ts'
import '#renderer/reset.css'
import '#console/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createHashRouter, RouterProvider } from 'react-router-dom'
import { createFreshGate } from '#console/account/FreshDialog.tsx'
import { createClient } from '#console/io/client.ts'
import { createEvents } from '#console/io/events/events.ts'
import { type ConsoleLanguage, consoleLanguages, createWords, languageFor } from '#console/io/words.ts'
import { routes } from '#console/routes.tsx'
import { Root } from '#console/shell/Root.tsx'

/** Composition root of the console. */
const languageKey = 'console.language'
const kept = localStorage.getItem(languageKey)
const language: ConsoleLanguage = consoleLanguages.find(({ id }) => id === kept)?.id ?? languageFor(navigator.languages)

const gate = createFreshGate()
const client = createClient({ onFresh: gate.ask, onLogin: gate.loggedOut })
const events = createEvents(client.events)
const words = await createWords(language)
const named = () => {
  document.documentElement.lang = consoleLanguages.find(({ id }) => id === words.language())?.tag ?? 'en'
  localStorage.setItem(languageKey, words.language())
}
document.documentElement.lang = consoleLanguages.find(({ id }) => id === language)?.tag ?? 'en'
words.subscribe(named)

// A missing chunk belongs to an older build; loading the page again gets the current names.
addEventListener('vite:preloadError', (event) => {
  const last = Number(sessionStorage.getItem('console.reloaded'))
  if (Date.now() - last < 30_000) return
  event.preventDefault()
  sessionStorage.setItem('console.reloaded', String(Date.now()))
  location.reload()
})

const router = createHashRouter(routes)
const root = document.getElementById('root')
if (!root) throw new Error('the page has no root')
createRoot(root).render(
  <StrictMode>
    <Root client={client} events={events} words={words} gate={gate}>
      <RouterProvider router={router} />
    </Root>
  </StrictMode>,
)
