import { manifestAddress } from '#renderer/config/manifest-address.ts'
import { createSegment } from '#renderer/device/segment.ts'
import { storagePrefix } from '#renderer/device/storage-prefix.ts'

/** The requests that every start needs, sent while the app's own code is still loading. Each is taken once. */
interface Early {
  manifest?: { url: string; answer: Promise<Response> }
  socket?: WebSocket
}
declare global {
  var tesseraEarly: Early | undefined
}

export const configUrl = '/config'
export const feedUrl = () => `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`
/** As long as the app itself would wait. */
const timeoutMs = 15_000

/** Returns the storage of this page; undefined where the browser blocks it. */
export function storage(): Storage | undefined {
  try {
    return window.localStorage
  } catch {
    return undefined
  }
}

/** The language to ask the first manifest for, before the app document says which there are. */
export function firstLocale(): string {
  try {
    const kept = JSON.parse(storage()?.getItem(`${storagePrefix}language`) ?? 'null')
    if (typeof kept === 'string' && kept !== '') return kept
  } catch {
    // A corrupt value is as good as none.
  }
  return navigator.language
}

/**
 * Asks for the manifest that the app will ask for first, and connects the feed. Never throws: an error is passed to the caller that takes
 * the answer.
 * @param feed whether the app has live prices
 */
export function askEarly(caps: string, feed: boolean): void {
  const url = manifestAddress(configUrl, caps, createSegment(storage())(), firstLocale())
  // Read to its end now: the code may need longer than the answer may.
  const answer = fetch(url, { cache: 'no-store', signal: AbortSignal.timeout(timeoutMs) }).then(
    async (found) => new Response(await found.arrayBuffer(), found),
  )
  answer.catch(() => undefined)
  const early: Early = { manifest: { url, answer } }
  globalThis.tesseraEarly = early
  // A page that nobody sees hears no prices.
  if (feed && document.visibilityState === 'visible') early.socket = new WebSocket(feedUrl())
}

/** `fetch`; the first request gets the early answer if it has the same address. If that failed, fetches again. */
export function fetchOrEarly(url: string, init: RequestInit): Promise<Response> {
  const early = globalThis.tesseraEarly?.manifest
  delete globalThis.tesseraEarly?.manifest
  return early?.url === url ? early.answer.catch(() => fetch(url, init)) : fetch(url, init)
}

/** A new socket, or the one that was opened early while it lives. A caller that adds its listeners at once misses no message. */
export function socketOrEarly(url: string): WebSocket {
  const early = globalThis.tesseraEarly?.socket
  delete globalThis.tesseraEarly?.socket
  if (early?.url !== url || early.readyState > early.OPEN) return new WebSocket(url)
  if (early.readyState === early.OPEN) queueMicrotask(() => early.onopen?.(new Event('open')))
  return early
}
