import type { Request } from 'express'
import type { CallRow } from '#contract/call.ts'
import { backOfficeCalls } from '#contract/calls/office.calls.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Operator } from '#server-kit/http/http.ts'
import type { GateAsk, OperatorGate } from '#server-kit/security/operator-gate.ts'

/**
 * Returns the operator of the request, if he has one of the roles.
 * @throws ApiProblem unauthorized, forbidden
 */
export async function letIn(gate: OperatorGate, req: Request, roles: readonly string[], ask: GateAsk): Promise<Operator> {
  const operator = await gate.operatorOf(req, ask)
  if (typeof operator === 'string') throw new ApiProblem(operator)
  // For the log of refused access.
  if (req.res) req.res.locals.subject = `operator ${operator.id}`
  if (!roles.some((role) => operator.roles.includes(role))) throw new ApiProblem('forbidden')
  return operator
}

/** Requests that an open page sends by itself. */
const passive: readonly CallRow[] = [backOfficeCalls['office.counts']]

/** For rows of the contract with auth 'operator'; a row that names no roles lets nobody in. */
export const requireOperator =
  (gate: OperatorGate) =>
  (req: Request, row: CallRow): Promise<Operator> =>
    letIn(gate, req, row.roles ?? [], { changes: row.method !== 'GET', passive: passive.includes(row) })
