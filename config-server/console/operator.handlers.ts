import type { Request, Response } from 'express'
import type { ConsoleContext } from '#config-server/console/context.ts'
import { clearCookie, setCookie } from '#config-server/console/cookie.ts'
import type { ConsoleHandlers } from '#config-server/console/mount.ts'
import type { MadeLink, OpenedSession } from '#config-server/operators/account.ts'
import { nameKey } from '#config-server/operators/operator.rules.ts'
import type { ConsoleCall } from '#contract/console/console.calls.ts'
import type { OperatorRow } from '#contract/console/console.rows.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Me, OperatorInfo, SetupLink } from '#language/publish/operator-accounts.ts'

type OperatorCall = Extract<ConsoleCall, `${'setup' | 'session' | 'access' | 'operators'}.${string}`>

const meOf = ({ operator, freshUntil }: Pick<OpenedSession, 'operator' | 'freshUntil'>): Me => ({ operator, freshUntil })
/** An operator as the pages of administrators show one. @param own the operator who asks */
const rowOf =
  (own: number) =>
  (operator: OperatorInfo): OperatorRow => ({
    ...operator,
    status: operator.frozen ? 'frozen' : operator.ready ? 'active' : 'invited',
    own: operator.id === own,
  })
const agentOf = (req: Request) => req.get('user-agent') ?? ''

export function operatorHandlers({ operators, overTls, publicUrl, stream }: ConsoleContext): ConsoleHandlers<OperatorCall> {
  /** Streams ask anew whose they are, here and in other tabs. */
  const tell = () => stream.tell({ about: 'operators', id: null })
  const welcome = (req: Request, res: Response, session: OpenedSession): Me => {
    setCookie(res, session.token, overTls(req))
    return meOf(session)
  }
  const linkOf = (req: Request, { operator, token, expiresAt }: MadeLink): SetupLink => ({
    operator,
    link: `${publicUrl ?? `${overTls(req) ? 'https' : 'http'}://${req.get('host') ?? ''}`}/console/#/setup/${token}`,
    expiresAt,
  })
  return {
    'setup.state': async () => ({ needed: await operators.needed() }),
    'setup.propose': ({ token, name, password }) =>
      password === undefined ? operators.readLink(token) : operators.propose(token, name, password),
    async 'setup.confirm'({ token, code }, { req, res }) {
      const session = await operators.confirm(token, code, agentOf(req))
      tell()
      return welcome(req, res, session)
    },
    async 'session.login'({ name, password, code, as }, { req, res }) {
      const session = await operators.login(name, { password, code }, agentOf(req), as === 'token')
      tell()
      return as === 'token' ? { ...meOf(session), token: session.token, expiresAt: session.expiresAt } : welcome(req, res, session)
    },

    'session.me': (_, { session }) => meOf(session),
    async 'session.logout'(_, { session, req, res }) {
      await operators.end(session.operator.id, session.id)
      clearCookie(res, overTls(req))
      tell()
      return null
    },
    async 'session.fresh'(proof, { session }) {
      return { operator: session.operator, freshUntil: await operators.prove(session, proof) }
    },
    'session.list': (_, { session }) => operators.sessions(session.operator.id, session.id),
    async 'session.end'({ session: id }, { session }) {
      await operators.end(session.operator.id, id)
      tell()
      return null
    },

    async 'access.password'({ next }, { session }) {
      await operators.changePassword(session, next)
      tell()
      return null
    },
    'access.factor': (_, { session }) => operators.proposeFactor(session),
    async 'access.factorConfirm'({ code }, { session }) {
      await operators.confirmFactor(session, code)
      tell()
      return null
    },
    async 'access.recoveryLeft'(_, { session }) {
      return { left: await operators.recoveryLeft(session.operator.id) }
    },
    'access.recovery': (_, { session }) => operators.makeRecoveryCodes(session),

    async 'operators.list'({ page, size, search, status }, { session }) {
      const part = search === undefined ? '' : nameKey(search)
      const found = (await operators.list())
        .map(rowOf(session.operator.id))
        .filter((one) => nameKey(one.name).includes(part) && (status === 'all' || one.status === status))
      return { list: found.slice((page - 1) * size, page * size), total: found.length }
    },
    async 'operators.one'({ id }, { session }) {
      const operator = (await operators.list()).find((one) => one.id === id)
      if (!operator) throw new ApiProblem('not_found')
      return rowOf(session.operator.id)(operator)
    },
    async 'operators.invite'({ name, roles }, { actor, req }) {
      const link = linkOf(req, await operators.invite(actor.name, name, roles))
      tell()
      return link
    },
    async 'operators.change'({ id, ...change }, { actor }) {
      const operator = await operators.change(actor.name, id, { ...change })
      tell()
      return operator
    },
    async 'operators.reset'({ id }, { actor, req }) {
      const link = linkOf(req, await operators.reset(actor.name, id))
      tell()
      return link
    },
  }
}
