import { useCallback } from 'react'
import { useEngine } from '#renderer/react/context.ts'

/** Calls of the contract by name, for what a data source cannot say (older candles while scrolling). @throws CallProblem */
export function useCall(): (name: string, args: Record<string, unknown>, signal?: AbortSignal) => Promise<unknown> {
  const { api } = useEngine()
  return useCallback((name, args, signal) => api.call(name, args, signal ? { signal } : {}), [api])
}
