import { createContext, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import { type Counts, readCounts } from '#console/desk/protocol.ts'

/** What waits at the desk, as the server tells it. */
interface DeskLine {
  /** Undefined before the first message. */
  counts(): Counts | undefined
  subscribe(wake: () => void): () => void
  start(): void
  stop(): void
}

/** A stream that the browser has given up is opened anew after so long. */
const againMs = 20_000

/** Hears the desk's events: how much waits at once, whenever it is another, and again after the line was lost. */
export function createDeskLine(
  url = '/console/desk/events',
  open: (url: string) => EventSource = (address) => new EventSource(address),
): DeskLine {
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

/** What waits at the desk, for the rail and the desk itself. */
export const DeskLineContext = createContext<DeskLine | null>(null)

/** A line that is open while it is wanted. */
export function useDeskLine(wanted: boolean): DeskLine {
  const [line] = useState(() => createDeskLine())
  useEffect(() => {
    if (!wanted) return
    line.start()
    return () => line.stop()
  }, [line, wanted])
  return line
}

const still = () => () => undefined
/** Undefined before the first message, and for who does not review. */
export function useCounts(): Counts | undefined {
  const line = useContext(DeskLineContext)
  return useSyncExternalStore(line?.subscribe ?? still, () => line?.counts())
}
