import { retryDelayMs, type Timers } from '#renderer/calls/retry.ts'

/** The part of EventSource that is used. */
export interface EventStream {
  addEventListener(type: string, listener: (event: { data?: unknown }) => void): void
  close(): void
}

export interface Following {
  open: () => EventStream
  timers: Timers
  /** From 0 to 1. */
  random: () => number
  /** Told the data of messages, by their name. */
  on: Readonly<Record<string, (data: unknown) => void>>
  /** The stream stands, at first or again. */
  opened?: () => void
  /** The stream is gone, and will be opened again. */
  lost?: () => void
}

/** Listens to a stream of server-sent events, and comes back by itself as the feed does. @returns ends it */
export function followStream({ open, timers, random, on, opened, lost }: Following): () => void {
  let stream: EventStream | undefined
  let tries = 0
  let timer: unknown
  function listen(): void {
    const mine = open()
    stream = mine
    mine.addEventListener('open', () => {
      tries = 0
      if (mine === stream) opened?.()
    })
    for (const [name, listener] of Object.entries(on)) mine.addEventListener(name, ({ data }) => mine === stream && listener(data))
    mine.addEventListener('error', () => {
      if (mine !== stream) return
      mine.close()
      stream = undefined
      timer = timers.setTimeout(listen, retryDelayMs(tries++, random()))
      lost?.()
    })
  }
  listen()
  return () => {
    timers.clearTimeout(timer)
    stream?.close()
    stream = undefined
  }
}
