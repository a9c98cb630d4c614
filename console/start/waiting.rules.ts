import { type Closed, hasHand, mayNotApprove } from '#console/review/review.rules.ts'
import type { Me } from '#language/publish/operator-accounts.ts'
import type { Draft } from '#language/publish/publishing.ts'

interface Blocked {
  draft: Draft
  /** A key below `review.closed`. */
  why: Closed
}

/** Drafts that need action, each in the first list that fits. */
interface Waiting {
  /** Sent back to their author. */
  rejected: Draft[]
  /** Submitted by others; this operator may approve them. */
  review: Draft[]
  /** Approved; this operator may publish them. */
  publish: Draft[]
  /** Drafts in reach of this operator's role that somebody else must act on first, or instead. */
  blocked: Blocked[]
  /** Scheduled, the soonest first. */
  scheduled: Draft[]
  /** Own open drafts. */
  mine: Draft[]
  /** Own drafts that wait for others. */
  waiting: Draft[]
}

/** @param drafts as the server sends them */
export function waitingFor(me: Me['operator'], drafts: readonly Draft[]): Waiting {
  const lists: Waiting = { rejected: [], review: [], publish: [], blocked: [], scheduled: [], mine: [], waiting: [] }
  const newest = [...drafts].sort((a, b) => b.updatedAt - a.updatedAt)
  for (const draft of newest) {
    const own = hasHand(me, draft)
    const [approves, publishes] = [me.roles.includes('approver'), me.roles.includes('publisher')]
    const closed = mayNotApprove(me, draft) ?? (draft.stale ? 'stale' : undefined)
    if (draft.state === 'published' || draft.state === 'dropped') continue
    if (draft.schedule?.state === 'waiting') lists.scheduled.push(draft)
    else if (draft.state === 'submitted' && approves && !own)
      if (closed) lists.blocked.push({ draft, why: closed })
      else lists.review.push(draft)
    else if (draft.state === 'approved' && publishes)
      if (draft.stale && !me.roles.includes('editor')) lists.blocked.push({ draft, why: 'stale' })
      else lists.publish.push(draft)
    else if (own && draft.state === 'open' && draft.rejection) lists.rejected.push(draft)
    else if (own && draft.state === 'open') lists.mine.push(draft)
    else if (own) lists.waiting.push(draft)
  }
  lists.scheduled.sort((a, b) => (a.schedule?.at ?? 0) - (b.schedule?.at ?? 0))
  return lists
}
