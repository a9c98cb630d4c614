/** Where the manifest is asked for. Whoever asks early and whoever asks for real must write the same. @param baseUrl without a slash at its end */
export function manifestAddress(baseUrl: string, caps: string, segment: string, locale: string): string {
  return `${baseUrl}/manifest?${new URLSearchParams({ caps, segment, locale })}`
}
