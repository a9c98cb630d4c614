import { createContext, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import { createDeskLine, type DeskLine } from '#console/desk/line.ts'
import type { Counts } from '#console/desk/protocol.ts'

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
