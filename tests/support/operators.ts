import type { BrowserContextOptions } from 'playwright'
import type { Role } from '#language/publishing.ts'

export interface Operator {
  name: string
  password: string
  totpSecret: string
  cookie: string
  token: string
}

/** Makes an operator who is logged in, by way of the testing aid. */
export async function operator(origin: string, name: string, roles: readonly Role[]): Promise<Operator> {
  const answer = await fetch(`${origin}/test/operator`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, roles }),
  })
  const body = (await answer.json()) as Operator & { data?: Operator }
  if (!answer.ok) throw new Error(`operator ${name}: ${answer.status} ${JSON.stringify(body)}`)
  return body.data ?? body
}

/** A profile in which the operator is logged in. */
export function atWork(origin: string, { cookie }: Operator): NonNullable<BrowserContextOptions['storageState']> {
  const [name = '', value = ''] = (cookie.split(';', 1)[0] ?? '').split(/=(.*)/s)
  return {
    cookies: [
      { name, value, domain: new URL(origin).hostname, path: '/console', expires: -1, httpOnly: true, secure: false, sameSite: 'Strict' },
    ],
    origins: [],
  }
}
