import { notifyManager, QueryClient, QueryObserver } from '@tanstack/query-core'
import { createContext, useCallback, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import { type Client, ConsoleError } from '#console/io/client.ts'
import type { WordsSource } from '#console/io/words.ts'
import type { Me } from '#language/publish/operator-accounts.ts'
import type { ConsoleEvent, Role } from '#language/publish/publishing.ts'

/** What every page of the console may use. */
export interface Console {
  client: Client
  words: WordsSource
  me: Me | null
  setMe(me: Me | null): void
  /** Asks the operator for password and code; true once he has given them. */
  askFresh(): Promise<boolean>
  /** Wakes with every message of the server, and with `null` after the line was lost and found again: ask for everything anew. */
  onEvent(wake: (event: ConsoleEvent | null) => void): () => void
}
export const ConsoleContext = createContext<Console | null>(null)

export function useConsole(): Console {
  const found = useContext(ConsoleContext)
  if (!found) throw new Error('outside of the console')
  return found
}
export const useClient = (): Client => useConsole().client

/** Whether the operator has one of the roles. */
export function useMay(): (...wanted: Role[]) => boolean {
  const { me } = useConsole()
  return useCallback((...wanted) => me?.operator.roles.some((role) => wanted.includes(role)) ?? false, [me])
}

/** Something that is asked of the server. Old data stays while it is asked again. */
export interface Asked<T> {
  data: T | undefined
  error: ConsoleError | null
  loading: boolean
  /** Asks again. */
  again(): void
  /** Puts an answer in place that came another way. */
  put(data: T): void
}

/** Answers of the server. Components that ask for the same key share one answer; nothing is kept once the last of them is gone. */
const queries = new QueryClient({
  defaultOptions: { queries: { gcTime: 0, retry: false, networkMode: 'always', refetchOnWindowFocus: false, structuralSharing: false } },
})

/**
 * @param key names the answer; another key asks anew, null asks nothing
 * @param about events that make it ask again
 */
export function useAsked<T>(key: string | null, ask: () => Promise<T>, about: readonly ConsoleEvent['about'][] = []): Asked<T> {
  const { onEvent } = useConsole()
  const options = queries.defaultQueryOptions<T>({
    queryKey: [key],
    // A query function that reads the signal is cancelled with its last reader, so a page that comes back does not get an older answer.
    queryFn({ signal }) {
      signal.throwIfAborted()
      return ask()
    },
    enabled: key !== null,
  })
  const [observer] = useState(() => new QueryObserver<T>(queries, options))
  useSyncExternalStore(
    useCallback((wake) => observer.subscribe(notifyManager.batchCalls(wake)), [observer]),
    () => observer.getCurrentResult(),
  )
  useEffect(() => observer.setOptions(options))
  // A request that is under way may have been answered before what is asked about now, so its answer is not waited for.
  const again = useCallback(() => {
    if (key !== null) void queries.cancelQueries({ queryKey: [key] }).then(() => observer.refetch())
  }, [observer, key])
  const put = useCallback((data: T) => void queries.setQueryData([key], data), [key])

  const topics = about.join()
  useEffect(() => {
    if (topics === '') return
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = onEvent((event) => {
      if (event !== null && !topics.split(',').includes(event.about)) return
      clearTimeout(timer)
      timer = setTimeout(again, 150)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [onEvent, topics, again])

  const { data, error, isFetching, isPending } = observer.getOptimisticResult(options)
  const told = error === null || error instanceof ConsoleError ? error : new ConsoleError('internal', 500, String(error))
  return { data, error: told, loading: isFetching || (key !== null && isPending), again, put }
}
