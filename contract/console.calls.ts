import * as z from 'zod'
import { calls } from '#contract/call.ts'
import type * as accounts from '#language/publish/operator-accounts.ts'
import * as publishing from '#language/publish/publishing.ts'
import { publishingLimits } from '#language/publish/publishing-limits.ts'

/**
 * Every call of the console and of the command line, under /console/api. Members of `input` that the path names (`:id`) come from the path,
 * the others from the query of a GET or from the JSON body of any other method. Members that `input` does not name are refused, so a token
 * cannot appear in a query. Publishing checks roles again.
 */

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
const roleList = z.array(z.enum(publishing.roles)).min(1).max(publishing.roles.length)
const release = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER)
/** An integer in a path or a query, where it is text. */
const number = z.union([z.number(), z.string().regex(/^\d+$/).transform(Number)]).pipe(z.int().nonnegative())
const id = number
const segment = z.strictObject({
  languages: z.array(z.string().max(20)).max(50).optional(),
  loggedIn: z.boolean().optional(),
  kyc: z.number().int().min(0).max(2).optional(),
  caps: z.array(z.string().max(100)).max(100).optional(),
})
const rollout = z.strictObject({ segment, percent: z.number().min(0).max(100) })
const auditFilter = {
  actor: operatorName.optional(),
  action: z.string().max(60).optional(),
  subject: z.string().max(200).optional(),
  from: number.optional(),
  to: number.optional(),
}
const none = z.strictObject({})
const one = z.strictObject({ id })

/** An answer described by its type only: the server sends it as the handler returns it, without validation. */
const answer = <T>() => z.custom<T>()
const nothing = answer<null>()

const editor = ['editor'] as const
const publisher = ['publisher'] as const
const administrator = ['administrator'] as const
const commenters = ['editor', 'approver', 'publisher', 'administrator'] as const

const open = { auth: 'none', problems: [] } as const
const reads = { method: 'GET', auth: 'operator', problems: [] } as const
const readsOne = { ...reads, problems: ['not_found'] } as const
const posts = { method: 'POST', auth: 'operator' } as const
const edits = { ...posts, roles: editor } as const
const moves = { ...posts, roles: publisher, fresh: true } as const
const secretTried = ['code_wrong', 'locked'] as const
const draftGone = ['not_found', 'state_wrong'] as const
const unpublishable = ['hash_changed', 'checks_failed', 'stale_base', 'flows_not_run'] as const

