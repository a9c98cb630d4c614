import type { RequestHandler } from 'express'
import type { BackOfficeContext } from '#api-server/back-office/context.ts'
import { letIn } from '#api-server/back-office/gate.ts'
import type { ReadPicture } from '#api-server/back-office/ports.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { OperatorGate } from '#server-kit/security/operator-gate.ts'

const roles = ['reviewer'] as const

/**
 * GET /console/back-office/picture/<name>: a voucher or a proof of identity, for operators who review. The operator who looks is logged
 * before the picture is sent. The safety headers of data (no sniffing, a sandbox that allows nothing) are on it as on every answer; no
 * cache keeps it.
 */
export function createReviewPicture({ audit, database, clock }: BackOfficeContext, gate: OperatorGate, read: ReadPicture): RequestHandler {
  return async (req, res) => {
    if (req.method !== 'GET') throw new ApiProblem('method_not_allowed')
    const operator = await letIn(gate, req, roles, { changes: false })
    const { name } = req.params
    const picture = typeof name === 'string' ? await read(name) : undefined
    if (!picture) throw new ApiProblem('not_found')
    const note = { action: 'picture.look', subject: `customer:${picture.uid}`, detail: String(name) } as const
    await database.transaction((tx) => audit.append(tx, operator, note, clock.now()))
    res.setHeader('Cache-Control', 'private, no-store')
    res.setHeader('Content-Type', picture.type)
    res.setHeader('Content-Length', picture.bytes.length)
    res.setHeader('Content-Disposition', `attachment; filename="picture.${picture.type.split('/')[1] ?? 'bin'}"`)
    res.end(picture.bytes)
  }
}
