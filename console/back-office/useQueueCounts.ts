import { createContext, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import { type Counts, readCounts } from '#console/back-office/protocol.ts'
import { type EventStream, followStream } from '#renderer/calls/event-stream.ts'
import { systemTimers } from '#renderer/calls/retry.ts'

/** Sizes of the review queues, pushed by the server. */
interface CountStream {
  /** Undefined before the first message. */
  counts(): Counts | undefined
  subscribe(wake: () => void): () => void
  start(): void
  stop(): void
}

/** Listens to the event stream of the back office: the counts at once, on each change and after a reconnection. */
export function createCountStream(
  url = '/console/back-office/events',
  open: (url: string) => EventStream = (address) => new EventSource(address),
): CountStream {
  const wakes = new Set<() => void>()
  let end: (() => void) | undefined
  let last: Counts | undefined

  function hear(data: unknown): void {
    const counts = readCounts(data as string)
    if (!counts) return
    last = counts
    for (const wake of wakes) wake()
  }
  return {
    counts: () => last,
    subscribe(wake) {
      wakes.add(wake)
      return () => wakes.delete(wake)
    },
    start() {
      end ??= followStream({ open: () => open(url), timers: systemTimers, random: Math.random, on: { message: hear } })
    },
    stop() {
      end?.()
      end = undefined
      last = undefined
      for (const wake of wakes) wake()
    },
  }
}

/** The counts for the navigation and the back office. */
export const CountStreamContext = createContext<CountStream | null>(null)

/** A stream that is open while `wanted`. */
export function useCountStream(wanted: boolean): CountStream {
  const [stream] = useState(() => createCountStream())
  useEffect(() => {
    if (!wanted) return
    stream.start()
    return () => stream.stop()
  }, [stream, wanted])
  return stream
}

const still = () => () => undefined
/** Undefined before the first message, and for operators who do not review. */
export function useQueueCounts(): Counts | undefined {
  const stream = useContext(CountStreamContext)
  return useSyncExternalStore(stream?.subscribe ?? still, () => stream?.counts())
}
