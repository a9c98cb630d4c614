import { createContext, useContext, useSyncExternalStore } from 'react'
import type { ActionPlace } from '#renderer/actions/place.ts'
import type { ModelHost } from '#renderer/core/model.ts'
import type { Say } from '#renderer/core/resolve.ts'
import type { Engine } from '#renderer/engine/types.ts'
import type { View } from '#renderer/react/view.ts'

export const EngineContext = createContext<Engine<View> | undefined>(undefined)

/** The one engine; it never changes, so reading it never causes a render. */
export function useEngine(): Engine<View> {
  const engine = useContext(EngineContext)
  if (!engine) throw new Error('no engine above this component')
  return engine
}

/** The engine's words. Another object, with the same function, when another language is shown or a release replaced words. */
export const WordsContext = createContext<{ say: Say } | undefined>(undefined)

/** The part of a screen that its nodes need. */
export interface ScreenHandle extends ModelHost, ActionPlace {
  /** A second press within this time is not a press. */
  throttleMs: number
}

export const ScreenContext = createContext<ScreenHandle | undefined>(undefined)

export function useScreen(): ScreenHandle {
  const screen = useContext(ScreenContext)
  if (!screen) throw new Error('no screen above this component')
  return screen
}

/** Draws again when a release was swapped in. */
export function useRelease(): number {
  const engine = useEngine()
  return useSyncExternalStore(engine.onRelease, engine.release)
}
