import type { BrowserContextOptions } from 'playwright'
import { backOfficeCalls } from '#contract/calls/office.calls.ts'
import type { Role } from '#language/publish/publishing.ts'

export interface Operator {
  name: string
  password: string
  totpSecret: string
  cookie: string
  token: string
}

/** Creates a logged-in operator through the test hook. @param fresh whether the identity counts as just confirmed */
export async function operator(origin: string, name: string, roles: readonly Role[], fresh = true): Promise<Operator> {
  const answer = await fetch(`${origin}/test/operator`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, roles, fresh }),
  })
  const body = (await answer.json()) as Operator & { data?: Operator }
  if (!answer.ok) throw new Error(`operator ${name}: ${answer.status} ${JSON.stringify(body)}`)
  return body.data ?? body
}

/** A browser profile in which the operator is logged in. */
export function atWork(origin: string, { cookie }: Operator): NonNullable<BrowserContextOptions['storageState']> {
  const [name = '', value = ''] = (cookie.split(';', 1)[0] ?? '').split(/=(.*)/s)
  return {
    cookies: [
      { name, value, domain: new URL(origin).hostname, path: '/console', expires: -1, httpOnly: true, secure: false, sameSite: 'Strict' },
    ],
    origins: [],
  }
}

/** Makes a call of the back office without its page. @throws Error when it is refused */
export async function atBackOffice<T>(
  origin: string,
  { cookie }: Pick<Operator, 'cookie'>,
  call: keyof typeof backOfficeCalls,
  fields: Record<string, string> = {},
): Promise<T> {
  const { method, path } = backOfficeCalls[call]
  const text = new URLSearchParams(fields).toString()
  const answer = await fetch(`${origin}/console/back-office/api${path}${method === 'GET' ? `?${text}` : ''}`, {
    method,
    headers: { cookie, 'x-console': '1', 'content-type': 'application/x-www-form-urlencoded' },
    ...(method !== 'GET' && { body: text }),
  })
  const envelope = (await answer.json()) as { code: number; data: T }
  if (envelope.code !== 1) throw new Error(`${call}: ${answer.status} ${JSON.stringify(envelope)}`)
  return envelope.data
}
