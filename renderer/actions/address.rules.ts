/** An address that the app itself can open: one slash, printable, no longer than an address bar takes. */
export function isOwnAddress(value: unknown): value is string {
  return typeof value === 'string' && /^\/(?!\/)[\x21-\x7e]{0,1999}$/.test(value)
}