const accountCalls = calls({
  'setup.state': {
    ...open,
    method: 'GET',
    path: '/setup',
    input: none,
    output: answer<accounts.SetupState>(),
    summary: 'Whether the first operator still has to be set up',
  },
  'setup.propose': {
    ...{ ...open, method: 'POST', path: '/setup', guessable: true, problems: ['link_used', 'name_taken', 'password_weak'] },
    input: z.strictObject({ token: linkToken, name: operatorName.optional(), password: secret.optional() }),
    output: answer<accounts.SetupAnswer>(),
    summary: 'Purpose of a set-up link; with a password, also a second factor that waits for its first code',
  },
  'setup.confirm': {
    ...{
      ...open,
      method: 'POST',
      path: '/setup/confirm',
      guessable: true,
      problems: ['link_used', 'state_wrong', 'name_taken', ...secretTried],
    },
    // The proposed name and password count. A page may send its whole form again.
    input: z.strictObject({ token: linkToken, code, name: operatorName.optional(), password: secret.optional() }),
    output: answer<accounts.Me>(),
    summary: 'Completes the set-up with the first code, and logs in',
  },
  'session.login': {
    ...{ ...open, method: 'POST', path: '/login', guessable: true, problems: ['login_failed', 'locked'] },
    input: z.strictObject({
      ...{ name: operatorName, password: secret, code },
      as: z
        .enum(['cookie', 'token'])
        .default('cookie')
        .describe('token: the answer contains the session token, for a program; cookie: the token is in a cookie that scripts cannot read'),
    }),
    output: answer<accounts.Me>(),
    summary: 'Logs in, and ends earlier sessions of the operator: with a cookie those of browsers, with a token those of programs',
  },
  'session.me': { ...reads, path: '/me', input: none, output: answer<accounts.Me>(), summary: 'The logged-in operator' },
  'session.logout': { ...posts, path: '/logout', input: none, output: nothing, problems: ['not_found'], summary: 'Ends the own session' },
  'session.fresh': {
    ...{ ...posts, path: '/fresh', guessable: true, problems: ['login_failed', 'locked'] },
    input: z.strictObject({ password: secret, code }),
    output: answer<accounts.Me>(),
    summary: 'Confirms the identity again with password and code',
  },
  'session.list': { ...reads, path: '/sessions', input: none, output: answer<accounts.OperatorSession[]>(), summary: 'Own sessions' },
  'session.end': {
    ...{ method: 'DELETE', auth: 'operator', path: '/sessions/:session', problems: ['not_found'] },
    input: z.strictObject({ session: z.string() }),
    output: nothing,
    summary: 'Ends one of the own sessions',
  },
  'access.password': {
    ...{ ...posts, path: '/password', fresh: true, problems: ['password_weak'] },
    input: z.strictObject({ next: secret }),
    output: nothing,
    summary: 'Changes the own password',
  },
  'access.factor': {
    ...{ ...posts, path: '/factor', fresh: true, problems: [] },
    input: none,
    output: answer<accounts.FactorProposal>(),
    summary: 'Proposes another second factor, which applies after its first code',
  },
  'access.factorConfirm': {
    ...{ ...posts, path: '/factor/confirm', fresh: true, guessable: true, problems: ['state_wrong', ...secretTried] },
    input: z.strictObject({ code }),
    output: nothing,
    summary: 'Confirms the proposed second factor',
  },
  'access.recoveryLeft': { ...reads, path: '/recovery', input: none, output: answer<{ left: number }>(), summary: 'Recovery codes left' },
  'access.recovery': {
    ...{ ...posts, path: '/recovery', fresh: true, problems: [] },
    input: none,
    output: answer<accounts.RecoveryCodes>(),
    summary: 'Creates new recovery codes; earlier ones become invalid',
  },
  'operators.list': {
    ...reads,
    roles: administrator,
    path: '/operators',
    input: none,
    output: answer<accounts.OperatorInfo[]>(),
    summary: 'All',
  },
  'operators.invite': {
    ...{ ...posts, roles: administrator, fresh: true, path: '/operators', problems: ['name_taken', 'too_large'] },
    input: z.strictObject({ name: operatorName, roles: roleList }),
    output: answer<accounts.SetupLink>(),
    summary: 'Adds an operator',
  },
  'operators.change': {
    ...{
      method: 'PATCH',
      auth: 'operator',
      roles: administrator,
      fresh: true,
      path: '/operators/:id',
      problems: ['not_found', 'lock_out'],
    },
    input: z.strictObject({ id, roles: roleList.optional(), frozen: z.boolean().optional() }),
    output: answer<accounts.OperatorInfo>(),
    summary: 'Changes roles, freezes or releases an operator',
  },
  'operators.reset': {
    ...{ ...posts, roles: administrator, fresh: true, path: '/operators/:id/reset', problems: [...draftGone, 'lock_out'] },
    input: one,
    output: answer<accounts.SetupLink>(),
    summary: 'Removes password and second factor of an operator',
  },
})

