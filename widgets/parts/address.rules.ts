/** Whether a link in text that people wrote may lead there: http and https only. */
export function mayLink(href: string): boolean {
  return /^https?:\/\/[^\s]/i.test(href)
}

/** Whether such a text may show a picture from there: a path on our own host, as the page's policy loads no other; `//` would be another host. */
export function mayShow(src: string): boolean {
  return /^\/(?![/\\])/.test(src)
}

/** Whether a view may draw a picture from there: the same, and what is on this device already. The policy of the page loads nothing else. */
export function mayDraw(src: string): boolean {
  return mayShow(src) || /^(?:blob:|data:image\/)/.test(src)
}
