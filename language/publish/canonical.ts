/**
 * JSON with sorted keys and no white space: the same document gives the same bytes, whoever wrote it. What JSON does not know
 * (undefined members) is left out, as JSON.stringify does.
 */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((part) => canonical(part ?? null)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = value as Record<string, unknown>
  const parts = Object.keys(members)
    .filter((name) => members[name] !== undefined)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(members[name])}`)
  return `{${parts.join(',')}}`
}
