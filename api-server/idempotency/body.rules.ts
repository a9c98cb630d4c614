/** Canonical text of a call and its input. Equal fields give equal text, in whatever order they were sent. */
export function bodyText(call: string, input: unknown): string {
  return `${call}\n${JSON.stringify(sorted(JSON.parse(JSON.stringify(input ?? null))))}`
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const names = Object.keys(value).sort()
  return names.map((name) => [name, sorted((value as Record<string, unknown>)[name])])
}

/** Owner of an idempotency key. Two customers, or a customer and an operator with the same number, never share a key. */
export function ownerOf(caller: { user?: { uid: number } | undefined; operator?: { id: number } | undefined }): string | undefined {
  if (caller.operator) return `operator:${caller.operator.id}`
  return caller.user && `user:${caller.user.uid}`
}
