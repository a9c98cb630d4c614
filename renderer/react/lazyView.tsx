import type { ComponentType } from 'react'
import { type Lazy, lazy } from '#renderer/react/lazy.ts'
import { StandIn } from '#renderer/react/StandIn.tsx'
import type { RootProps } from '#renderer/react/view.ts'

/** A view of a widget in a chunk of its own, for what the first screen does not show. The loading state of the node stands there meanwhile. */
export function lazyView<T extends ComponentType<never>>(load: () => Promise<{ default: T }>): Lazy<T> {
  const view = lazy(load as unknown as () => Promise<{ default: ComponentType<{ root: RootProps }> }>, ({ root }) => (
    <StandIn kind="loading" root={root} />
  ))
  return view as unknown as Lazy<T>
}
