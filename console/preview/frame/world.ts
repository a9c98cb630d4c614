import { storagePrefix } from '#renderer/device/storage-prefix.ts'

/** Isolates the frame: its storage, history and socket must not affect the console or the customer's app. */

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

/**
 * Replaces both storages by memory.
 * @param first what the engine finds kept, by its names
 */
export function ownStorage(window: Window, first: Readonly<Record<string, string>>): void {
  const kept = Object.fromEntries(Object.entries(first).map(([name, text]) => [storagePrefix + name, text]))
  Object.defineProperty(window, 'localStorage', { value: memoryStorage(kept), configurable: true })
  Object.defineProperty(window, 'sessionStorage', { value: memoryStorage(), configurable: true })
}

interface Page {
  state: unknown
  url: string
}

/**
 * Replaces the history of the frame. Frames share the history of their window, so a page that is opened in the preview would otherwise be an entry
 * of the console's back button, and the other way round.
 * @param moved called for every page that is shown, and for changed parameters of a page
 * @returns opens an address of the app as if it were typed
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
  let opened = ''
  let times = 0
  return (address) => {
    // Another address is another visit, also when it was open before.
    if (address !== opened) times += 1
    opened = address
    pages = [{ state: { usr: null, key: `open-${times}`, idx: 0 }, url: `#${address}` }]
    at = 0
    show()
  }
}

/** Removes the token from outgoing socket messages: the frame's session does not exist on the server, which would end it. */
export function withoutToken(text: string): string {
  try {
    const { token: _, ...message } = JSON.parse(text) as Record<string, unknown>
    return JSON.stringify(message)
  } catch {
    return text
  }
}

/** The feed is real and public, as for any visitor. */
export function ownSocket(window: Window & typeof globalThis): void {
  window.WebSocket = class extends window.WebSocket {
    override send(data: Parameters<WebSocket['send']>[0]): void {
      super.send(typeof data === 'string' ? withoutToken(data) : data)
    }
  }
}
