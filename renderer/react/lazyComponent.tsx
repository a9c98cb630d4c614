import { type ComponentType, type ReactNode, useLayoutEffect, useReducer, useState } from 'react'
import { CallProblem } from '#renderer/calls/api.ts'
import { lazy } from '#renderer/core/lazy.ts'
import { chunkFailed } from '#renderer/engine/chunk-failed.ts'
import { type Bones, StandIn } from '#renderer/react/StandIn.tsx'
import type { RootProps } from '#renderer/react/view.ts'

/** A value that `useLoaded` waits for; see `Lazy`. */
export interface Loadable<T> {
  ready(): T | undefined
  load(): Promise<unknown>
}

/** How long a chunk may take. Chunks are also fetched where no engine is at hand, so the start of the app sets it for all of them. */
export const chunkLimits = { waitMs: 60_000 }

/**
 * Returns the loaded value; undefined while it is loading. The component is drawn again when it is here. React's own lazy and use are not
 * used: after a fallback, Suspense keeps back what has come for up to 300 ms, once for each level.
 * @throws what the fetch failed with, once the window has heard `chunk-failed`; mounting the component again tries again
 */
export function useLoaded<T>(from: Loadable<T>): T | undefined {
  const [failed, setFailed] = useState<{ from: Loadable<T>; problem: unknown }>()
  const [, redraw] = useReducer((times: number) => times + 1, 0)
  const here = from.ready()
  const missing = here === undefined
  useLayoutEffect(() => {
    if (!missing) return
    let mounted = true
    from.load().then(
      () => mounted && redraw(),
      (problem: unknown) => {
        if (!mounted) return
        globalThis.dispatchEvent?.(new Event(chunkFailed))
        setFailed({ from, problem })
      },
    )
    return () => {
      mounted = false
    }
  }, [from, missing])
  if (failed?.from === from) throw failed.problem
  return here
}

/** A component that is fetched when it is first drawn, or before. */
export type LazyComponent<T> = T & Loadable<T>

/**
 * A component in a chunk of its own, fetched when it is first drawn.
 * @param load imports it
 * @param meanwhile drawn until the chunk is here; nothing when left out
 */
export function lazyComponent<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  meanwhile: (props: P) => ReactNode = () => null,
): LazyComponent<ComponentType<P>> {
  const loadable = lazy(async () => (await within(load)).default)
  function Drawn(props: P): ReactNode {
    const Loaded = useLoaded(loadable)
    return Loaded ? <Loaded {...props} /> : meanwhile(props)
  }
  return Object.assign(Drawn, { ready: loadable.ready, load: loadable.load })
}

/** The props of the node that a view draws. */
type WidgetProps<T> = T extends ComponentType<infer P> ? (P extends { props: infer Props } ? Props : never) : never

/**
 * A view of a widget in a chunk of its own, for what the first screen does not show. The loading state of the node stands there meanwhile.
 * @param bones its skeleton, as high as the view will be; three lines without it
 */
export function lazyView<T extends ComponentType<never>>(
  load: () => Promise<{ default: T }>,
  bones?: (props: WidgetProps<T>) => Bones,
): LazyComponent<T> {
  type View = ComponentType<{ root: RootProps; props: WidgetProps<T> }>
  const view = lazyComponent(load as unknown as () => Promise<{ default: View }>, ({ root, props }) => (
    <StandIn kind="loading" root={root} bones={bones?.(props)} />
  ))
  return view as unknown as LazyComponent<T>
}

/** A chunk that does not come in time has failed. */
function within<T>(load: () => Promise<T>): Promise<T> {
  return new Promise((done, failed) => {
    const timer = setTimeout(() => failed(new CallProblem(0, 'chunk_load_failed')), chunkLimits.waitMs)
    load()
      .then(done, (cause: unknown) => failed(Object.assign(new CallProblem(0, 'chunk_load_failed'), { cause })))
      .finally(() => clearTimeout(timer))
  })
}
