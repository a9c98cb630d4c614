import type { Json } from '#language/documents/documents.ts'

/**
 * Favourites while somebody is logged in: the device shows the list of the account. What the account is known to have is the base; what
 * differs from it is still to be told. So nothing is lost offline, and no list of steps has to be kept.
 */
export interface SyncRecord {
  /** Account whose list the device shows; 0: nobody's. */
  uid: number
  base: readonly string[]
  /** What the device had of its own before the login; it comes back with the logout. */
  own: readonly string[]
  /** What of its own the device has handed to an account already; it is not handed over twice. */
  moved: readonly string[]
  /** What could not be told any more when the session was ended from outside. */
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

/** A record out of storage; anything else is nobody's. */
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

/** What leads from one list to the other, whatever the order. */
export function changes(from: readonly string[], to: readonly string[]): Changes {
  return { add: to.filter((one) => !from.includes(one)), del: from.filter((one) => !to.includes(one)) }
}

/** The list with the changes made. The order of what stays does not move; the same list when nothing changes. */
export function applied(list: readonly string[], { add, del }: Changes): readonly string[] {
  const added = add.filter((one) => !list.includes(one) && !del.includes(one))
  const gone = list.some((one) => del.includes(one))
  return added.length === 0 && !gone ? list : [...list.filter((one) => !del.includes(one)), ...added]
}

/** Somebody is logged in and their list has come. Gives the record, and what the device shows from now on. */
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

/** The account has taken one change and answered its list: what others changed in it meanwhile shows here too. */
export function told(
  record: SyncRecord,
  change: Changes,
  device: readonly string[],
  account: readonly string[],
): [SyncRecord, readonly string[]] {
  const fromOutside = changes(applied(record.base, change), account)
  return [{ ...record, base: account }, applied(device, fromOutside)]
}

/** The session is over: the device has its own list again. `unsaid` keeps for the same customer what the account has not heard. */
export function parted(record: SyncRecord, device: readonly string[], unsaid: boolean): [SyncRecord, readonly string[]] {
  if (record.uid === 0) return [record, device]
  const rest = changes(record.base, device)
  const left = unsaid && rest.add.length + rest.del.length > 0 ? { left: { uid: record.uid, ...rest } } : {}
  return [{ ...nobody, moved: record.moved, ...left }, record.own]
}
