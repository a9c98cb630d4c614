import { ConsoleError, type ConsoleRequest } from '#contract/console/console.answer.ts'

/** The one way of the console and its frames to both servers: with the operator's cookie, and the header that only our own pages can send. */

export interface SendOptions {
  fetch?: typeof fetch | undefined
  /** The server needs a proof of identity. @returns whether it was given; then the request is sent once more */
  onFresh?: (() => Promise<boolean>) | undefined
  /** The operator's session is over, or there was none. */
  onLogin?: (() => void) | undefined
  timeoutMs?: number | undefined
  /** Delays before a change that may have been lost is sent again, in ms. Its idempotency key makes it happen once. */
  againMs?: readonly number[] | undefined
}
export interface Sending extends Omit<ConsoleRequest, 'body'> {
  /** `/console/api`, which goes before the path. */
  base: string
  /** JSON as text, or a form. */
  body?: string | URLSearchParams | undefined
  key?: string | undefined
  signal?: AbortSignal | undefined
}
/** Takes `data` out of an answer. @throws an error whose `code` or `name` is that of the problem */
export type ReadAnswer = (status: number, text: string) => unknown
export type Send = (request: Sending, read: ReadAnswer) => Promise<unknown>

const timeoutMsDefault = 60_000
const againMsDefault = [500, 2_000] as const
/** It is unknown whether a change was made. */
const lost = new Set(['offline', 'timed_out', 'answer_unreadable', 'internal', 'busy', 'outcome_unknown'])
const sessionOver = new Set(['login_required', 'unauthorized'])

/** Code of the problem that a reader, or the network, has thrown. */
export const codeOf = (error: unknown): string => {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  return typeof code === 'string' ? code : String(name)
}
export const isSessionOver = (error: unknown): boolean => sessionOver.has(codeOf(error))

/** @throws ConsoleError with `offline` or `timed_out`, what the reader throws, or the signal's reason */
export function createSend({ fetch: given, onFresh, onLogin, timeoutMs = timeoutMsDefault, againMs = againMsDefault }: SendOptions): Send {
  const send = given ?? ((...all: Parameters<typeof fetch>) => fetch(...all))

  async function once({ base, method, path, body, key, signal }: Sending, read: ReadAnswer): Promise<unknown> {
    const late = AbortSignal.timeout(timeoutMs)
    let status: number
    let text: string
    try {
      const answer = await send(`${base}${path}`, {
        method,
        credentials: 'same-origin',
        cache: 'no-store',
        signal: signal ? AbortSignal.any([signal, late]) : late,
        headers: {
          accept: 'application/json',
          'x-console': '1',
          ...(typeof body === 'string' && { 'content-type': 'application/json' }),
          ...(key !== undefined && { 'idempotency-key': key }),
        },
        ...(body !== undefined && { body }),
      })
      ;[status, text] = [answer.status, await answer.text()]
    } catch {
      if (signal?.aborted) throw signal.reason
      throw new ConsoleError(late.aborted ? 'timed_out' : 'offline', 0, 'The server cannot be reached.')
    }
    return read(status, text)
  }

  return async (request, read) => {
    let asked = false
    for (let tries = 0; ; tries++) {
      try {
        return await once(request, read)
      } catch (problem) {
        if (request.signal?.aborted) throw problem
        if (isSessionOver(problem)) onLogin?.()
        if (codeOf(problem) === 'fresh_login_required' && onFresh && !asked) {
          asked = true
          if (!(await onFresh())) throw problem
          request.signal?.throwIfAborted()
          continue
        }
        const waitMs = againMs[tries]
        if (request.key === undefined || waitMs === undefined || !lost.has(codeOf(problem))) throw problem
        await new Promise((done) => setTimeout(done, waitMs))
      }
    }
  }
}
