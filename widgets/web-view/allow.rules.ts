/**
 * The address to show in a frame, or null when it is not allowed. Allowed: https, a host of `hosts`, no credentials, the standard port, and
 * not the app's own host, where a frame could access the app.
 */
export function allowedAddress(url: string, hosts: readonly string[], ownHost: string): string | null {
  let parsed: URL
  try {
    parsed = new URL(url)
  } catch {
    return null
  }
  if (parsed.protocol !== 'https:' || parsed.username !== '' || parsed.password !== '' || parsed.port !== '') return null
  if (parsed.host === ownHost || !hosts.includes(parsed.host)) return null
  return parsed.href
}
