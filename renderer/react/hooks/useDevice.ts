import { useCallback, useSyncExternalStore } from 'react'
import type { Json } from '#language/documents/documents.ts'
import { useEngine } from '#renderer/react/context.ts'

/** What the app keeps on this device, by the names that the app document declares. */
export type DeviceValues = Json

export function useDevice(name: string): [value: DeviceValues, set: (value: DeviceValues) => void] {
  const { device } = useEngine()
  const value = useSyncExternalStore(
    useCallback((wake: () => void) => device.onChange(name, wake), [device, name]),
    () => device.get(name),
  )
  return [value, useCallback((next: DeviceValues) => device.set(name, next), [device, name])]
}