const draftCalls = calls({
  catalog: { ...reads, path: '/catalog', input: none, output: answer<publishing.ConsoleCatalog>(), summary: 'Names for documents' },
  files: {
    ...{ ...readsOne, path: '/files' },
    input: z.union([z.strictObject({ draft: number }), z.strictObject({ release: number })]),
    output: answer<publishing.FileSet>(),
    summary: 'All files of a draft or of a release',
  },
  'drafts.list': { ...reads, path: '/drafts', input: none, output: answer<publishing.Draft[]>(), summary: 'Drafts' },
  'drafts.create': {
    ...{ ...edits, path: '/drafts', problems: ['name_taken', 'too_large', 'not_found', 'reason_missing'] },
    input: z.strictObject({ name, note: note.optional(), from: release.optional() }),
    output: answer<publishing.Draft>(),
    summary: 'Creates a draft from the live release',
  },
  'drafts.import': {
    ...{ ...edits, path: '/drafts/import', problems: ['name_taken', 'too_large', 'reason_missing', 'checks_failed'] },
    input: z.strictObject({ name, note: note.optional(), files: z.record(path, z.string()) }),
    output: answer<publishing.Draft>(),
    summary: 'Creates a draft from a whole folder',
  },
  'drafts.one': { ...readsOne, path: '/drafts/:id', input: one, output: answer<publishing.Draft>(), summary: 'One draft' },
  'drafts.rename': {
    ...{ method: 'PATCH', auth: 'operator', roles: editor, path: '/drafts/:id', problems: [...draftGone, 'name_taken', 'too_large'] },
    input: z.strictObject({ id, name: name.optional(), note: note.optional() }),
    output: answer<publishing.Draft>(),
    summary: 'Changes name or note',
  },
  'drafts.drop': {
    ...{ method: 'DELETE', auth: 'operator', roles: ['editor', 'administrator'], path: '/drafts/:id', problems: draftGone },
    input: one,
    output: answer<publishing.Draft>(),
    summary: 'Removes a draft from the list',
  },
  'drafts.save': {
    ...{
      method: 'PUT',
      auth: 'operator',
      roles: editor,
      path: '/drafts/:id/files',
      problems: [...draftGone, 'save_conflict', 'too_large'],
    },
    input: z.strictObject({ id, path, text: z.string().nullable(), version: z.number().int().nonnegative() }),
    output: answer<publishing.DraftFile>(),
    summary: 'Saves one file; null removes it',
  },
  'drafts.revert': {
    ...{ ...edits, path: '/drafts/:id/revert', problems: draftGone },
    input: z.strictObject({ id, path }),
    output: answer<publishing.Draft>(),
    summary: 'Restores one file from the base release',
  },
  'drafts.merge': {
    ...{ ...edits, path: '/drafts/:id/merge', problems: [...draftGone, 'hash_changed'] },
    input: z.strictObject({ id, choices: z.record(z.string().max(500), z.enum(['mine', 'theirs'])) }),
    output: answer<publishing.MergeResult>(),
    summary: 'Merges the live release into a draft',
  },
  'drafts.history': {
    ...readsOne,
    path: '/drafts/:id/history',
    input: one,
    output: answer<publishing.DraftStep[]>(),
    summary: 'Steps of a draft',
  },
  'drafts.comment': {
    ...{ ...posts, roles: commenters, path: '/drafts/:id/comments', problems: [...draftGone, 'reason_missing'] },
    input: z.strictObject({ id, text: reason }),
    output: answer<publishing.DraftStep[]>(),
    summary: 'Comments on a draft',
  },
  'drafts.check': {
    ...posts,
    path: '/drafts/:id/check',
    input: one,
    output: answer<publishing.CheckReport>(),
    problems: ['not_found'],
    summary: 'Checks',
  },
  'drafts.flows': {
    ...{ ...readsOne, path: '/drafts/:id/flows' },
    input: one,
    output: answer<publishing.FlowRun | null>(),
    summary: "The last run of flows on the draft's current content",
  },
  'drafts.runFlows': {
    ...{
      ...posts,
      roles: ['editor', 'approver', 'publisher'],
      path: '/drafts/:id/flows',
      problems: ['flows_not_run', 'checks_failed', ...draftGone],
    },
    input: one,
    output: answer<publishing.FlowRun>(),
    summary: 'Starts a run of flows',
  },
  'drafts.submit': {
    ...{ ...edits, path: '/drafts/:id/submit', problems: [...draftGone, 'checks_failed', 'stale_base', 'hash_changed'] },
    input: z.strictObject({ id, note }),
    output: answer<publishing.Draft>(),
    summary: 'Submits a draft for review',
  },
  'drafts.withdraw': {
    ...edits,
    path: '/drafts/:id/withdraw',
    input: one,
    output: answer<publishing.Draft>(),
    problems: draftGone,
    summary: 'Reopens a draft',
  },
  'drafts.approve': {
    ...{ ...posts, roles: ['approver'], path: '/drafts/:id/approve', problems: [...draftGone, 'own_draft', ...unpublishable] },
    input: z.strictObject({ id, hash, note, unrunFlows: note.default('') }),
    output: answer<publishing.Draft>(),
    summary: 'Approves the content that the hash names',
  },
  'drafts.reject': {
    ...{ ...posts, roles: ['approver'], path: '/drafts/:id/reject', problems: [...draftGone, 'hash_changed', 'reason_missing'] },
    input: z.strictObject({ id, hash, reason }),
    output: answer<publishing.Draft>(),
    summary: 'Returns a draft to its author',
  },
})

