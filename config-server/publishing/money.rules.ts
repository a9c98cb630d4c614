import type { RoutesDoc } from '#language/documents/documents.ts'
import { callsIn } from '#language/publish/open-planned.ts'
import type { CallManifest } from '#language/types/catalog.ts'

/** Calls that move money or a position, or say whose it is: their answers are kept with the effect. */
export const movesMoney = (call: Pick<CallManifest, 'auth' | 'keyed'>) => call.auth === 'user' && call.keyed === 'money'

const read = (text: string | null | undefined): unknown => {
  try {
    return text == null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether who could not come to a screen can come to it now. */
function guardsFall(before: unknown, after: unknown): boolean {
  const routes = (doc: unknown) => (doc as Partial<RoutesDoc> | undefined)?.routes ?? {}
  const now = routes(after)
  return Object.entries(routes(before)).some(([path, was]) => {
    const is = now[path]
    return is !== undefined && ((was.auth === true && is.auth !== true) || (was.kyc ?? 0) > (is.kyc ?? 0))
  })
}

/**
 * Whether a change asks for an administrator's eyes: it touches a document that names, or named, a call that moves money, or it takes a
 * guard from a route.
 * @param changes path → texts before and after; null or undefined where there was or is none
 */
export function touchesMoney(
  changes: Iterable<{ before?: string | null | undefined; after?: string | null | undefined }>,
  calls: readonly CallManifest[],
): boolean {
  const dangerous = new Set(calls.filter(movesMoney).map((call) => call.name))
  for (const change of changes) {
    const [before, after] = [read(change.before), read(change.after)]
    if ([...callsIn(before), ...callsIn(after)].some((name) => dangerous.has(name))) return true
    if (guardsFall(before, after)) return true
  }
  return false
}
