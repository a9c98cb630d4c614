import { createContext, useCallback, useContext, useEffect, useRef, useState } from 'react'
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

/**
 * @param key another key asks anew and forgets the old answer; null asks nothing
 * @param about events that make it ask again
 */
export function useAsked<T>(key: string | null, ask: () => Promise<T>, about: readonly ConsoleEvent['about'][] = []): Asked<T> {
  const { onEvent } = useConsole()
  const [state, setState] = useState<{ key: string | null; data?: T; error: ConsoleError | null; loading: boolean }>({
    key,
    error: null,
    loading: key !== null,
  })
  const [round, setRound] = useState(0)
  const latest = useRef(ask)
  latest.current = ask
  const again = useCallback(() => setRound((count) => count + 1), [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another round asks again
  useEffect(() => {
    if (key === null) return
    let gone = false
    setState((before) => (before.key === key ? { ...before, loading: true } : { key, error: null, loading: true }))
    latest.current().then(
      (data) => !gone && setState({ key, data, error: null, loading: false }),
      (error: unknown) => {
        if (gone) return
        const told = error instanceof ConsoleError ? error : new ConsoleError('internal', 500, String(error))
        setState((before) => ({ ...before, key, error: told, loading: false }))
      },
    )
    return () => {
      gone = true
    }
  }, [key, round])

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

  const put = useCallback((data: T) => setState((before) => ({ ...before, data, error: null })), [])
  const mine = state.key === key
  return { data: mine ? state.data : undefined, error: mine ? state.error : null, loading: mine ? state.loading : key !== null, again, put }
}
