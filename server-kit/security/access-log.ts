import type { Request, Response } from 'express'
import { addressRange } from '#server-kit/http/limiter.ts'
import type { Log } from '#server-kit/ops/log.ts'

/** An answer that refused access. It names nothing that was typed or sent. */
export interface RefusedAccess {
  /** Name of the call, or pattern of the address. */
  route: string
  /** Code of the problem, such as `unauthorized`. */
  problem: string
  /** `user 12` or `operator 3`; undefined: nobody is logged in. */
  subject?: string | undefined
  ip: string
}

const minuteMs = 60_000
const linesPerMinuteMax = 60

/** Problems that stand in the log, or in the audit log, by lines of their own. */
const loggedElsewhere: ReadonlySet<string> = new Set(['login_failed', 'password_wrong', 'pay_password_wrong', 'file_refused'])
/** Answered for a row that does not exist and for one of somebody else: the caller must not learn which. */
const foreignRow: ReadonlySet<string> = new Set(['not_found', 'order_unknown', 'address_unknown'])

/** Whether an answer refused access: no session, a wrong role or factor, a level that is missing, or a row that is not the caller's. */
export const refusesAccess = (problem: string, status: number, subject: string | undefined): boolean =>
  ((status === 401 || status === 403) && !loggedElsewhere.has(problem)) || (subject !== undefined && foreignRow.has(problem))

/**
 * Writes refused access to the log: one line a minute for each route, problem and caller (a customer or operator; without one, a network), and at
 * most 60 lines a minute. `left_out` of a line is the number of refusals since the line before that have none. The metrics count all.
 * @param now monotonic ms
 */
export function createAccessLog(log: Log, now: () => number = () => performance.now()): (refused: RefusedAccess) => void {
  let logged = new Set<string>()
  let until = Number.NEGATIVE_INFINITY
  let leftOut = 0
  return ({ route, problem, subject, ip }) => {
    if (now() >= until) {
      logged = new Set()
      until = now() + minuteMs
    }
    const network = addressRange(ip)
    const kind = `${route} ${problem} ${subject ?? network}`
    if (logged.has(kind) || logged.size >= linesPerMinuteMax) {
      leftOut++
      return
    }
    logged.add(kind)
    log.warn({ event: 'access_refused', route, problem, subject, ip, network, left_out: leftOut }, 'access was refused')
    leftOut = 0
  }
}

/** Told of every problem that a server answers. `res.locals.subject` says who asked, once that is known; addresses are left out: they may hold names. */
export function answerLog(log: Log): (req: Request, res: Response, problem: string, status: number) => void {
  const tell = createAccessLog(log)
  return (req, res, problem, status) => {
    const { call, subject } = res.locals as { call?: string; subject?: string }
    if (!refusesAccess(problem, status, subject)) return
    const { route } = req as { route?: { path?: string } }
    tell({ route: call ?? route?.path ?? 'other', problem, subject, ip: req.ip ?? '' })
  }
}
