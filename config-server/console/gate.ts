import type { IncomingMessage } from 'node:http'
import { readCookie } from '#config-server/console/cookie.ts'
import { isOwn } from '#config-server/console/origin.rules.ts'
import type { Session } from '#config-server/operators/account.ts'
import type { Operators } from '#config-server/operators/operators.ts'
import type { Clock } from '#server-kit/ops/clock.ts'
import type { OperatorGate } from '#server-kit/security/operator-gate.ts'

/** Session of the operator who sends the cookie, or in its place a bearer token; undefined where there is none, or none any more. */
export async function sessionOf(req: IncomingMessage, operators: Operators, overTls: boolean, use: boolean): Promise<Session | undefined> {
  const { authorization, cookie } = req.headers
  const token = authorization === undefined ? readCookie(cookie, overTls) : /^Bearer ([\w-]+)$/.exec(authorization)?.[1]
  return token === undefined ? undefined : operators.whoIs(token, use)
}

const only = (header: string | string[] | undefined): string | undefined => (Array.isArray(header) ? header.join() : header)

/** Whether a request may come from a page of ours; see origin.rules.ts. */
export const comesFromUs = ({ method = 'GET', headers }: IncomingMessage, overTls: boolean): boolean =>
  isOwn({
    method,
    marker: only(headers['x-console']),
    origin: headers.origin,
    fetchSite: only(headers['sec-fetch-site']),
    host: headers.host,
    overTls,
  })

export function createGate(operators: Operators, clock: Clock, overTls: (req: IncomingMessage) => boolean): OperatorGate {
  return {
    async operatorOf(req, { changes, passive = false }) {
      const isTls = overTls(req)
      const own = comesFromUs(req, isTls) && (!changes || req.headers['x-console'] === '1')
      if (!own) return 'forbidden'
      const session = await sessionOf(req, operators, isTls, !passive)
      if (!session) return 'unauthorized'
      const { id, name, roles } = session.operator
      return { id, name, roles, fresh: session.freshUntil > clock.now() }
    },
  }
}
