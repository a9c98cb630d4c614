const dayMs = 86_400_000

/** Start of a day that was typed as 2026-11-29, in the operator's time zone; undefined for anything else. */
function dayOf(text: string | null): number | undefined {
  const [year, month, day] = (text ?? '').split('-').map(Number)
  return year && month && day ? new Date(year, month - 1, day).getTime() : undefined
}

/** Address of the audit log for the query of its former page: the filters stay, with days as times in ms. */
export function movedAudit(search: string): string {
  const before = new URLSearchParams(search)
  const after = new URLSearchParams()
  for (const [name, now] of [
    ['subject', 'subject'],
    ['actor', 'operator'],
    ['kind', 'kind'],
  ] as const)
    if (before.get(name)) after.set(now, before.get(name)!)
  const [from, to] = [dayOf(before.get('from')), dayOf(before.get('to'))]
  if (from !== undefined) after.set('from', String(from))
  if (to !== undefined) after.set('to', String(to + dayMs))
  return `/back-office/console_audit${after.size > 0 ? `?${after}` : ''}`
}
