import { QueryClient } from '@tanstack/query-core'
import mitt from 'mitt'
import type { ErrorOutcome, PromptDoc, Step } from '#language/documents/documents.ts'
import type { Scope } from '#language/expression/expression.ts'
import { perform } from '#renderer/actions/perform.ts'
import type { CallProblem } from '#renderer/calls/api.ts'
import { Topics } from '#renderer/core/scope.ts'
import { ScreenStore } from '#renderer/engine/store.ts'
import type { Engine, EngineEvents } from '#renderer/engine/types.ts'

/** A place to act in whose every effect is recorded in order. */
interface PlaceOptions {
  agree?: boolean
  form?: boolean
  answer?: () => Promise<unknown>
  onAsk?: () => void
  now?: () => number
  /** Whether sources have an answer anew. */
  anew?: boolean
  /** The call that takes a key. */
  keyed?: string
  /** Members of the prompt besides its title and rows. */
  prompt?: Partial<PromptDoc>
}
export function place(options: PlaceOptions = {}) {
  const log: string[] = []
  const kept = new Map<string, string>()
  const at = { visit: 1 }
  const topics = new Topics()
  const outer = {
    get: (root: string) => (root === 'device' ? { theme: 'dark' } : undefined),
    subscribe: (t: string, w: () => void) => topics.subscribe(t, w),
  }
  const store = new ScreenStore(outer, { id: 3 }, { tab: 'a', amount: '5' })
  const calls: { name: string; args: unknown; key: string | undefined }[] = []
  const engine = {
    bus: mitt<EngineEvents>(),
    queries: new QueryClient(),
    say: (key: string) => key,
    clock: { now: options.now ?? (() => 0), elapsed: options.now ?? (() => 0) },
    visit: () => at.visit,
    go: (route: string, params: unknown, replace: boolean) => log.push(`go ${route} ${JSON.stringify(params)} ${replace}`),
    back: () => log.push('back'),
    app: () => ({ links: ['tessera.example'], constants: { clickThrottleMs: 30 } }),
    device: {
      kept: (name: string) => kept.get(name) ?? null,
      keep: (name: string, text: string | null) => void (text === null ? kept.delete(name) : kept.set(name, text)),
      set: (name: string, value: unknown) => log.push(`device ${name}=${JSON.stringify(value)}`),
    },
    i18n: { language: () => 'en', hasArea: () => true },
    config: {
      current: () => undefined,
      document: () => ({ title: 'Withdraw', body: [] }),
      fetchDocument: async () => ({
        kind: 'prompt',
        id: 'p',
        format: 1,
        title: 'Sure?',
        rows: [{ label: 'Amount', value: { $: 'params.amount' } }],
        stale_after_ms: 1_000,
        ...options.prompt,
      }),
    },
    gate: { back: () => log.push('return') },
    problems: {
      take: (error: CallProblem) => error.code === 401 && log.push('taken') > 0,
      words: (error: CallProblem) => error.msg || `problem.${error.name}`,
    },
    ui: {
      toast: (text: string, tone: string) => log.push(`toast ${tone} ${text}`),
      ask: async (prompt: { rows: unknown }) => {
        log.push(`ask ${JSON.stringify(prompt.rows)}`)
        options.onAsk?.()
        return options.agree ?? true
      },
    },
    session: { root: () => ({ uid: '7' }) },
    api: {
      keyed: async (name: string) => name === options.keyed,
      changes: (name: string) => name === options.keyed,
      call: async (name: string, args: unknown, more: { key?: string }) => {
        calls.push({ name, args, key: more.key })
        return options.answer?.()
      },
    },
  } as unknown as Engine
  const data = {
    status: () => undefined,
    refresh: async (names: readonly string[]) => {
      log.push(`refresh ${names}`)
      for (const name of names) store.setData(name, 'new')
      return options.anew ?? true
    },
    more: (n: string) => void log.push(`more ${n}`),
    listen: () => () => undefined,
    asked: <T>(_depth: number, run: () => T) => run(),
    start() {},
    stop() {},
  }
  const form = {
    problem: (field: string, text: string) => field === 'amount' && log.push(`field ${field}: ${text}`) > 0,
    set: (path: string, to: unknown) => void log.push(`form ${path}=${JSON.stringify(to)}`),
    reset: () => void log.push('reset'),
  }
  const act = (steps: Step[], errors?: Record<string, ErrorOutcome>, value?: unknown, scope: Scope = store) =>
    perform(steps, scope, value, { engine, store, data, screen: { id: 's', errors }, ...(options.form && { form }) })
  return { log, store, calls, act, engine, leave: () => void at.visit++, presses: () => kept.get('presses') }
}
