import type { CallRow } from '#contract/call.ts'
import type { AnyProblemCode } from '#contract/problem.ts'

/** Requests and answers of the console's calls, without their schemas: shared by the console, its frames and the command line. */

/** A call that was refused or got no answer. `code` is a code of the contract, or `offline` without an answer. */
export class ConsoleError extends Error {
  override name = 'ConsoleError'
  readonly code: AnyProblemCode | 'offline' | (string & {})
  /** HTTP status; 0 without an answer. */
  readonly status: number
  /** Additional data of the server: SaveConflict with `save_conflict`, `{hash}` with `hash_changed`. */
  readonly data: unknown

  constructor(code: string, status: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.status = status
    this.data = data
  }
}

export interface ConsoleRequest {
  method: CallRow['method']
  /** Path under /console/api, with its query. */
  path: string
  /** JSON; absent for GET, and for other methods when all members of the call are in its path. */
  body?: string
}

/** Builds the request of a call. Undefined members are omitted; in a query empty texts and null are omitted too. */
export function requestFor(
  { method, path }: Pick<CallRow, 'method'> & { path: string },
  input: Readonly<Record<string, unknown>>,
): ConsoleRequest {
  const rest = { ...input }
  const address = path.replace(/:(\w+)/g, (_, param: string) => {
    const text = encodeURIComponent(String(rest[param]))
    delete rest[param]
    return text
  })
  if (method !== 'GET')
    return { method, path: address, ...((method === 'POST' || Object.keys(rest).length > 0) && { body: JSON.stringify(rest) }) }
  const pairs = Object.entries(rest).filter(([, value]) => value !== undefined && value !== null && value !== '')
  const query = new URLSearchParams(pairs.map(([member, value]) => [member, String(value)]))
  return { method, path: pairs.length ? `${address}?${query}` : address }
}

/**
 * Parses an answer. @param text the body @returns `data` of the answer
 * @throws ConsoleError for every other answer. Its code is the problem's name, also where other servers send it beside a number
 */
export function readAnswer(status: number, text: string, unnamed = ''): unknown {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    parsed = null
  }
  const isOk = status >= 200 && status < 300
  const { data, code, name, message } = (parsed ?? {}) as { data?: unknown; code?: unknown; name?: unknown; message?: unknown }
  if (isOk && parsed !== null && typeof parsed === 'object' && 'data' in parsed) return data
  const known = [code, name].find((one) => typeof one === 'string') as string | undefined
  throw new ConsoleError(known ?? 'internal', status, typeof message === 'string' ? message : unnamed, data)
}
