import { useCallback, useSyncExternalStore } from 'react'
import type { LiveForm } from '#renderer/forms/forms.ts'
import type { View } from '#renderer/react/view.ts'

/** Returns the result of `read`, again after each change of a topic. */
export function useTopics<T>(live: LiveForm<View>, topics: readonly string[], read: () => T): T {
  const subscribe = useCallback(
    (wake: () => void) => {
      const offs = topics.map((topic) => live.subscribe(topic, wake))
      return () => {
        for (const off of offs) off()
      }
    },
    [live, topics],
  )
  return useSyncExternalStore(subscribe, read)
}
