import { useCallback, useRef, useState } from 'react'
import { useToast } from '#console/parts/Toast.tsx'

/** Runs one action at a time and shows a refusal as a toast. `busy` is the name of the running action. */
export function useRun(): { busy: string | null; run: (name: string, work: () => Promise<void>) => Promise<void> } {
  const toast = useToast()
  const [busy, setBusy] = useState<string | null>(null)
  const running = useRef(false)
  const run = useCallback(
    async (name: string, work: () => Promise<void>) => {
      if (running.current) return
      running.current = true
      setBusy(name)
      try {
        await work()
      } catch (error) {
        toast.bad(error)
      } finally {
        running.current = false
        setBusy(null)
      }
    },
    [toast],
  )
  return { busy, run }
}
