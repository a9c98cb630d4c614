import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Me } from '#language/publish/operator-accounts.ts'

/** What a server refused, or that it could not be asked. */
export class RemoteProblem extends Error {
  /** A code of /console/api, or `offline`. */
  readonly code: string
  /** 0 when no answer came. */
  readonly status: number
  readonly data: unknown
  constructor(code: string, status: number, message: string, data?: unknown) {
    super(message)
    this.name = 'RemoteProblem'
    this.code = code
    this.status = status
    this.data = data
  }
}

/** /console/api of one server, as the operator who logged in with `npm run cfg -- login`. Each call rejects with RemoteProblem. */
export interface Remote {
  /** `http://127.0.0.1:8080`. */
  readonly server: string
  /** @param path below /console/api: `/drafts/3` */
  get<T>(path: string): Promise<T>
  post<T>(path: string, body?: unknown): Promise<T>
  put<T>(path: string, body: unknown): Promise<T>
  patch<T>(path: string, body: unknown): Promise<T>
  delete<T>(path: string, body?: unknown): Promise<T>
}
export interface Login {
  name: string
  password: string
  code: string
}
interface KeptToken {
  name: string
  token: string
  expiresAt: number
}

/** Tokens by server; readable by its owner only. */
export const tokenFile = (): string => join(homedir(), '.config', 'tessera', 'operator.json')
const timeoutMs = 120_000

/** @throws RemoteProblem for what is no address, and for one over which a password would travel in clear */
export function serverOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const near = url && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw new RemoteProblem('offline', 0, `"${text}" is no address of a server`)
  if (url.protocol === 'http:' && !near)
    throw new RemoteProblem('offline', 0, `${url.origin} has no TLS; your password would travel in clear`)
  return url.origin
}

async function readTokens(file: string): Promise<Record<string, KeptToken>> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Record<string, KeptToken>
  } catch {
    return {}
  }
}

/** Written beside and moved over, so that it is never half there, and never readable by others. */
async function writeTokens(file: string, tokens: Record<string, KeptToken>): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const next = `${file}.${process.pid}`
  await writeFile(next, `${JSON.stringify(tokens, null, 2)}\n`, { mode: 0o600 })
  await chmod(next, 0o600)
  await rename(next, file)
}

async function ask<T>(server: string, token: string | undefined, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(`${server}/console/api${path}`, {
    method,
    redirect: 'error',
    headers: {
      ...{ accept: 'application/json', 'x-console': '1' },
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: unknown) => {
    throw new RemoteProblem('offline', 0, `${server} cannot be reached: ${(error as Error).message}`)
  })
  const told = (await answer.json().catch(() => undefined)) as { data?: T; code?: unknown; message?: unknown } | undefined
  if (answer.ok && told && 'data' in told) return told.data as T
  const { code, message, data } = told ?? {}
  const words = typeof message === 'string' ? message : `${server} answered ${answer.status}`
  throw new RemoteProblem(typeof code === 'string' ? code : 'internal', answer.status, words, data)
}

const hints: Record<string, string> = {
  login_required: ' (npm run cfg -- login --server …)',
  fresh_login_required: ' (log in again: what moves a release asks for password and code of the last ten minutes)',
}

/** @param server its address; a path behind it does not count @param file where tokens are kept */
export function remote(server: string, file: string = tokenFile()): Remote {
  const origin = serverOf(server)
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const kept = (await readTokens(file))[origin]
    try {
      return await ask<T>(origin, kept?.token, method, path, body)
    } catch (error) {
      if (error instanceof RemoteProblem && hints[error.code] !== undefined) error.message += hints[error.code]
      throw error
    }
  }
  return {
    server: origin,
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    put: (path, body) => call('PUT', path, body),
    patch: (path, body) => call('PATCH', path, body),
    delete: (path, body) => call('DELETE', path, body),
  }
}

/** Logs in and keeps the token. The password is kept nowhere. @throws RemoteProblem */
export async function logIn(server: string, login: Login, file: string = tokenFile()): Promise<Me> {
  const origin = serverOf(server)
  const { token, expiresAt, ...me } = await ask<Me>(origin, undefined, 'POST', '/login', { ...login, as: 'token' })
  const tokens = await readTokens(file)
  await writeTokens(file, { ...tokens, [origin]: { name: me.operator.name, token: token!, expiresAt: expiresAt! } })
  return me
}

/** Ends the session, if there is one, and forgets its token. */
export async function logOut(server: string, file: string = tokenFile()): Promise<void> {
  const origin = serverOf(server)
  const { [origin]: kept, ...others } = await readTokens(file)
  if (!kept) return
  await ask(origin, kept.token, 'POST', '/logout').catch((error: unknown) => {
    if (!(error instanceof RemoteProblem && error.code === 'login_required')) throw error
  })
  await writeTokens(file, others)
}
