/** Whether a link in text that people wrote may lead there: http and https only. */
export function mayLink(href: string): boolean {
  return /^https?:\/\/[^\s]/i.test(href)
}

/** Whether such a text may show a picture from there: https, or a path on our own host; `//` would be another host. */
export function mayShow(src: string): boolean {
  return /^(https:\/\/[^\s]|\/(?![/\\]))/i.test(src)
}
