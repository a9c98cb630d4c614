const shape = /^[A-Za-z0-9]{20,120}$/

/**
 * The address in a QR code: `bitcoin:bc1q…?amount=0.1`, `ethereum:pay-0x…@1`, `tron:T…` or the plain address.
 * @returns '' without an address, such as for a link to a page
 */
export function addressIn(text: string): string {
  const said = text.trim()
  if (/^https?:/i.test(said)) return ''
  const bare = said.replace(/^[a-z][a-z0-9+.-]*:(?:\/\/)?/i, '').replace(/^pay-/, '')
  const address = bare.split(/[?@/;&#]/, 1)[0] ?? ''
  return shape.test(address) ? address : ''
}

/** Largest size with the same proportions within a square of `most`; never larger than the original. */
export function fitted(width: number, height: number, most: number): { width: number; height: number } {
  const by = Math.min(1, most / Math.max(width, height, 1))
  return { width: Math.max(1, Math.round(width * by)), height: Math.max(1, Math.round(height * by)) }
}
