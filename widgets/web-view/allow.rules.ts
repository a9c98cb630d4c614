/**
 * The address to show in a frame, or null when it may not be shown: https, one of `hosts` exactly, no name or password in it,
 * the standard port, and never the app's own host, where a frame could reach the app itself.
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
