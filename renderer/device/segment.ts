import { storagePrefix } from '#renderer/device/storage-prefix.ts'

/** Outside of the names that `device` clears when its version is another. */
const key = 'tessera-client'

/**
 * Returns the function that names this device's segment, by which a release reaches some devices first: `<logged in 0|1>.<level
 * 0-2>.<device>`. The device is 64 random bits that stay in the storage; where that is blocked they last as long as the page, and the
 * session counts as a visitor's.
 */
export function createSegment(storage: Storage | undefined): () => string {
  let device = ''
  return () => {
    let who = '0.0'
    try {
      const kept = storage?.getItem(key) ?? ''
      if (/^[\da-f]{16}$/.test(kept)) device = kept
      else storage?.setItem(key, (device ||= draw()))
      // The session of the app writes it; read here because the first manifest is requested before the session exists.
      const session = storage?.getItem(`${storagePrefix}segment`) ?? ''
      if (/^1\.[012]$/.test(session)) who = session
    } catch {
      // Blocked or full.
    }
    return `${who}.${(device ||= draw())}`
  }
}

const draw = () => crypto.getRandomValues(new BigUint64Array(1))[0]!.toString(16).padStart(16, '0')
