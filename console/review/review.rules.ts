import type { OperatorInfo } from '#language/operator-accounts.ts'
import type { CheckReport, Draft, DraftFile } from '#language/publishing.ts'

/** What can be done with a draft now by one operator. */
export interface Steps {
  submit: boolean
  withdraw: boolean
  approve: boolean
  /** True: he may approve, but not this one, for he wrote in it. */
  own: boolean
  reject: boolean
  publish: boolean
  cancel: boolean
  merge: boolean
}

/**
 * @param saved who saved the files that it changes
 * @param report what the checks found of what is shown; null while they run
 */
export function stepsFor(me: OperatorInfo, draft: Draft, saved: Readonly<Record<string, DraftFile>>, report: CheckReport | null): Steps {
  const may = (role: OperatorInfo['roles'][number]) => me.roles.includes(role)
  const own = draft.author === me.name || draft.submittedBy === me.name || Object.values(saved).some(({ by }) => by === me.name)
  const sound = report?.ok === true && report.hash !== null && draft.paths.length > 0
  const scheduled = draft.schedule?.state === 'waiting'
  const open = draft.state === 'open'
  const submitted = draft.state === 'submitted'
  const approver = may('approver') && (!report?.touchesMoney || may('administrator'))
  return {
    submit: open && may('editor') && sound && !draft.stale,
    withdraw: (submitted || draft.state === 'approved') && may('editor') && !scheduled,
    approve: submitted && approver && !own && sound && !draft.stale,
    own: submitted && may('approver') && own,
    reject: (submitted || draft.state === 'approved') && may('approver') && !scheduled,
    publish: draft.state === 'approved' && may('publisher') && !draft.stale && !scheduled,
    cancel: scheduled && may('publisher'),
    merge: draft.stale && may('editor') && (open || submitted || draft.state === 'approved'),
  }
}
