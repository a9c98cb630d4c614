import { createContext, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import { type Counts, readCounts } from '#console/back-office/protocol.ts'

/** Sizes of the review queues, pushed by the server. */
interface CountStream {
  /** Undefined before the first message. */
  counts(): Counts | undefined
  subscribe(wake: () => void): () => void
  start(): void
  stop(): void
}

/** Delay before a stream that the browser has closed is opened again. */
const againMs = 20_000

/** Listens to the event stream of the back office: the counts at once, on each change and after a reconnection. */
export function createCountStream(
  url = '/console/desk/events',
  open: (url: string) => EventSource = (address) => new EventSource(address),
): CountStream {
  const wakes = new Set<() => void>()
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let last: Counts | undefined

  function connect(): void {
    const mine = open(url)
    source = mine
    mine.addEventListener('message', ({ data }: MessageEvent<string>) => {
      const counts = readCounts(data)
      if (!counts) return
      last = counts
      for (const wake of wakes) wake()
    })
    mine.addEventListener('error', () => {
      if (mine !== source || mine.readyState !== EventSource.CLOSED) return
      clearTimeout(timer)
      timer = setTimeout(connect, againMs)
    })
  }
  return {
    counts: () => last,
    subscribe(wake) {
      wakes.add(wake)
      return () => wakes.delete(wake)
    },
    start() {
      if (!source) connect()
    },
    stop() {
      clearTimeout(timer)
      source?.close()
      source = undefined
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
