import * as z from 'zod'
import { listMost, timeMs } from '#contract/fields.ts'
import { statusSet } from '#contract/status.ts'
import type * as accounts from '#language/publish/operator-accounts.ts'
import * as publishing from '#language/publish/publishing.ts'

/** Rows of the console's calls that documents of the back office show: operators, and the log of publishing. */

/** Characters of an operator's password, at least. */
export const operatorPasswordMin = 12

const operator = {
  id: z.int().positive(),
  name: z.string(),
  roles: z.array(z.enum(publishing.roles)).max(publishing.roles.length),
  frozen: z.boolean(),
  createdAt: timeMs,
  lastSeenAt: timeMs.nullable(),
  ready: z.boolean().describe('false until the set-up link was used'),
}
export const operatorInfo = z.object(operator) satisfies z.ZodType<accounts.OperatorInfo>
/** invited: the set-up link was not used yet. */
export const operatorStates = ['active', 'invited', 'frozen'] as const
export const operatorRow = z.object({
  ...operator,
  status: statusSet(operatorStates, 'office.operator_status', { active: 'up', invited: 'accent', frozen: 'down' }),
  own: z.boolean().describe('the operator who asks'),
})
export type OperatorRow = z.output<typeof operatorRow>
export const setupLink = z.object({
  operator: operatorInfo,
  link: z.string().describe('whole address; shown once'),
  expiresAt: timeMs,
}) satisfies z.ZodType<accounts.SetupLink>

/** Actions in the log of publishing. The text key is `office.log_action_<action>`, with _ in place of the point. */
export const consoleActions = [
  'draft.create',
  'draft.import',
  'draft.rename',
  'draft.save',
  'draft.revert',
  'draft.merge',
  'draft.comment',
  'draft.drop',
  'draft.flows',
  'draft.submit',
  'draft.refused',
  'draft.withdraw',
  'draft.approve',
  'draft.reject',
  'draft.schedule',
  'schedule.cancel',
  'schedule.refused',
  'release.import',
  'release.publish',
  'release.rollout',
  'release.complete',
  'release.stop',
  'release.suspect',
  'release.rollback',
  'release.forced',
  'release.restored',
  'operator.set_up',
  'operator.login',
  'operator.login_failed',
  'operator.fresh_failed',
  'operator.recovery_used',
  'operator.password',
  'operator.factor',
  'operator.recovery_codes',
  'operator.invite',
  'operator.roles',
  'operator.freeze',
  'operator.unfreeze',
  'operator.reset',
  'audit.export',
] as const
export type ConsoleAction = (typeof consoleActions)[number]

/** Pages to which a row of the log may lead. */
export const logPlaces = ['none', 'draft', 'release', 'operator'] as const
/** Values of a row of the log that have a name of their own. The text key is `office.log_value_<name>`. */
export const logValues = [
  ...['name', 'note', 'base', 'copied_from', 'files', 'roles', 'purpose', 'device', 'ended', 'live', 'stopped', 'forced', 'emergency'],
  ...['draft', 'percent', 'languages', 'logged_in', 'kyc', 'parts', 'due', 'flows', 'flows_total', 'failed', 'unrun', 'step', 'refusal'],
  ...['problems', 'first', 'screens', 'actor', 'action', 'subject', 'from', 'to', 'length'],
] as const
export type LogValue = (typeof logValues)[number]
/** Choices whose values have words: `office.log_<choice>_<value>`. */
export const logChoices = ['role', 'kyc', 'yes', 'purpose', 'flows', 'step', 'refusal'] as const
export type LogChoice = (typeof logChoices)[number]

const value = {
  name: z.enum(logValues),
  choice: z.enum(['', ...logChoices]).describe('the values have texts, office.log_<choice>_<value>; empty: they are shown unchanged'),
}
/** Values of one row of the log, and the parts of one value. */
export const logMost = { values: listMost.terms, parts: listMost.page } as const
const shownValues = z.array(z.string()).max(logMost.parts)
export const logRow = z.object({
  id: z.int().positive(),
  time: timeMs,
  operator: z.string().describe('or system, guard, files, nobody'),
  action: z.enum([...consoleActions, 'earlier']).describe('earlier: of an earlier build; `details` has its name'),
  subject: z.string().describe('draft 12, release 7, operator ann'),
  name: z.string().describe('of the draft; empty for other subjects'),
  reason: z.string(),
  file: z.string().describe('path of the file that was saved or restored; empty for other actions. `audit.change` has its text'),
  changes: z
    .array(z.object({ ...value, before: shownValues, after: shownValues }))
    .max(logMost.values)
    .meta({ key: 'name' }),
  details: z
    .array(z.object({ ...value, values: shownValues }))
    .max(logMost.values)
    .meta({ key: 'name' })
    .describe('other values of the row, in its order'),
  from_hash: z.string().describe('content before; empty: none'),
  to_hash: z.string().describe('content afterwards; empty: none'),
  chain: z.string(),
  leads_to: z.enum(logPlaces),
  number: z.int().nonnegative().describe('of the draft, the release or the operator; 0 without one'),
})
export type LogRow = z.output<typeof logRow>
export const auditChange = z.object({
  path: z.string(),
  before: z.string().nullable().describe('null: there was no such file'),
  after: z.string().nullable().describe('null: the file was removed'),
}) satisfies z.ZodType<publishing.AuditChange>
