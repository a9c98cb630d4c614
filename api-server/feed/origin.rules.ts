/**
 * Whether a socket may be opened from a page of this origin. Browsers always name it; a program that is no browser need not.
 * @param origin the Origin header, if there is one
 * @param host the Host header: a page of the same host is welcome
 * @param allowed further origins, such as https://app.example.com
 */
export function mayOpen(origin: string | undefined, host: string | undefined, allowed: readonly string[]): boolean {
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  const url = new URL(origin)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return false
  return allowed.includes(url.origin) || (host !== undefined && url.host === host.toLowerCase())
}

/** What becomes of a request to upgrade: 'open', a status to refuse with, or 'other' for a path that is not ours. */
export function gate(
  request: { url: string; origin: string | undefined; host: string | undefined },
  allowed: readonly string[],
  full: boolean,
): 'open' | 'other' | 403 | 503 {
  const [path, query] = request.url.split('?', 2)
  if (path !== '/ws') return 'other'
  // Whatever stands in an address ends up in logs: a token there is refused before anyone can get used to it.
  if (query !== undefined) return 403
  if (!mayOpen(request.origin, request.host, allowed)) return 403
  return full ? 503 : 'open'
}
