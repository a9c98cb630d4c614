import { sha256 } from '#config-server/release.rules.ts'

/** Path → sha256 of the file's text. */
export type Shas = Readonly<Record<string, string>>
/** Path → text. */
export type Texts = Readonly<Record<string, string>>

/** Names that every object has are no paths: nothing is inherited. */
export const shasOf = (files: Texts): Record<string, string> =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [path, sha256(text)]))

/** sha256 over the sorted lines `path sha256`: what an approval binds and a release is called. */
export function hashOf(shas: Shas): string {
  const lines = Object.entries(shas).map(([path, sha]) => `${path} ${sha}`)
  return sha256(lines.sort().join('\n'))
}

/** A set with changes over it; null takes a file out. */
export function withChanges<T>(
  base: Readonly<Record<string, T>>,
  changes: Iterable<readonly [path: string, value: T | null]>,
): Record<string, T> {
  const whole = new Map(Object.entries(base))
  for (const [path, value] of changes) {
    if (value === null) whole.delete(path)
    else whole.set(path, value)
  }
  return Object.fromEntries([...whole].sort(([left], [right]) => (left < right ? -1 : 1)))
}

/** Returns the changes from `before` to `after`: path → value, or null where it is gone. */
export function changesOf<T>(before: Readonly<Record<string, T>>, after: Readonly<Record<string, T>>): Map<string, T | null> {
  const changes = new Map<string, T | null>()
  for (const [path, value] of Object.entries(after)) if (!Object.hasOwn(before, path) || before[path] !== value) changes.set(path, value)
  for (const path of Object.keys(before)) if (!Object.hasOwn(after, path)) changes.set(path, null)
  return changes
}
