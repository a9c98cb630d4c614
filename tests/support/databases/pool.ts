import { Agent, request } from 'node:http'
import type { CallRow } from '#contract/call.ts'
import { problems } from '#contract/problem.ts'
import type { Answer } from '#tests/support/servers/http.ts'
import { boundary, multipart, type Part, png } from '#tests/support/servers/upload-stage.ts'

export interface TimedAnswer extends Answer {
  ms: number
}
export interface Wire {
  method: string
  path: string
  headers?: Record<string, string>
  body?: string | Buffer
}
/** Persistent connections. */
export interface Pool {
  /** @throws Error when the connection breaks without an answer */
  ask(wire: Wire): Promise<TimedAnswer>
  close(): void
}

/** Time limit of a request. */
const askMsMax = 30_000

export function openPool(origin: string, sockets: number): Pool {
  const agent = new Agent({ keepAlive: true, maxSockets: sockets })
  const { hostname, port } = new URL(origin)
  return {
    ask: ({ method, path, headers, body }) =>
      new Promise((resolve, reject) => {
        const began = performance.now()
        const req = request({ hostname, port, path, method, headers, agent, timeout: askMsMax }, (res) => {
          const parts: Buffer[] = []
          res.on('data', (part: Buffer) => parts.push(part))
          res.on('error', reject)
          res.on('end', () => {
            const whole = Buffer.concat(parts)
            const text = whole.toString()
            const json = <T>() => JSON.parse(text) as T
            resolve({ status: res.statusCode ?? 0, headers: res.headers, body: whole, text, json, ms: performance.now() - began })
          })
        })
        req.on('timeout', () => req.destroy(new Error(`no answer in ${askMsMax} ms`)))
        req.on('error', reject)
        req.end(body)
      }),
    close: () => agent.destroy(),
  }
}

const halfSign = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g
const percent = (text: string) => encodeURIComponent(text.replace(halfSign, '\uFFFD'))
/** Encodes pairs as a form; names may repeat. Lone surrogates, which a browser cannot send either, become U+FFFD. */
export const formOf = (pairs: readonly (readonly [string, string])[]): string =>
  pairs.map(([name, value]) => `${percent(name)}=${percent(value)}`).join('&')

const form = 'application/x-www-form-urlencoded'
/** The request for a row of the contract: query, form or parts. `text` is the result of `formOf`. */
export function wireOf(row: CallRow, text: string, headers: Record<string, string> = {}, file?: Buffer): Wire {
  const path = `/api${row.path}`
  if (row.method === 'GET') return { method: 'GET', path: text ? `${path}?${text}` : path, headers }
  if (row.upload) {
    const fields = [...new URLSearchParams(text)].map(([name, content]): Part => ({ name: name.replace(/["\r\n]/g, '_'), content }))
    const body = multipart([...fields, ...(file ? [png(file)] : [])])
    const type = { 'content-type': `multipart/form-data; boundary=${boundary}`, 'content-length': String(body.length) }
    return { method: row.method, path, headers: { ...type, ...headers }, body }
  }
  return {
    method: row.method,
    path,
    body: text,
    headers: { 'content-type': form, 'content-length': String(Buffer.byteLength(text)), ...headers },
  }
}

/**
 * Why an answer is not a valid answer of the API; undefined for a valid one. Cheaper than `envelopeOf`, for tens of thousands of answers.
 */
export function faultOf({ status, headers, text }: Answer): string | undefined {
  if (status >= 500) return `status ${status}`
  if (headers['content-type'] !== 'application/json; charset=utf-8') return `type ${headers['content-type']}`
  if (headers['set-cookie'] || headers['x-powered-by'] || headers['access-control-allow-origin'] || headers.location)
    return 'a header too many'
  if (/node_modules|\bat \w+ \(|\bselect .+ from\b|<html|<pre/i.test(text)) return 'words from inside'
  let envelope: { code?: unknown; msg?: unknown; data?: unknown; name?: unknown }
  try {
    envelope = JSON.parse(text)
  } catch {
    return 'no JSON'
  }
  if (status === 200) return envelope.code === 1 && envelope.msg === '' ? undefined : 'a success that is none'
  const row =
    typeof envelope.name === 'string' && Object.hasOwn(problems, envelope.name) && problems[envelope.name as keyof typeof problems]
  if (!row || row.code !== envelope.code || row.http !== status) return 'a code that is not in the table'
  if (envelope.data !== null || typeof envelope.msg !== 'string' || envelope.msg.length < 2) return 'a refusal without words'
  return undefined
}
export const outcomeOf = (answer: Answer): string => (answer.status === 200 ? 'ok' : String(answer.json<{ name: unknown }>().name))
