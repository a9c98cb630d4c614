/** An id with the React key that it keeps. */
interface Keyed {
  id: string
  key: string
}

/**
 * Keeps the key of each entry while entries are moved, added, removed or one of them is renamed, so that a control keeps the focus while its id is typed.
 */
export function stableKeys(before: readonly Keyed[], ids: readonly string[]): Keyed[] {
  const different = ids.filter((id, i) => before[i]?.id !== id)
  if (before.length === ids.length && different.length === 1) return ids.map((id, i) => ({ id, key: before[i]?.key ?? id }))
  const rest = [...before]
  const kept = ids.map((id) => {
    const at = rest.findIndex((one) => one.id === id)
    return at < 0 ? undefined : rest.splice(at, 1)[0]?.key
  })
  const used = new Set(kept)
  return ids.map((id, i) => {
    let key = kept[i] ?? id
    for (let n = 2; kept[i] === undefined && used.has(key); n += 1) key = `${id} ${n}`
    used.add(key)
    return { id, key }
  })
}
