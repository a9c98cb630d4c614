import { keepPreviousData, notifyManager, type QueryClient, QueryObserver } from '@tanstack/query-core'
import Big from 'big.js'
import { createContext, useCallback, useContext, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { type FieldValues, get, type Path, type UseFormReturn } from 'react-hook-form'
import type { CallName, CallOutput } from '#contract/contract.ts'
import { parseAmount } from '#contract/money.ts'
import type { ProblemCode } from '#contract/problem.ts'
import type { Formats } from '#renderer/core/format.ts'

/** Hooks that handwritten screens of one team would share. Not counted. */

/** A refusal by the server, or a failed request. */
export class Problem extends Error {
  override readonly name: string
  readonly isFinal: boolean
  constructor(name: string, isFinal = true) {
    super(name)
    this.name = name
    this.isFinal = isFinal
  }
}

export type Args = Readonly<Record<string, unknown>>
export type Tone = 'success' | 'error' | 'warn'

/** The prompt before money moves. */
export interface Question {
  title: string
  text: string
  rows: [label: string, value: string][]
  ok: string
  /** A confirmation after this time is refused. */
  staleAfterMs?: number
}

/** Services provided by the root of the app. */
export interface App {
  queries: QueryClient
  /** @throws Problem */
  call<N extends CallName>(name: N, args: Args, options?: { key?: string; signal?: AbortSignal }): Promise<CallOutput<N>>
  say(key: string, args?: Args): string
  formats: Formats
  params: Readonly<Record<string, string>>
  /** Account whose drafts are read. */
  account: string
  go(path: string, params?: Readonly<Record<string, string>>, options?: { replace?: boolean }): void
  toast(text: string, tone: Tone): void
  ask(question: Question): Promise<boolean>
  routes: { login: string; verify: string }
}
export const AppContext = createContext<App | undefined>(undefined)

export function useApp(): App {
  const app = useContext(AppContext)
  if (!app) throw new Error('a screen stands outside of the app')
  return app
}
export const useText = () => useApp().say
export const useFormat = () => useApp().formats
export const useGo = () => useApp().go
export const useToast = () => useApp().toast
export const useParams = () => useApp().params

/** Answer of a call for a screen. */
export interface Call<T> {
  /** The answer to the current arguments, or to the previous ones while the current answer loads. */
  data: T | undefined
  /** `data` answers earlier arguments. */
  isStale: boolean
  isLoading: boolean
  error: Problem | undefined
  /** @returns false when no new answer arrived */
  refresh(): Promise<boolean>
}

interface CallOptions {
  /** Topic whose push loads the call again. */
  live?: string
  keepMs?: number
  /** Arguments must not change for this long. */
  debounceMs?: number
}

/** Loads the answer of a call. @param args false to load nothing */
export function useCall<N extends CallName>(name: N, args: Args | false, options: CallOptions = {}): Call<CallOutput<N>> {
  const { live, keepMs = 1_000, debounceMs = 0 } = options
  const { queries, call } = useApp()
  const wanted = JSON.stringify(args)
  const [asked, setAsked] = useState(wanted)
  if (wanted !== asked && (debounceMs === 0 || wanted === 'false' || asked === 'false')) setAsked(wanted)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), debounceMs)
    return () => clearTimeout(timer)
  }, [wanted, debounceMs])
  const query = {
    queryKey: [name, asked],
    queryFn: ({ signal }: { signal: AbortSignal }) => call(name, JSON.parse(asked), { signal }),
    enabled: asked !== 'false',
    staleTime: keepMs,
    placeholderData: keepPreviousData,
    retry: (count: number, error: Error) => count < 2 && !(error instanceof Problem && error.isFinal),
    meta: { live },
  }
  const [observer] = useState(() => new QueryObserver(queries, query))
  useSyncExternalStore(
    useCallback((wake) => observer.subscribe(notifyManager.batchCalls(wake)), [observer]),
    () => observer.getCurrentResult(),
  )
  useEffect(() => observer.setOptions(query))
  const result = observer.getOptimisticResult(queries.defaultQueryOptions(query))
  const { data, error, isFetching, isPlaceholderData } = result
  return {
    data: wanted === 'false' ? undefined : (data as CallOutput<N> | undefined),
    isStale: isPlaceholderData || asked !== wanted,
    isLoading: wanted !== 'false' && data === undefined && !error,
    error: error && !isFetching ? (error as Problem) : undefined,
    refresh: async () => (await observer.refetch()).status === 'success',
  }
}

/** Topics pushed by the server. */
export const onTopic = (queries: QueryClient, topic: string) => queries.invalidateQueries({ predicate: ({ meta }) => meta?.live === topic })

/** Asks for confirmation of an action that cannot be undone. */
export function useConfirm(): (question: Question) => Promise<boolean> {
  const { ask, toast, say } = useApp()
  return async (question) => {
    const openedAt = Date.now()
    if (!(await ask(question))) return false
    if (question.staleAfterMs === undefined || Date.now() - openedAt <= question.staleAfterMs) return true
    toast(say('engine.price_old'), 'warn')
    return false
  }
}

