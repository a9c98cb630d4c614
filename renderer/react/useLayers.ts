import { useCallback, useSyncExternalStore } from 'react'
import type { Ui } from '#renderer/io/ui.ts'

type Late = typeof import('#renderer/react/Layers.tsx')

const againMs = 5_000
const wakes = new Set<() => void>()
let layers: Late | undefined
let coming: Promise<Late> | undefined

/** Fetches what lies over the screens: toasts, prompts, the bar without a network. @throws when it cannot be had; the next call tries again */
export function readyToShow(): Promise<Late> {
  coming ??= import('#renderer/react/Layers.tsx').then(
    (module) => {
      layers = module
      for (const wake of wakes) wake()
      return module
    },
    (problem: unknown) => {
      coming = undefined
      throw problem
    },
  )
  return coming
}

/** It comes after the first paint, or as soon as there is something to say; what was said before it is here waits in `ui`. */
export function useLayers(ui: Ui): Late | undefined {
  return useSyncExternalStore(
    useCallback(
      (wake: () => void) => {
        let timer: ReturnType<typeof setTimeout> | undefined
        const look = () => {
          clearTimeout(timer)
          if (!layers && ui.toasts().length + ui.prompts().length > 0)
            readyToShow().catch(() => {
              timer = setTimeout(look, againMs)
            })
        }
        const off = ui.subscribe(look)
        wakes.add(wake)
        look()
        return () => {
          clearTimeout(timer)
          wakes.delete(wake)
          off()
        }
      },
      [ui],
    ),
    () => layers,
  )
}
