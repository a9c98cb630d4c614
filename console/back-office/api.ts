import { codeOf, createSend, isSessionOver, type Send, type SendOptions } from '#console/frames/send.ts'
import { ConsoleError, readAnswer, requestFor } from '#contract/console/console.answer.ts'
import { type Api, type CallOptions, CallProblem, dataOf } from '#renderer/calls/api.ts'

/** Row of contract/office.routes.json. Flag `console`: a call of the config server. Flag `streams`: it answers with a file. */
export type BackOfficeRoute = readonly [method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: string, auth: string, ...flags: string[]]

interface BackOfficeApiOptions extends SendOptions {
  /** Where the calls of the API server are. */
  base: string
  /** Where those of the config server are. */
  consoleBase: string
  routes: Readonly<Record<string, BackOfficeRoute>>
  language: () => string
  /** Has the browser save the file at an address. */
  download?: (address: string) => void
}

const never = (signal: AbortSignal | undefined) =>
  new Promise<never>((_, end) => signal?.addEventListener('abort', () => end(signal.reason as Error)))

/** The browser shows the progress, and writes a long file to the disk as it comes. */
function saveFrom(address: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
}

/** Codes of the network, as the engine has words for them. */
const engineCodes: Readonly<Record<string, string>> = { offline: 'network_failed' }

/** A problem of the console as the engine shows it: the code names the words. */
function problemOf(error: unknown): unknown {
  if (!(error instanceof ConsoleError)) return error
  const field = (error.data as { field?: unknown } | undefined)?.field
  return new CallProblem(error.status, engineCodes[error.code] ?? error.code, '', typeof field === 'string' ? field : undefined)
}

/** The calls of the back office by name, sent by the one client of the console. A call whose session is over is never answered. */
export function createBackOfficeApi(options: BackOfficeApiOptions): Api {
  const { base, consoleBase, routes, language, download = saveFrom } = options
  const send = createSend(options)

  async function ofOffice(
    [method, path, , ...flags]: BackOfficeRoute,
    args: Record<string, unknown>,
    { signal, key }: CallOptions,
  ): ReturnType<Send> {
    const form = new URLSearchParams()
    for (const [name, value] of Object.entries(args)) if (value !== undefined && value !== null) form.set(name, String(value))
    form.set('lang', language())
    const reads = method === 'GET'
    if (flags.includes('streams')) {
      download(`${base}${path}?${form}`)
      return null
    }
    return send(
      {
        base,
        method,
        path: reads ? `${path}?${form}` : path,
        body: reads ? undefined : form,
        key: reads ? undefined : key,
        signal,
      },
      (_, text) => dataOf(text),
    )
  }
  async function ofConsole([method, path, , ...flags]: BackOfficeRoute, args: Record<string, unknown>, { signal }: CallOptions) {
    const request = requestFor({ method, path }, args)
    if (!flags.includes('streams')) return send({ ...request, base: consoleBase, signal }, readAnswer)
    download(`${consoleBase}${request.path}`)
    return null
  }

  return {
    async call(name, args, given = {}) {
      const route = Object.hasOwn(routes, name) ? routes[name] : undefined
      if (!route) throw new CallProblem(4004, 'not_found')
      try {
        return await (route.includes('console') ? ofConsole : ofOffice)(route, args, given)
      } catch (error) {
        if (isSessionOver(error)) return never(given.signal)
        if (codeOf(error) === 'AbortError' || given.signal?.aborted) throw error
        throw problemOf(error)
      }
    },
    send: () => Promise.reject(new CallProblem(4004, 'not_found')),
    needsUser: () => false,
    changes: (name) => Object.hasOwn(routes, name) && routes[name]!.includes('changes'),
  }
}
