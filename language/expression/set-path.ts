/** The parts of a path that `set` writes: `state.alerts[form.id].price`. */
interface SetPath {
  root: string
  /** Below the root: `alerts`, or `filter.from` of a value that is not a list. */
  path: string
  /** The path whose value is the key of a record. */
  by?: string
  /** One member of the record. */
  member?: string
}

const ofRecord = /^(state|device)\.([A-Za-z_]\w*)\[(.+)\](?:\.([A-Za-z_]\w*))?$/

export function setPath(text: string): SetPath {
  const [, root, path, by, member] = ofRecord.exec(text) ?? []
  if (root !== undefined && path !== undefined && by !== undefined) return { root, path, by, ...(member !== undefined && { member }) }
  const dot = text.indexOf('.')
  return { root: text.slice(0, dot), path: text.slice(dot + 1) }
}
