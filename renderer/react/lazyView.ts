import { type ComponentType, lazy } from 'react'

/** A view that comes in its own chunk, with the way to fetch it before it is needed. */
export type LazyView<T> = T & { preload: () => Promise<unknown> }

/** For views that the first screen does not show. The engine draws the widget's loading state meanwhile. */
export function lazyView<T extends ComponentType<never>>(load: () => Promise<{ default: T }>): LazyView<T> {
  return Object.assign(lazy(load as never) as unknown as T, { preload: load })
}
