/** The host of an address that a link step may open: https, without a user name. @returns undefined for any other text */
export function linkHost(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { protocol, hostname, username } = new URL(url)
  return protocol === 'https:' && username === '' ? hostname : undefined
}

/** Whether a link step may open the address: its host is one of `app.links`, or below one of them. */
export function mayOpen(url: string, hosts: readonly string[]): boolean {
  const host = linkHost(url)
  return host !== undefined && hosts.some((one) => host === one || host.endsWith(`.${one}`))
}
