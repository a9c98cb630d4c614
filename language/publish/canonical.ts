/**
 * Canonical JSON, with sorted keys and without white space: equal documents give equal bytes. Undefined members are omitted, as by
 * JSON.stringify.
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
