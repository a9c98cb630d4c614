import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import type { Json } from '#language/documents/documents.ts'
import type { UploadOptions } from '#renderer/calls/upload.ts'
import { useEngine, useScreen } from '#renderer/react/context.ts'

/** Closes what lies over the page, otherwise goes one page back, or home when there is nothing behind; closes a page that stands beside another one. */
export function useBack(): () => void {
  const engine = useEngine()
  return useCallback(() => engine.back(true), [engine])
}

/** Whether the page stands beside another one. */
export const useIsBeside = (): boolean => useEngine().isBeside

/** Whether the screen has this sheet open, and how to close it. */
export function useSheet(nodeId: string): { open: boolean; close: () => void } {
  const { store } = useScreen()
  const open = useSyncExternalStore(
    useCallback((wake: () => void) => store.subscribe('$sheet', wake), [store]),
    () => store.openedSheet() === nodeId,
  )
  return { open, close: useCallback(() => store.openSheet(undefined), [store]) }
}

/** Calls of the contract by name, for what a data source cannot say (older candles while scrolling). @throws CallProblem */
export function useCall(): (name: string, args: Record<string, unknown>, signal?: AbortSignal) => Promise<unknown> {
  const { api } = useEngine()
  return useCallback((name, args, signal) => api.call(name, args, signal ? { signal } : {}), [api])
}

/** Sends one picture and says so. @throws CallProblem; when `signal` ended it, the signal's reason */
export function useUpload(): (file: File, options: UploadOptions) => Promise<{ url: string }> {
  const engine = useEngine()
  return useCallback(
    async (file, options) => {
      const { uploadFile } = await import('#renderer/calls/upload.ts')
      return uploadFile(engine, file, options)
    },
    [engine],
  )
}

/** Sends a row that failed once more, or leaves it, by its id. */
export function useUnsent(): (what: 'resend' | 'discard', id: string) => Promise<void> {
  const { data } = useScreen()
  return useCallback(async (what, id) => (await data.unsent?.())?.[what](id), [data])
}

/**
 * The time of the server in milliseconds, read again every `everyMs`, when the page is shown again and when the clock is set. A hidden page does
 * not tick.
 */
export function useClock(everyMs: number): number {
  const { clock } = useEngine()
  const [now, setNow] = useState(clock.now)
  useEffect(() => {
    const read = () => document.visibilityState === 'visible' && setNow(clock.now())
    const timer = setInterval(read, everyMs)
    const off = clock.onJump(read)
    document.addEventListener('visibilitychange', read)
    return () => {
      clearInterval(timer)
      off()
      document.removeEventListener('visibilitychange', read)
    }
  }, [clock, everyMs])
  return now
}

/** A value that the app stores on this device, by the name that the app document declares. */
export type DeviceValues = Json

export function useDevice(name: string): [value: DeviceValues, set: (value: DeviceValues) => void] {
  const { device } = useEngine()
  const value = useSyncExternalStore(
    useCallback((wake: () => void) => device.onChange(name, wake), [device, name]),
    () => device.get(name),
  )
  return [value, useCallback((next: DeviceValues) => device.set(name, next), [device, name])]
}
