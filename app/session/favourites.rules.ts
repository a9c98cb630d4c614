import type { Json } from '#language/documents/documents.ts'

/**
 * Favourites during a session: the device shows the list of the account. The last known list of the account is the base; differences from
 * it still have to be sent. So nothing is lost offline, and no log of changes is needed.
 */
export interface SyncRecord {
  /** Account whose list the device shows; 0 for none. */
  uid: number
  base: readonly string[]
  /** The device's list before the login, restored after the logout. */
  own: readonly string[]
  /** Symbols of the device's list that were already added to an account; they are added once only. */
  moved: readonly string[]
  /** Changes that could not be sent before the server ended the session. */
  left?: { uid: number } & Changes
}

export interface Changes {
  add: readonly string[]
  del: readonly string[]
}

const listLengthMax = 200
export const nobody: SyncRecord = { uid: 0, base: [], own: [], moved: [] }

export function symbolsOf(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string').slice(0, listLengthMax) : []
}

/** Reads a stored record; anything else gives a record without an account. */
export function recordOf(text: string | null): SyncRecord {
  try {
    const { uid, base, own, moved, left } = JSON.parse(text ?? '') as Record<string, Json> & { left?: Record<string, Json> }
    if (!Number.isSafeInteger(uid) || Number(uid) < 0) return nobody
    const rest = Number.isSafeInteger(left?.uid) && {
      left: { uid: Number(left?.uid), add: symbolsOf(left?.add), del: symbolsOf(left?.del) },
    }
    return { uid: Number(uid), base: symbolsOf(base), own: symbolsOf(own), moved: symbolsOf(moved), ...rest }
  } catch {
    return nobody
  }
}

/** The additions and removals between two lists, independent of order. */
export function changes(from: readonly string[], to: readonly string[]): Changes {
  return { add: to.filter((one) => !from.includes(one)), del: from.filter((one) => !to.includes(one)) }
}

/** Applies changes to a list. Remaining symbols keep their order; without a change the same list is returned. */
export function applied(list: readonly string[], { add, del }: Changes): readonly string[] {
  const added = add.filter((one) => !list.includes(one) && !del.includes(one))
  const gone = list.some((one) => del.includes(one))
  return added.length === 0 && !gone ? list : [...list.filter((one) => !del.includes(one)), ...added]
}

/** The account's list has arrived after a login. Returns the record, and the list to show from now on. */
export function met(
  record: SyncRecord,
  uid: number,
  device: readonly string[],
  account: readonly string[],
): [SyncRecord, readonly string[]] {
  if (record.uid === uid) return [{ ...record, base: account }, applied(account, changes(record.base, device))]
  const own = record.uid === 0 ? device : record.own
  const moving: Changes = { add: own.filter((one) => !record.moved.includes(one)), del: [] }
  const shown = applied(account, moving)
  const unsaid = record.left?.uid === uid ? record.left : undefined
  return [{ uid, base: account, own, moved: own }, unsaid ? applied(shown, unsaid) : shown]
}

/** The account has accepted a change and returned its list, which may contain changes made elsewhere. */
export function accepted(
  record: SyncRecord,
  change: Changes,
  device: readonly string[],
  account: readonly string[],
): [SyncRecord, readonly string[]] {
  const fromOutside = changes(applied(record.base, change), account)
  return [{ ...record, base: account }, applied(device, fromOutside)]
}

/** The session has ended: the device shows its own list again. `unsaid` keeps unsent changes for the next login of the same customer. */
export function parted(record: SyncRecord, device: readonly string[], unsaid: boolean): [SyncRecord, readonly string[]] {
  if (record.uid === 0) return [record, device]
  const rest = changes(record.base, device)
  const left = unsaid && rest.add.length + rest.del.length > 0 ? { left: { uid: record.uid, ...rest } } : {}
  return [{ ...nobody, moved: record.moved, ...left }, record.own]
}
