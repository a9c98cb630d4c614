import { type Api, type CallOptions, CallProblem, dataOf } from '#renderer/calls/api.ts'

/** Row of contract/office.routes.json. */
export type BackOfficeRoute = readonly [method: string, path: string, auth: string]

interface BackOfficeApiOptions {
  base: string
  routes: Readonly<Record<string, BackOfficeRoute>>
  language: () => string
  /** The operator's session has ended; the call is never answered. */
  onLogin: () => void
  /** The server needs a proof of identity. @returns whether it was given */
  onFresh: () => Promise<boolean>
  fetch?: typeof fetch
  timeoutMs?: number
  /** Delays before a change that may have been lost is sent again, in ms. Its idempotency key makes it happen once. */
  againMs?: readonly number[]
}

const timeoutMsDefault = 30_000
const againMsDefault = [500, 2_000] as const
/** It is unknown whether the change was made. */
const lost = new Set(['network_failed', 'timed_out', 'answer_unreadable', 'busy', 'outcome_unknown'])
const never = (signal: AbortSignal | undefined) =>
  new Promise<never>((_, end) => signal?.addEventListener('abort', () => end(signal.reason as Error)))

/** The calls of the back office by name, with the operator's cookie and the header that only our own pages can send. */
export function createBackOfficeApi(options: BackOfficeApiOptions): Api {
  const { base, routes, language, onLogin, onFresh, timeoutMs = timeoutMsDefault, againMs = againMsDefault } = options
  const send = options.fetch ?? ((...all: Parameters<typeof fetch>) => fetch(...all))

  /** @throws CallProblem, or the signal's reason */
  async function once([method, path]: BackOfficeRoute, args: Record<string, unknown>, { signal, key }: CallOptions): Promise<unknown> {
    const form = new URLSearchParams()
    for (const [name, value] of Object.entries(args)) if (value !== undefined && value !== null) form.set(name, String(value))
    form.set('lang', language())
    const reads = method === 'GET'
    const late = AbortSignal.timeout(timeoutMs)
    let answer: Response
    let text: string
    try {
      answer = await send(`${base}${path}${reads ? `?${form}` : ''}`, {
        method,
        credentials: 'same-origin',
        cache: 'no-store',
        signal: signal ? AbortSignal.any([signal, late]) : late,
        headers: { Accept: 'application/json', 'X-Console': '1', ...(key !== undefined && !reads && { 'Idempotency-Key': key }) },
        ...(!reads && { body: form }),
      })
      text = await answer.text()
    } catch {
      if (signal?.aborted) throw signal.reason
      throw new CallProblem(0, late.aborted ? 'timed_out' : 'network_failed')
    }
    return dataOf(text)
  }

  return {
    async call(name, args, given = {}) {
      const route = Object.hasOwn(routes, name) ? routes[name] : undefined
      if (!route) throw new CallProblem(4004, 'not_found')
      let asked = false
      for (let tries = 0; ; tries++) {
        try {
          return await once(route, args, given)
        } catch (problem) {
          if (!(problem instanceof CallProblem)) throw problem
          if (problem.code === 401) {
            onLogin()
            return never(given.signal)
          }
          if (problem.name === 'fresh_login_required' && !asked) {
            asked = true
            if (!(await onFresh())) throw problem
            given.signal?.throwIfAborted()
            continue
          }
          const waitMs = againMs[tries]
          if (given.key === undefined || route[0] === 'GET' || waitMs === undefined || !lost.has(problem.name)) throw problem
          await new Promise((done) => setTimeout(done, waitMs))
        }
      }
    },
    send: () => Promise.reject(new CallProblem(4004, 'not_found')),
    needsUser: () => false,
  }
}