const releaseCalls = calls({
  'drafts.publish': {
    ...{ ...moves, path: '/drafts/:id/publish', problems: [...draftGone, 'not_approved', 'reason_missing', 'too_large', ...unpublishable] },
    input: z.strictObject({ id, hash, reason, rollout: rollout.optional(), at: time.optional(), emergency: z.boolean().optional() }),
    output: answer<publishing.ReleaseInfo | publishing.Schedule>(),
    summary: 'Publishes an approved draft, at once or at a time',
  },
  'drafts.cancelSchedule': {
    ...{ method: 'DELETE', auth: 'operator', roles: publisher, path: '/drafts/:id/schedule', problems: [...draftGone, 'reason_missing'] },
    input: z.strictObject({ id, reason }),
    output: answer<publishing.Draft>(),
    summary: 'Cancels a scheduled release',
  },
  'releases.rollback': {
    ...{ ...moves, path: '/releases/:id/rollback', problems: [...draftGone, 'reason_missing', 'release_stopped'] },
    input: z.strictObject({ id, reason, force: z.boolean().optional() }),
    output: answer<publishing.ReleaseInfo>(),
    summary: 'Publishes the content of an earlier release again',
  },
  'releases.rollout': {
    ...{ ...moves, path: '/rollout', problems: ['state_wrong', 'reason_missing'] },
    input: z.strictObject({
      percent: z.number().min(0).max(100).optional(),
      segment: segment.optional(),
      complete: z.boolean().optional(),
      stop: z.boolean().optional(),
      release: release.optional().describe('only while this release is rolled out'),
      reason,
    }),
    output: answer<publishing.ReleaseInfo>(),
    summary: 'Widens, completes or stops the rollout',
  },
  'releases.list': {
    ...reads,
    path: '/releases',
    input: none,
    output: answer<publishing.ReleaseInfo[]>(),
    summary: 'Releases, newest first',
  },
  'releases.one': { ...readsOne, path: '/releases/:id', input: one, output: answer<publishing.ReleaseInfo>(), summary: 'One release' },
  'releases.diff': {
    ...{ ...readsOne, path: '/releases/:id/diff' },
    input: z.strictObject({ id, against: number.optional() }),
    output: answer<publishing.DocumentDiff[]>(),
    summary: 'Difference of two releases',
  },
  guard: {
    ...reads,
    passive: true,
    path: '/guard',
    input: none,
    output: answer<publishing.GuardMetrics[]>(),
    summary: 'What clients reported',
  },
})

const logCalls = calls({
  'audit.page': {
    ...{ ...reads, path: '/audit' },
    input: z.strictObject({
      ...auditFilter,
      before: number.optional(),
      limit: number.pipe(z.number().min(1).max(auditPageMax)).optional(),
    }),
    output: answer<publishing.AuditPage>(),
    summary: 'One page of the audit log, newest first',
  },
  'audit.change': { ...readsOne, path: '/audit/:id/change', input: one, output: answer<publishing.AuditChange>(), summary: 'One change' },
  'audit.csv': {
    ...{ ...reads, path: '/audit.csv', streams: true },
    input: z.strictObject(auditFilter),
    output: answer<never>(),
    summary: 'The audit log as CSV',
  },
  'outbox.page': {
    ...{ ...readsOne, roles: administrator, path: '/outbox' },
    input: z.strictObject({ search: z.string().max(200).optional(), before: number.optional() }),
    output: answer<accounts.OutboxPage>(),
    summary: 'Messages to customers, without their texts',
  },
  'outbox.open': {
    ...{ ...posts, roles: administrator, path: '/outbox/:id/open', problems: ['not_found', 'reason_missing'] },
    input: z.strictObject({ id, reason }),
    output: answer<accounts.OutboxMessage>(),
    summary: 'One message in full',
  },
  events: {
    ...{ ...reads, passive: true, path: '/events', streams: true, problems: ['busy', 'too_many_requests'] },
    input: z.union([none, z.strictObject({ draft: number, path: path.optional() })]),
    output: answer<never>(),
    summary: 'Event stream of what has changed and is to be loaded again, and of who else has the draft open',
  },
})

export const consoleCalls = { ...accountCalls, ...draftCalls, ...releaseCalls, ...logCalls }
export type ConsoleCalls = typeof consoleCalls
export type ConsoleCall = keyof ConsoleCalls
