import { type ComponentType, createElement, lazy, useState } from 'react'
import { CallProblem } from '#renderer/io/api.ts'
import { chunkFailed } from '#renderer/io/chunk-failed.ts'

/** A view that comes in its own chunk, with the way to fetch it before it is needed. */
export type LazyView<T> = T & {
  preload: () => Promise<unknown>
  /** The view itself once it is here, so that it can be drawn without waiting. */
  ready: () => T | undefined
}

const chunkMsMax = 60_000
/** React draws a broken part a second time at once; only a later try, which somebody asked for, may load again. */
const tryAgainMs = 1_000

/** For views that the first screen does not show. The engine draws the widget's loading state meanwhile. */
export function lazyView<T extends ComponentType<never>>(load: () => Promise<{ default: T }>): LazyView<T> {
  let view: T | undefined
  const preload = async () => {
    const module = await within(load)
    view = module.default
    return module
  }
  const fresh = (): ComponentType =>
    lazy(async () => {
      try {
        return (await preload()) as unknown as { default: ComponentType }
      } catch (problem) {
        // Only here it is missed; one that was to come ahead of time may still come.
        globalThis.dispatchEvent?.(new Event(chunkFailed))
        setTimeout(() => {
          waiting = fresh()
        }, tryAgainMs)
        throw problem
      }
    })
  let waiting = fresh()
  // Chosen once for each place where it stands: another choice later would be another component, and lose what people entered.
  const View = (props: object) =>
    createElement(useState(() => ({ it: (view as unknown as ComponentType | undefined) ?? waiting }))[0].it, props)
  return Object.assign(View as unknown as T, { preload, ready: () => view })
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
