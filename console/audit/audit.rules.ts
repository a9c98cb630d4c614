import type { AuditRow } from '#language/publish/publishing.ts'

/** Address of the page for the subject of a row; undefined for subjects without a page. */
export function placeOfSubject(subject: string): { to: string; draft?: number } | undefined {
  const [, kind, number] = /^(draft|release) (\d{1,15})$/.exec(subject) ?? []
  if (kind === 'draft') return { to: `/draft/${number}/review`, draft: Number(number) }
  if (kind === 'release') return { to: `/release/${number}` }
  return undefined
}

/** The change of a row: a file, whose texts are loaded by the row's id, or a value that the row contains. */
type RowChange = { kind: 'file'; path: string } | { kind: 'values'; before: string; after: string }

const listed = (value: unknown): string | undefined => {
  if (Array.isArray(value)) return value.map(String).join(', ')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

/** @returns undefined where the row has no before and after */
export function changeOf({ detail }: Pick<AuditRow, 'detail'>): RowChange | undefined {
  const { path, before, after, from, to } = detail
  if (typeof path === 'string' && before !== undefined && after !== undefined) return { kind: 'file', path }
  const [was, is] = [listed(from), listed(to)]
  return was !== undefined && is !== undefined ? { kind: 'values', before: was, after: is } : undefined
}
