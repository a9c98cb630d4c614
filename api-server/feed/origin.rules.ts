/** Names that nobody else can point at this server: those of this machine, and addresses. */
const isOwnName = (name: string) => name === 'localhost' || name.endsWith('.localhost') || /^(?:\d+(?:\.\d+){3}|\[.+\])$/.test(name)

/**
 * Whether a page of this origin may open the socket. Browsers always send the Origin header; other programs may omit it.
 * @param origin the Origin header, if any
 * @param host the Host header. Pages of the same host are allowed where it is this machine or an address; any other name may belong to somebody
 * who points it here, so it must be in `allowed`.
 * @param allowed origins, such as https://app.example.com
 */
export function mayOpen(origin: string | undefined, host: string | undefined, allowed: readonly string[]): boolean {
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  const url = new URL(origin)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return false
  return allowed.includes(url.origin) || (host !== undefined && url.host === host.toLowerCase() && isOwnName(url.hostname))
}

/** Decides on an upgrade request: 'open', the status of a refusal, or 'other' for another path. */
export function gate(
  request: { url: string; origin: string | undefined; host: string | undefined },
  allowed: readonly string[],
  full: boolean,
): 'open' | 'other' | 403 | 503 {
  const [path, query] = request.url.split('?', 2)
  if (path !== '/ws') return 'other'
  // Addresses are written to logs, so a query, which may hold a token, is refused.
  if (query !== undefined) return 403
  if (!mayOpen(request.origin, request.host, allowed)) return 403
  return full ? 503 : 'open'
}
