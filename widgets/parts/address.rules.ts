/** Whether a link in user-written text may point to this address: http and https only. */
export function mayLink(href: string): boolean {
  return /^https?:\/\/[^\s]/i.test(href)
}

/**
 * Whether user-written text may show a picture from this address: a path on the own host, as required by the page's policy; `//` would be
 * another host.
 */
export function mayShow(src: string): boolean {
  return /^\/(?![/\\])/.test(src)
}

/**
 * Whether a view may draw a picture from this address: a path on the own host, or data of this device. The page's policy forbids all
 * others.
 */
export function mayDraw(src: string): boolean {
  return mayShow(src) || /^(?:blob:|data:image\/)/.test(src)
}
