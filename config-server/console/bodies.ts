import * as z from 'zod'
import { publishingLimits } from '#config-server/publishing/drafts/limits.ts'
import { roles } from '#language/publish/publishing.ts'

/** Bodies and queries of /console/api. Whatever they do not name is refused, which keeps a token out of every query. */

const { nameLengthMax, noteLengthMax, reasonLengthMax, pathLengthMax, auditPageMax } = publishingLimits
const secret = z.string().max(1_100)
const linkToken = z.string().min(1).max(200)
const code = z.string().max(20)
const operatorName = z.string().max(200)
const name = z.string().max(nameLengthMax)
const note = z.string().max(noteLengthMax)
const reason = z.string().max(reasonLengthMax)
const hash = z.string().max(100)
const time = z.number().int().nonnegative()
const path = z.string().min(1).max(pathLengthMax)
const number = z.coerce.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER)
const roleList = z.array(z.enum(roles)).min(1).max(roles.length)
const segment = z.strictObject({
  languages: z.array(z.string().max(20)).max(50).optional(),
  loggedIn: z.boolean().optional(),
  kyc: z.number().int().min(0).max(2).optional(),
  caps: z.array(z.string().max(100)).max(100).optional(),
})
const rollout = z.strictObject({ segment, percent: z.number().min(0).max(100) })
const filter = {
  actor: operatorName.optional(),
  action: z.string().max(60).optional(),
  subject: z.string().max(200).optional(),
  from: number.optional(),
  to: number.optional(),
}

export const none = z.strictObject({})
export const bodies = {
  setup: z.strictObject({ token: linkToken, name: operatorName.optional(), password: secret.optional() }),
  // What was proposed counts, not what is sent again; a page that sends its whole form is not refused for it.
  setupConfirm: z.strictObject({ token: linkToken, code, name: operatorName.optional(), password: secret.optional() }),
  /** `as: token`: the session's token stands in the answer, for a program; otherwise it goes into a cookie that no script can read. */
  login: z.strictObject({ name: operatorName, password: secret, code, as: z.enum(['cookie', 'token']).default('cookie') }),
  fresh: z.strictObject({ password: secret, code }),
  password: z.strictObject({ next: secret }),
  factorConfirm: z.strictObject({ code }),
  operator: z.strictObject({ name: operatorName, roles: roleList }),
  operatorChange: z.strictObject({ roles: roleList.optional(), frozen: z.boolean().optional() }),
  draft: z.strictObject({ name, note: note.optional(), from: number.optional() }),
  draftChange: z.strictObject({ name: name.optional(), note: note.optional() }),
  imported: z.strictObject({ name, note: note.optional(), files: z.record(path, z.string()) }),
  file: z.strictObject({ path, text: z.string().nullable(), version: z.number().int().nonnegative() }),
  path: z.strictObject({ path }),
  merge: z.strictObject({ choices: z.record(z.string().max(500), z.enum(['mine', 'theirs'])) }),
  comment: z.strictObject({ text: reason }),
  note: z.strictObject({ note }),
  approve: z.strictObject({ hash, note, unrunFlows: note.default('') }),
  reject: z.strictObject({ hash, reason }),
  publish: z.strictObject({ hash, reason, rollout: rollout.optional(), at: time.optional(), emergency: z.boolean().optional() }),
  reason: z.strictObject({ reason }),
  rollback: z.strictObject({ reason, force: z.boolean().optional() }),
  rollout: z.strictObject({
    percent: z.number().min(0).max(100).optional(),
    segment: segment.optional(),
    complete: z.boolean().optional(),
    stop: z.boolean().optional(),
    release: number.optional(),
    reason,
  }),
}
export const queries = {
  files: z.union([z.strictObject({ draft: number }), z.strictObject({ release: number })]),
  against: z.strictObject({ against: number.optional() }),
  audit: z.strictObject({ ...filter, before: number.optional(), limit: number.pipe(z.number().min(1).max(auditPageMax)).optional() }),
  auditCsv: z.strictObject(filter),
  outbox: z.strictObject({ search: z.string().max(200).optional(), before: number.optional() }),
}
