import { QueryClient } from '@tanstack/query-core'
import { vi } from 'vitest'
import type { ActionPlace } from '#renderer/actions/place.ts'
import { CallProblem } from '#renderer/calls/api.ts'
import { Left, sendCall } from '#renderer/calls/perform-call.ts'
import { settlePresses } from '#renderer/calls/perform-settle.ts'
import { Topics } from '#renderer/core/scope.ts'
import type { Engine } from '#renderer/engine/types.ts'
import { createUi, type OpenPrompt } from '#renderer/engine/ui.ts'

type Answer = unknown | CallProblem | (() => Promise<unknown>)
export const lostBy = (name: string, code = 0) => new CallProblem(code, name)
export const outcome = (state: string, answer: unknown = undefined) => ({
  state,
  call: 'c',
  answer: answer === undefined ? '' : JSON.stringify(answer),
})

/** The storage of a device, which survives a reload of the page. */
export const storage = () => new Map<string, string>()

/** One load of the page on that device. Answers are given in order; the last one stays. */
export function load(kept: Map<string, string>, answers: { c?: Answer[]; outcome?: Answer[] } = {}, uid = '7') {
  const sent: string[] = []
  const heard: unknown[] = []
  const messages: string[] = []
  const topics = new Topics()
  const ui = createUi(1)
  const root = { state: 'customer', uid }
  const engine = {
    outcomeCall: 'user.outcome',
    ui,
    queries: new QueryClient(),
    say: (key: string) => key,
    clock: { now: () => Date.now(), elapsed: () => Date.now() },
    config: {
      document: () => ({ title: { $t: 'withdraw.title' }, body: [] }),
    },
    outer: { subscribe: (topic: string, wake: () => void) => topics.subscribe(topic, wake) },
    session: { root: () => root, heard: (...all: unknown[]) => heard.push(all.slice(0, 2)) },
    device: {
      token: () => 'token',
      kept: (name: string) => kept.get(name) ?? null,
      keep: (name: string, text: string | null) => void (text === null ? kept.delete(name) : kept.set(name, text)),
    },
    api: {
      keyed: async (name: string) => name === 'c',
      async call(name: string, args: Record<string, unknown>, more: { key?: string }) {
        sent.push(name === 'user.outcome' ? `outcome ${args.key}` : `${name} ${more.key}`)
        const list = (name === 'user.outcome' ? answers.outcome : answers.c) ?? []
        const answer = list.length > 1 ? list.shift() : list[0]
        if (answer instanceof CallProblem) throw answer
        return typeof answer === 'function' ? answer() : answer
      },
    },
  } as unknown as Engine
  const store = { get: () => undefined } as never
  const place = { engine, store, screen: { id: 's' } } as unknown as ActionPlace
  ui.subscribe(() => {
    const top = ui.prompts().at(-1)
    if (top && messages.at(-1) !== top.text) messages.push(top.text)
  })
  return {
    sent,
    heard,
    messages,
    ui,
    root,
    settle: () => settlePresses(engine),
    change: () => topics.wake('session.state'),
    keys: () => (JSON.parse(kept.get('presses') ?? '[]') as { key: string }[]).map(({ key }) => key),
    /** @param left whether the customer has left the screen of the press */
    press: (key = 'k1', call = 'c', left = () => false) =>
      sendCall({ do: 'call', call, args: { amount: '5' }, as: undefined }, key, place, { left, done: () => undefined }).then(
        (answer) => answer,
        (error: unknown) => (error instanceof Left ? 'left' : error instanceof CallProblem ? `problem ${error.name}` : error),
      ),
    top: (): OpenPrompt | undefined => ui.prompts().at(-1),
  }
}
export const seconds = (n: number) => vi.advanceTimersByTimeAsync(n * 1_000)
