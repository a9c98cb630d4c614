import type { RouteDoc } from '#language/documents/documents.ts'

/**
 * The requirement of a page for its visitor, in order of precedence. `off`: this installation leaves the page out · `wait`: the level
 * decides and is being asked for · `verify`: the identity is not proved far enough.
 */
export type Entry = 'open' | 'off' | 'login' | 'wait' | 'verify'

export interface Visitor {
  loggedIn: boolean
  /** Undefined while nobody knows. */
  level: number | undefined
  /** The level is on its way. */
  asking: boolean
}

/** Whether a page may be shown. A level that cannot be had keeps nobody out: the server judges each call anyway. */
export function entryOf(route: Pick<RouteDoc, 'auth' | 'kyc' | 'off'>, { loggedIn, level, asking }: Visitor): Entry {
  if (route.off) return 'off'
  if (!route.auth && !route.kyc) return 'open'
  if (!loggedIn) return 'login'
  if (!route.kyc) return 'open'
  if (level === undefined) return asking ? 'wait' : 'open'
  return level < route.kyc ? 'verify' : 'open'
}

/** Where a page that asks for something sends people: a constant of the app document names the route. */
export const routeNames = { login: 'loginRoute', verify: 'verifyRoute' } as const

/** Whether a page is closed and the app has no page where that can be changed. */
export function isShut(entry: Entry, constants: Readonly<Record<string, unknown>>, match: (path: string) => unknown): boolean {
  if (entry !== 'login' && entry !== 'verify') return false
  const route = constants[routeNames[entry]]
  return typeof route !== 'string' || match(route) === undefined
}

/** Path of an address inside the hash: `/a/b?c=1` → `a/b`. */
export function pathOf(address: string): string {
  return (address.split('?', 1)[0] ?? '').replace(/^\/+|\/+$/g, '')
}
