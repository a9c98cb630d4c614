import type { Response } from 'express'

/**
 * The session of an operator: for the console's pages alone, for no script, and never sent from another site. Over TLS its name begins with
 * `__Host-`: browsers take such a cookie only from this host itself, over TLS, for the path /; so neither a neighbour under the same domain nor
 * a page without TLS can put a session of its own in its place. Over plain HTTP browsers refuse that prefix.
 */
const nameOf = (overTls: boolean) => (overTls ? '__Host-tessera_console' : 'tessera_console')
const attributes = (overTls: boolean) =>
  overTls ? 'Path=/; HttpOnly; SameSite=Strict; Secure' : 'Path=/console; HttpOnly; SameSite=Strict'

/** It ends with the browser; how long the session lives is the server's to say. */
export const cookieOf = (token: string, overTls: boolean): string => `${nameOf(overTls)}=${token}; ${attributes(overTls)}`

export const setCookie = (res: Response, token: string, overTls: boolean): void => void res.append('Set-Cookie', cookieOf(token, overTls))
export const clearCookie = (res: Response, overTls: boolean): void =>
  void res.append('Set-Cookie', `${nameOf(overTls)}=; Max-Age=0; ${attributes(overTls)}`)

/**
 * @param header Cookie, as it came; where the name stands twice nothing is believed
 * @param overTls how the request came: over TLS only the name with the prefix is read
 */
export function readCookie(header: string | undefined, overTls: boolean): string | undefined {
  const start = `${nameOf(overTls)}=`
  const found = (header ?? '')
    .split(';')
    .map((one) => one.trim())
    .filter((one) => one.startsWith(start))
  return found.length === 1 ? found[0]!.slice(start.length) || undefined : undefined
}
