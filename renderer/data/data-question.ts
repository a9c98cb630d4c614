import type { QueryClient } from '@tanstack/query-core'
import { guard } from '#language/expression/expression.ts'
import type { Api } from '#renderer/calls/api.ts'
import type { CompiledSource } from '#renderer/core/compile.ts'
import type { Say } from '#renderer/core/resolve.ts'
import type { ScreenStore } from '#renderer/engine/store.ts'

export interface DataDeps {
  queries: QueryClient
  api: Api
  language: () => string
  pageSize: number
  say: Say
  /** False for a call of customers while nobody is logged in: such a source waits for the login. */
  mayCall: (call: string) => boolean
}

/**
 * The question that a source would ask. `name` identifies a question, `args` its arguments alone: another language is no other question.
 */
export interface Question {
  name: string
  enabled: boolean
  key: readonly unknown[]
  args: string
  /** A limit of expressions ended the evaluation of its condition or arguments: it does not load, and says so. */
  stopped?: true
}

/** Reads condition and arguments of a source: whether it may load now, and what it would ask. */
export function questionOf({ doc, when, args }: CompiledSource, store: ScreenStore, deps: DataDeps): Question {
  const gate = when && guard(when, store)
  const allowed = deps.mayCall(doc.call) && (gate === undefined || gate.open)
  const { value, missing, stopped } = args.evaluate(store, deps.say)
  const halted = stopped !== undefined || gate?.stopped !== undefined
  const enabled = allowed && missing.length === 0 && !halted
  const key = [doc.call, value, deps.language()]
  return { name: JSON.stringify([enabled, key, halted]), enabled, key, args: JSON.stringify(value), ...(halted && { stopped: true }) }
}

/** One answer of a call that answers page after page. */
export interface Page {
  list: unknown[]
  total: number
}

/** Number of the page after these, while there are more rows. */
export const nextPage = (pages: readonly Page[]): number | undefined => {
  const last = pages.at(-1)
  const rows = pages.reduce((sum, page) => sum + page.list.length, 0)
  return last && last.list.length > 0 && rows < last.total ? pages.length + 1 : undefined
}
