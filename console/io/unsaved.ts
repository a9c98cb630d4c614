/** Edits that the server does not have yet, kept in this browser so that closing the tab loses nothing. */
export interface Unsaved {
  text: string | null
  /** Version that the edit was made from. */
  version: number
}
export interface UnsavedStore {
  read(draft: number): Record<string, Unsaved>
  /** @returns false where the browser cannot keep it; then the page asks before it closes */
  write(draft: number, edits: Readonly<Record<string, Unsaved>>): boolean
}

/** @param owner name of the operator: nobody sends another's edits in his own name */
export function createUnsavedStore(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>, owner: string): UnsavedStore {
  const key = (draft: number) => `console.unsaved.${owner}.${draft}`
  return {
    read(draft) {
      try {
        const kept: unknown = JSON.parse(storage.getItem(key(draft)) ?? '{}')
        if (typeof kept !== 'object' || kept === null) return {}
        return Object.fromEntries(
          Object.entries(kept as Record<string, Unsaved>).filter(
            ([, one]) => typeof one?.version === 'number' && (one.text === null || typeof one.text === 'string'),
          ),
        )
      } catch {
        return {}
      }
    },
    write(draft, edits) {
      try {
        if (Object.keys(edits).length === 0) storage.removeItem(key(draft))
        else storage.setItem(key(draft), JSON.stringify(edits))
        return true
      } catch {
        return false
      }
    },
  }
}
