/**
 * Returns the address of the manifest. The early request and the later one must use the same address.
 * @param baseUrl without a slash at its end
 */
export function manifestAddress(baseUrl: string, caps: string, segment: string, locale: string): string {
  return `${baseUrl}/manifest?${new URLSearchParams({ caps, segment, locale })}`
}
