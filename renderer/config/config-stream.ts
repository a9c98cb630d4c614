import type { Manifest, ReleaseEvent } from '#language/publish/release.ts'
import { retryDelayMs, type Timers } from '#renderer/calls/retry.ts'

/** The part of EventSource that is used. */
export interface EventStream {
  addEventListener(type: 'open' | 'error' | 'release', listener: (event: { data?: unknown }) => void): void
  close(): void
}

/** What is to be known of the releases to hear of the next one. */
export interface Hears {
  open: () => EventStream
  timers: Timers
  random: () => number
  shown: () => Manifest | undefined
  /** Asks for the newest manifest. */
  check: () => void
  /** The stream stands: what was published while nobody listened is asked for, after what is being asked for already. */
  opened: () => void
  /** The stream is gone: where none gets through, asking now and then still brings releases. */
  lost: () => void
}

/** Listens for releases, and comes back by itself. @returns ends it */
export function listenTo({ open, timers, random, shown, check, opened, lost }: Hears): () => void {
  let stream: EventStream | undefined
  let tries = 0
  let timer: unknown
  function listen(): void {
    const mine = open()
    stream = mine
    mine.addEventListener('open', () => {
      tries = 0
      if (mine === stream) opened()
    })
    mine.addEventListener('release', ({ data }) => {
      if (mine === stream && isNews(data, shown())) check()
    })
    mine.addEventListener('error', () => {
      if (mine !== stream) return
      mine.close()
      stream = undefined
      timer = timers.setTimeout(listen, retryDelayMs(tries++, random()))
      lost()
    })
  }
  listen()
  return () => {
    timers.clearTimeout(timer)
    stream?.close()
    stream = undefined
  }
}

/** Whether a release event speaks of another release than the one that is shown. */
function isNews(data: unknown, shown: Manifest | undefined): boolean {
  try {
    const { release, hash } = JSON.parse(data as string) as Partial<ReleaseEvent>
    return release !== shown?.release || hash !== shown?.hash
  } catch {
    return true
  }
}
