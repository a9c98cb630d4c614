import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { ConsoleError, readAnswer } from '#contract/console/console.answer.ts'
import type { ConsoleCall } from '#contract/console/console.calls.ts'
import { type ConsoleInput, type ConsoleOutput, requestOf } from '#contract/console/console.request.ts'
import type { Me } from '#language/publish/operator-accounts.ts'

/** Calls of one server, as the operator who logged in with `npm run cfg -- login`. Each call rejects with ConsoleError. */
interface Remote {
  /** `http://127.0.0.1:8080`. */
  readonly server: string
  call<N extends ConsoleCall>(name: N, input: ConsoleInput<N>): Promise<ConsoleOutput<N>>
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

/** @throws ConsoleError for what is no address, and for one over which a password would travel in clear */
function serverOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const near = url && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw new ConsoleError('offline', 0, `"${text}" is no address of a server`)
  if (url.protocol === 'http:' && !near)
    throw new ConsoleError('offline', 0, `${url.origin} has no TLS; your password would travel in clear`)
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

async function ask<N extends ConsoleCall>(
  server: string,
  token: string | undefined,
  name: N,
  input: ConsoleInput<N>,
): Promise<ConsoleOutput<N>> {
  const { method, path, body } = requestOf(name, input)
  const answer = await fetch(`${server}/console/api${path}`, {
    method,
    redirect: 'error',
    headers: {
      accept: 'application/json',
      'x-console': '1',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: unknown) => {
    throw new ConsoleError('offline', 0, `${server} cannot be reached: ${(error as Error).message}`)
  })
  const text = await answer.text().catch(() => '')
  return readAnswer(answer.status, text, `${server} answered ${answer.status}`) as ConsoleOutput<N>
}

const hints: Record<string, string> = {
  login_required: ' (npm run cfg -- login --server …)',
  fresh_login_required: ' (log in again: what moves a release asks for password and code of the last ten minutes)',
}

/** @param server its address; a path behind it does not count @param file where tokens are kept */
export function remote(server: string, file: string = tokenFile()): Remote {
  const origin = serverOf(server)
  return {
    server: origin,
    async call(name, input) {
      const kept = (await readTokens(file))[origin]
      try {
        return await ask(origin, kept?.token, name, input)
      } catch (error) {
        if (error instanceof ConsoleError && hints[error.code] !== undefined) error.message += hints[error.code]
        throw error
      }
    },
  }
}

/** Logs in and keeps the token. The password is kept nowhere. @throws ConsoleError */
export async function logIn(server: string, login: Login, file: string = tokenFile()): Promise<Me> {
  const origin = serverOf(server)
  const { token, expiresAt, ...me } = await ask(origin, undefined, 'session.login', { ...login, as: 'token' })
  const tokens = await readTokens(file)
  await writeTokens(file, { ...tokens, [origin]: { name: me.operator.name, token: token!, expiresAt: expiresAt! } })
  return me
}

/** Ends the session, if there is one, and forgets its token. */
export async function logOut(server: string, file: string = tokenFile()): Promise<void> {
  const origin = serverOf(server)
  const { [origin]: kept, ...others } = await readTokens(file)
  if (!kept) return
  await ask(origin, kept.token, 'session.logout', {}).catch((error: unknown) => {
    if (!(error instanceof ConsoleError && error.code === 'login_required')) throw error
  })
  await writeTokens(file, others)
}
