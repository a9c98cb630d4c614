import type { Request, Response } from 'express'
import type * as z from 'zod'
import type { bodies } from '#config-server/console/bodies.ts'
import type { ConsoleParts } from '#config-server/console/console.ts'
import { clearCookie, setCookie } from '#config-server/console/cookie.ts'
import type { Asked } from '#config-server/console/route.ts'
import type { MadeLink, OpenedSession } from '#config-server/operators/operators.ts'
import type { Me, SetupAnswer, SetupLink, SetupState } from '#language/publish/operator-accounts.ts'

type Body<N extends keyof typeof bodies> = Asked<z.output<(typeof bodies)[N]>, undefined>
type Plain = Asked<undefined, undefined>

const meOf = ({ operator, freshUntil }: Pick<OpenedSession, 'operator' | 'freshUntil'>): Me => ({ operator, freshUntil })
const agentOf = (req: Request) => req.get('user-agent') ?? ''

export function operatorHandlers({ operators, overTls, stream }: ConsoleParts) {
  /** Streams ask anew whose they are, here and in other tabs. */
  const tell = () => stream.tell({ about: 'operators', id: null })
  const welcome = (req: Request, res: Response, session: OpenedSession): Me => {
    setCookie(res, session.token, overTls(req))
    return meOf(session)
  }
  const linkOf = (req: Request, { operator, token, expiresAt }: MadeLink): SetupLink => ({
    operator,
    link: `${overTls(req) ? 'https' : 'http'}://${req.get('host') ?? ''}/console/#/setup/${token}`,
    expiresAt,
  })
  return {
    setupState: async (): Promise<SetupState> => ({ needed: await operators.needed() }),
    setup: ({ body: { token, name, password } }: Body<'setup'>): Promise<SetupAnswer> =>
      password === undefined ? operators.readLink(token) : operators.propose(token, name, password),
    async confirm({ body: { token, code }, req, res }: Body<'setupConfirm'>): Promise<Me> {
      const session = await operators.confirm(token, code, agentOf(req))
      tell()
      return welcome(req, res, session)
    },
    async login({ body: { name, password, code, as }, req, res }: Body<'login'>): Promise<Me> {
      const session = await operators.login(name, { password, code }, agentOf(req))
      return as === 'token' ? { ...meOf(session), token: session.token, expiresAt: session.expiresAt } : welcome(req, res, session)
    },

    me: ({ session }: Plain): Me => meOf(session),
    async logout({ session, req, res }: Plain): Promise<null> {
      await operators.end(session.operator.id, session.id)
      clearCookie(res, overTls(req))
      tell()
      return null
    },
    async fresh({ session, body }: Body<'fresh'>): Promise<Me> {
      return { operator: session.operator, freshUntil: await operators.prove(session, body) }
    },
    sessions: ({ session }: Plain) => operators.sessions(session.operator.id, session.id),
    async endSession({ session, name }: Plain): Promise<null> {
      await operators.end(session.operator.id, name)
      tell()
      return null
    },

    async changePassword({ session, body: { next } }: Body<'password'>): Promise<null> {
      await operators.changePassword(session, next)
      tell()
      return null
    },
    proposeFactor: ({ session }: Plain) => operators.proposeFactor(session),
    async confirmFactor({ session, body: { code } }: Body<'factorConfirm'>): Promise<null> {
      await operators.confirmFactor(session, code)
      tell()
      return null
    },
    async recoveryLeft({ session }: Plain): Promise<{ left: number }> {
      return { left: await operators.recoveryLeft(session.operator.id) }
    },
    makeRecoveryCodes: ({ session }: Plain) => operators.makeRecoveryCodes(session),

    list: () => operators.list(),
    async invite({ actor, body: { name, roles }, req }: Body<'operator'>): Promise<SetupLink> {
      const link = linkOf(req, await operators.invite(actor.name, name, roles))
      tell()
      return link
    },
    async change({ actor, id, body }: Body<'operatorChange'>) {
      const operator = await operators.change(actor.name, id, body)
      tell()
      return operator
    },
    async reset({ actor, id, req }: Plain): Promise<SetupLink> {
      const link = linkOf(req, await operators.reset(actor.name, id))
      tell()
      return link
    },
  }
}
