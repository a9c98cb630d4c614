/** Whether a link in text that people wrote may lead there: http and https only. */
export function mayLink(href: string): boolean {
  return /^https?:\/\/[^\s]/i.test(href)
}

/** Whether such a text may show a picture from there: a path on our own host, as the page's policy loads no other; `//` would be another host. */
export function mayShow(src: string): boolean {
  return /^\/(?![/\\])/.test(src)
}
