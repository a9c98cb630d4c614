import { useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import '#renderer/reset.css'
import '#renderer/base.css'
import '#renderer/react/engine.css'
import { Home } from '#bench/load/handwritten/Home.tsx'
import { Market } from '#bench/load/handwritten/Market.tsx'
import { connect } from '#bench/load/handwritten/quotes.ts'
import { TabBar } from '#bench/load/handwritten/TabBar.tsx'
import { Ticket } from '#bench/load/handwritten/Ticket.tsx'
import { themeVariables } from '#renderer/core/theme.ts'
import theme from '#schemas/theme.json'

/** Two screens of the product written by hand: the same calls, elements and style sheets, without documents and engine. */
function App() {
  const hash = useSyncExternalStore(
    (wake) => {
      addEventListener('hashchange', wake)
      return () => removeEventListener('hashchange', wake)
    },
    () => location.hash,
  )
  const ticket = hash.startsWith('#/pages/transaction/contract')
  const market = hash === '#/pages/market/market'
  return (
    <div className="app">
      <a className="skip" href="#main">
        Skip to content
      </a>
      <div className="app-body" id="main" tabIndex={-1}>
        {ticket ? <Ticket /> : market ? <Market /> : <Home />}
      </div>
      <TabBar market={market} />
      <div className="toasts" role="status" aria-live="polite" />
    </div>
  )
}

for (const [name, value] of Object.entries(themeVariables(theme as never, 'dark', false)))
  document.documentElement.style.setProperty(name, value)
document.documentElement.dataset.theme = 'dark'
document.documentElement.dataset.colours = 'standard'
connect()
createRoot(document.getElementById('root')!).render(<App />)
