import * as z from 'zod'
import * as publishing from '#language/publish/publishing.ts'
import { publishingLimits } from '#language/publish/publishing-limits.ts'

/** Fields and members that calls of the console share. */

export const { nameLengthMax, noteLengthMax, reasonLengthMax, pathLengthMax } = publishingLimits
export const secret = z.string().max(1_100)
export const linkToken = z.string().min(1).max(200)
export const code = z.string().max(20)
export const operatorName = z.string().max(200)
export const name = z.string().max(nameLengthMax)
export const note = z.string().max(noteLengthMax)
export const reason = z.string().max(reasonLengthMax)
export const hash = z.string().max(100)
export const time = z.number().int().nonnegative()
export const path = z.string().min(1).max(pathLengthMax)
export const roleList = z.array(z.enum(publishing.roles)).min(1).max(publishing.roles.length)
export const release = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER)
/** An integer in a path or a query, where it is text. */
export const number = z.union([z.number(), z.string().regex(/^\d+$/).transform(Number)]).pipe(z.int().nonnegative())
export const id = number
export const segment = z.strictObject({
  languages: z.array(z.string().max(20)).max(50).optional(),
  loggedIn: z.boolean().optional(),
  kyc: z.number().int().min(0).max(2).optional(),
  caps: z.array(z.string().max(100)).max(100).optional(),
  named: z.array(z.string().min(1).max(100)).max(20).optional().describe('ids of segments of the app; a customer must be in all of them'),
})
export const rollout = z.strictObject({ segment, percent: z.number().min(0).max(100) })
export const auditFilter = {
  actor: operatorName.optional(),
  action: z.string().max(60).optional(),
  subject: z.string().max(200).optional(),
  from: number.optional().describe('ms since 1970, inclusive'),
  to: number.optional().describe('exclusive'),
}
export const none = z.strictObject({})
export const one = z.strictObject({ id })

/** An answer described by its type only: the server sends it as the handler returns it, without validation. */
export const answer = <T>() => z.custom<T>()
export const nothing = answer<null>()

export const editor = ['editor'] as const
export const publisher = ['publisher'] as const
export const administrator = ['administrator'] as const
export const commenters = ['editor', 'approver', 'publisher', 'administrator'] as const

export const open = { auth: 'none', problems: [] } as const
export const reads = { method: 'GET', auth: 'operator', reads: true, problems: [] } as const
export const readsOne = { ...reads, problems: ['not_found'] } as const
export const posts = { method: 'POST', auth: 'operator' } as const
export const edits = { ...posts, roles: editor } as const
export const moves = { ...posts, roles: publisher, fresh: true } as const
export const secretTried = ['code_wrong', 'locked'] as const
export const draftGone = ['not_found', 'state_wrong'] as const
export const unpublishable = ['hash_changed', 'checks_failed', 'stale_base', 'flows_not_run'] as const
