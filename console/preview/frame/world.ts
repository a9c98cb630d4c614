/** The frame's window stands inside of the console's: what it keeps and where it goes must not reach the console, or the customer's app. */

/** Storage that lives as long as the frame. */
function memoryStorage(first: Readonly<Record<string, string>> = {}): Storage {
  const kept = new Map(Object.entries(first))
  return {
    get length() {
      return kept.size
    },
    key: (index) => [...kept.keys()][index] ?? null,
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, text) => void kept.set(name, String(text)),
    removeItem: (name) => void kept.delete(name),
    clear: () => kept.clear(),
  }
}

/** Puts memory in the place of both storages. */
export function ownStorage(window: Window, first: Readonly<Record<string, string>>): void {
  Object.defineProperty(window, 'localStorage', { value: memoryStorage(first), configurable: true })
  Object.defineProperty(window, 'sessionStorage', { value: memoryStorage(), configurable: true })
}

interface Page {
  state: unknown
  url: string
}

/**
 * A history of the frame's own. Frames share the history of their window: a page that is opened in the preview would otherwise be what the
 * back button of the console leaves, and the other way round.
 * @param moved hears of every page that is shown, and of other parameters of the same page
 * @returns opens an address of the app as if it had been typed
 */
export function ownHistory(window: Window, moved: () => void): (address: string) => void {
  const { history, location } = window
  const replace = history.replaceState.bind(history)
  let pages: Page[] = [{ state: history.state, url: location.href }]
  let at = 0
  const show = () => {
    const page = pages[at]!
    replace(page.state, '', page.url)
    window.dispatchEvent(new PopStateEvent('popstate', { state: page.state }))
    setTimeout(moved)
  }
  const go = (delta = 0) => {
    if (delta === 0 || !pages[at + delta]) return
    at += delta
    queueMicrotask(show)
  }
  history.pushState = (state, _, url) => {
    pages = [...pages.slice(0, at + 1), { state, url: String(url ?? location.href) }]
    at = pages.length - 1
    replace(state, '', url)
    setTimeout(moved)
  }
  history.replaceState = (state, _, url) => {
    pages[at] = { state, url: String(url ?? location.href) }
    replace(state, '', url)
    setTimeout(moved)
  }
  history.go = go
  history.back = () => go(-1)
  history.forward = () => go(1)
  return (address) => {
    pages = [{ state: { usr: null, key: `open-${address}`, idx: 0 }, url: `#${address}` }]
    at = 0
    show()
  }
}

/** What goes out over a socket, without the token: the session of the frame is nobody's, and the server would end it. */
export function withoutToken(text: string): string {
  try {
    const { token: _, ...message } = JSON.parse(text) as Record<string, unknown>
    return JSON.stringify(message)
  } catch {
    return text
  }
}

/** Prices are real and come to the frame as to any visitor. */
export function ownSocket(window: Window & typeof globalThis): void {
  window.WebSocket = class extends window.WebSocket {
    override send(data: Parameters<WebSocket['send']>[0]): void {
      super.send(typeof data === 'string' ? withoutToken(data) : data)
    }
  }
}
