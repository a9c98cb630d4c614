/** The origin of a request, as the browser or another client states it. Header values as they came. */
export interface Provenance {
  method: string
  /** Header X-Console. No page of another origin can send it without being asked first, and we never say yes. */
  marker: string | undefined
  origin: string | undefined
  fetchSite: string | undefined
  /** Header Host. */
  host: string | undefined
  overTls: boolean
}

/**
 * True for a request that may come from our own page, or from a program that is no browser. Reads may also be navigated to from nowhere: an
 * address that was typed in. A missing header does not count against a caller, but a missing marker of a change always does.
 */
export function isOwn({ method, marker, origin, fetchSite, host, overTls }: Provenance): boolean {
  const reads = method === 'GET' || method === 'HEAD'
  if (!reads && marker !== '1') return false
  if (fetchSite !== undefined && fetchSite !== 'same-origin' && !(reads && fetchSite === 'none')) return false
  if (origin === undefined) return true
  const hosts = host?.toLowerCase()
  // A proxy that ends TLS and is not configured as trusted makes our own scheme look like http.
  return hosts !== undefined && (origin === `https://${hosts}` || (!overTls && origin === `http://${hosts}`))
}
