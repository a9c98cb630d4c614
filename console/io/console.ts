import { notifyManager, QueryClient, QueryObserver } from '@tanstack/query-core'
import { createContext, useCallback, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import { type Client, ConsoleError } from '#console/io/client.ts'
import type { WordsSource } from '#console/io/words.ts'
import type { Me } from '#language/publish/operator-accounts.ts'
import type { ConsoleEvent, Present, Role } from '#language/publish/publishing.ts'

/** The services that every page of the console may use. */
export interface Console {
  client: Client
  words: WordsSource
  me: Me | null
  setMe(me: Me | null): void
  /** Asks the operator for password and code; true once he has given them. */
  askFresh(): Promise<boolean>
  /** Wakes with every message of the server, and with `null` after the line was lost and found again: ask for everything anew. */
  onEvent(wake: (event: ConsoleEvent | null) => void): () => void
  /** Shows others that this page has a draft open, and reports who else has it open, until it is ended; one draft at a time. */
  watchDraft(place: { draft: number; path?: string | undefined }, tell: (others: readonly Present[]) => void): () => void
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

/** Answers of the server. Components that ask for the same key share one; it is forgotten with the last of them. */
const queries = new QueryClient({
  defaultOptions: { queries: { gcTime: 0, retry: false, networkMode: 'always', refetchOnWindowFocus: false, structuralSharing: false } },
})
const settleMs = 150
const due = new Map<string, ReturnType<typeof setTimeout>>()

/**
 * Asks anew for all components that show the answer. A request that is under way may have been answered before what is asked about now, so it
 * is given up: an invalidation alone would wait for it, and take its answer, as long as there is no earlier one.
 */
async function askAgain(key: string): Promise<void> {
  await queries.cancelQueries({ queryKey: [key] })
  await queries.refetchQueries({ queryKey: [key], type: 'active' })
}

/** Asks anew once for all events that come close together, and for all components that hear them. */
function askSoon(key: string): void {
  clearTimeout(due.get(key))
  due.set(
    key,
    setTimeout(() => {
      due.delete(key)
      void askAgain(key)
    }, settleMs),
  )
}

/**
 * @param key names the answer; another key asks anew and forgets the old one, null asks nothing
 * @param ask gets a signal that says when nobody waits for the answer any more
 * @param about events that make it ask again
 */
export function useAsked<T>(
  key: string | null,
  ask: (signal: AbortSignal) => Promise<T>,
  about: readonly ConsoleEvent['about'][] = [],
): Asked<T> {
  const { onEvent } = useConsole()
  const options = queries.defaultQueryOptions<T>({ queryKey: [key], queryFn: ({ signal }) => ask(signal), enabled: key !== null })
  const [observer] = useState(() => new QueryObserver<T>(queries, options))
  const { data, error, isFetching, isPending } = observer.getOptimisticResult(options)
  useSyncExternalStore(
    useCallback(
      (wake) => {
        const stop = observer.subscribe(notifyManager.batchCalls(wake))
        // An answer may have come between drawing and listening.
        observer.updateResult()
        return stop
      },
      [observer],
    ),
    () => observer.getCurrentResult(),
  )
  useEffect(() => observer.setOptions(options))

  const topics = about.join()
  useEffect(() => {
    if (topics === '' || key === null) return
    return onEvent((event) => {
      if (event === null || topics.split(',').includes(event.about)) askSoon(key)
    })
  }, [onEvent, topics, key])

  const again = useCallback(() => {
    if (key !== null) void askAgain(key)
  }, [key])
  const put = useCallback((answer: T) => void queries.setQueryData([key], answer), [key])
  const problem = error === null || error instanceof ConsoleError ? error : new ConsoleError('internal', 500, String(error))
  return { data, error: problem, loading: isFetching || (key !== null && isPending), again, put }
}