const draftsOf = new WeakMap<object, () => void>()

/** Stores the entered values of the named fields, through navigation and reloads, until they are sent. */
export function useDraft<E extends FieldValues>(id: string, form: UseFormReturn<E>, names: readonly Path<E>[]): void {
  const { account, params } = useApp()
  const key = `draft.${account}/${id}?${new URLSearchParams(params)}`
  const kept = useRef(names)
  useEffect(() => {
    for (const [name, value] of Object.entries(JSON.parse(sessionStorage.getItem(key) ?? '{}')))
      form.setValue(name as Path<E>, value as never)
    draftsOf.set(form.control, () => sessionStorage.removeItem(key))
    return form.subscribe({
      formState: { values: true },
      callback: ({ values }) =>
        sessionStorage.setItem(key, JSON.stringify(Object.fromEntries(kept.current.map((name) => [name, values[name]])))),
    })
  }, [key, form])
}

/** Reaction to a refusal: `retry` prompts the customer again after the refreshed data has arrived. */
export interface Outcome<E extends FieldValues> {
  field?: Path<E>
  toast?: true
  refresh?: readonly Call<unknown>[]
  go?: string
  retry?: true
}
type Outcomes<E extends FieldValues> = Partial<Record<ProblemCode | '*', Outcome<E>>>
type Send = <N extends CallName>(name: N, args: Args) => Promise<CallOutput<N>>

/** State of a field in react-hook-form. */
interface Entry {
  _f?: { mount?: boolean }
}

/** Problems after which the outcome of the call is unknown. */
const lost = new Set(['network_failed', 'timed_out', 'answer_unreadable', 'outcome_unknown', 'busy', 'internal'])

/**
 * Sends a form once: a second press during the call has no effect, and equal values are sent under the same idempotency key until the
 * outcome is known. Refusals are handled by `outcomes`.
 * @param run returns false when the customer cancels
 */
export function useSubmit<E extends FieldValues>(
  form: UseFormReturn<E>,
  outcomes: Outcomes<E>,
  run: (entries: E, send: Send) => Promise<unknown>,
): { submit: () => Promise<void>; isBusy: boolean } {
  const { call, say, toast, go, routes } = useApp()
  const [isBusy, setBusy] = useState(false)
  const pressed = useRef(false)
  const press = useRef({ of: '', key: '' })
  const latest = useRef({ outcomes, run })
  useLayoutEffect(() => {
    latest.current = { outcomes, run }
  })
  const send: Send = async (name, args) => {
    const of = JSON.stringify([name, args])
    if (press.current.of !== of) press.current = { of, key: crypto.randomUUID() }
    const answer = await call(name, args, { key: press.current.key }).catch((error: Problem) => {
      if (!lost.has(error.name)) press.current = { of: '', key: '' }
      throw error
    })
    press.current = { of: '', key: '' }
    return answer
  }
  const attempt = async (entries: E): Promise<void> => {
    try {
      if ((await latest.current.run(entries, send)) !== false) draftsOf.get(form.control)?.()
    } catch (error) {
      const name = error instanceof Problem ? error.name : 'internal'
      const words = say(`problem.${name}`)
      if (name === 'unauthorized') return go(routes.login)
      if (name === 'verification_required') return go(routes.verify)
      const outcome = latest.current.outcomes[name as ProblemCode] ?? latest.current.outcomes['*'] ?? { toast: true }
      const { field, refresh = [] } = outcome
      const stands = field !== undefined && (get(form.control._fields, field) as Entry | undefined)?._f?.mount
      if (stands) form.setError(field, { message: words }, { shouldFocus: true })
      else toast(words, outcome.retry ? 'warn' : 'error')
      if (outcome.go) go(outcome.go)
      const came = await Promise.all(refresh.map((one) => one.refresh()))
      if (!outcome.retry || came.includes(false)) return
      // New data is read by the next render.
      await new Promise((drawn) => setTimeout(drawn))
      await attempt(entries)
    }
  }
  const submit = async () => {
    if (pressed.current) return
    pressed.current = true
    setBusy(true)
    try {
      await form.handleSubmit(attempt)()
    } finally {
      pressed.current = false
      setBusy(false)
    }
  }
  return { submit, isBusy }
}

export type Rule = (value: string) => string | true

/** Rules of more than one form. */
export function useRules() {
  const say = useText()
  return {
    amount: ((value) => parseAmount(value)?.gt(0) || say('validation.amount')) as Rule,
    code: ((value) => /^\d{6}$/.test(value) || say('validation.verification_code', { length: 6 })) as Rule,
    atLeast:
      (least: string, unit: string): Rule =>
      (value) =>
        new Big(value).gte(least) || say('validation.withdraw_minimum', { least, unit }),
    within:
      (available: string): Rule =>
      (value) =>
        new Big(value).lte(available) || say('validation.within_balance'),
  }
}

/** The current time, updated every second. */
export function useNow(everyMs = 1_000): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
