import type { RequestHandler } from 'express'
import * as z from 'zod'
import { cookieOf } from '#config-server/console/cookie.ts'
import type { Operators } from '#config-server/operators/operators.ts'
import { ApiProblem } from '#contract/problem.ts'
import { roles } from '#language/publish/publishing.ts'
import { mayUseTestHooks } from '#server-kit/http/local-request.ts'

const input = z.strictObject({ name: z.string(), roles: z.array(z.enum(roles)).default([...roles]), fresh: z.boolean().default(true) })

/**
 * POST /test/operator {name, roles?, fresh?} → {id, name, password, totpSecret, token, cookie, freshUntil}: an operator who is there at once, logged in and
 * fresh unless said otherwise. One of that name gets the roles, and a new password, second factor and session. `cookie` is what a browser would keep, `name=value`.
 */
export const operatorHook =
  (operators: Operators): RequestHandler =>
  async (req, res) => {
    if (!mayUseTestHooks(req)) throw new ApiProblem('not_found')
    const read = input.safeParse(req.body)
    if (!read.success) throw new ApiProblem('parameter_error')
    const { operator, token, password, totpSecret, freshUntil } = await operators.put(read.data.name, read.data.roles, read.data.fresh)
    const cookie = cookieOf(token, false).split(';')[0]!
    res.json({ id: operator.id, name: operator.name, password, totpSecret, token, cookie, freshUntil })
  }
