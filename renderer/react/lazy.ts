import { type ComponentType, createElement, type ReactNode, useLayoutEffect, useReducer, useState } from 'react'
import { CallProblem } from '#renderer/calls/api.ts'
import { chunkFailed } from '#renderer/engine/chunk-failed.ts'

/** Something that is fetched before it can be used. */
export interface Loadable<T> {
  /** Fetches it; calls while it is on its way share one fetch. */
  preload: () => Promise<unknown>
  /** What was fetched; undefined until then. */
  ready: () => T | undefined
}

const chunkMsMax = 60_000

/**
 * What was fetched; undefined while it is on its way. The component is drawn again when it is here.
 * React's own lazy and use are not used: after a fallback, Suspense keeps back what has come for up to 300 ms, once for each level.
 * @throws what the fetch failed with, once the window has heard `chunk-failed`; whoever mounts the component again tries again
 */
export function useLoaded<T>(from: Loadable<T>): T | undefined {
  const [failed, setFailed] = useState<{ from: Loadable<T>; problem: unknown }>()
  const [, redraw] = useReducer((times: number) => times + 1, 0)
  const here = from.ready()
  const missing = here === undefined
  useLayoutEffect(() => {
    if (!missing) return
    let mounted = true
    from.preload().then(
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

/** A component that is a `Loadable` of itself. */
export type Lazy<T> = T & Loadable<T>

/**
 * A component in a chunk of its own, fetched when it is first drawn.
 * @param load imports it
 * @param meanwhile drawn until the chunk is here; nothing when left out
 */
export function lazy<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  meanwhile: (props: P) => ReactNode = () => null,
): Lazy<ComponentType<P>> {
  let loaded: ComponentType<P> | undefined
  let loading: Promise<unknown> | undefined
  const loadable: Loadable<ComponentType<P>> = {
    ready: () => loaded,
    preload: () =>
      (loading ??= within(load).then(
        (module) => {
          loaded = module.default
        },
        (problem: unknown) => {
          loading = undefined
          throw problem
        },
      )),
  }
  function LazyComponent(props: P): ReactNode {
    const Loaded = useLoaded(loadable)
    return Loaded ? createElement(Loaded, props) : meanwhile(props)
  }
  return Object.assign(LazyComponent, loadable)
}

/** A chunk that does not come in time has failed. */
function within<T>(load: () => Promise<T>): Promise<T> {
  return new Promise((done, failed) => {
    const timer = setTimeout(() => failed(new CallProblem(0, 'chunk_load_failed')), chunkMsMax)
    load()
      .then(done, (cause: unknown) => failed(Object.assign(new CallProblem(0, 'chunk_load_failed'), { cause })))
      .finally(() => clearTimeout(timer))
  })
}
