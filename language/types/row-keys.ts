import { declareKey, usualKeys } from '#language/expression/scope.ts'
import type { CallManifest, JsonSchema } from '#language/types/catalog.ts'

/**
 * The contract declares the key member of a list's rows. Rows are looked up by that member, `data.info.accounts[state.kind]`, wherever the
 * list is read: the key is registered for the list when an answer arrives.
 */

/** Path of a list in an answer, and its key: `["list[].accounts", "kind"]`. */
export type RowKey = readonly [path: string, key: string]

/** Lists of an answer whose key is not one of the defaults. */
export function rowKeysOf(schema: JsonSchema, path = ''): RowKey[] {
  const inside = [
    ...Object.entries(schema.properties ?? {}).map(([name, part]) => [path === '' ? name : `${path}.${name}`, part] as const),
    ...(schema.items ? [[`${path}[]`, schema.items] as const] : []),
    ...(schema.anyOf ?? []).map((part) => [path, part] as const),
  ].flatMap(([at, part]) => rowKeysOf(part, at))
  const { key, items } = schema
  const usual = usualKeys.find((name) => items?.properties && Object.hasOwn(items.properties, name))
  return typeof key === 'string' && key !== usual ? [[path, key], ...inside] : inside
}

/**
 * Returns the facts about a call that the app needs: method, path, auth and flags. Idempotency keys are listed only for calls whose outcome
 * can be asked for, which needs a login; other calls with a key have `changes`. `rows:list=time` gives the key of a list.
 */
export function routeOf({ method, path, auth, upload, keyed, changesSession, output }: CallManifest, lookups = true): string[] {
  const flags = [
    ...(upload ? ['upload'] : []),
    ...(keyed ? [auth === 'user' ? 'keyed' : 'changes'] : []),
    ...(changesSession ? ['session'] : []),
  ]
  return [method, path, auth, ...flags, ...(lookups ? rowKeysOf(output).map(([list, key]) => `rows:${list}=${key}`) : [])]
}

/** Registers the keys of the lists in an answer. */
export function noteRowKeys(answer: unknown, keys: readonly RowKey[]): void {
  for (const [path, key] of keys) note(answer, path.split('.'), key)
}

function note(value: unknown, [name, ...rest]: readonly string[], key: string): void {
  if (typeof value !== 'object' || value === null) return
  if (name === undefined) {
    if (Array.isArray(value)) declareKey(value, key)
    return
  }
  const each = name.endsWith('[]')
  const own = each ? name.slice(0, -2) : name
  const part = own === '' ? value : Object.hasOwn(value, own) ? (value as Record<string, unknown>)[own] : undefined
  if (!each) note(part, rest, key)
  else if (Array.isArray(part)) for (const row of part) note(row, rest, key)
}
