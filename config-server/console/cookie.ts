import type { Response } from 'express'

/** The session of an operator: for the console's pages alone, for no script, and never sent from another site. */
const name = 'tessera_console'
const attributes = (overTls: boolean) => `Path=/console; HttpOnly; SameSite=Strict${overTls ? '; Secure' : ''}`

/** It ends with the browser; how long the session lives is the server's to say. */
export const cookieOf = (token: string, overTls: boolean): string => `${name}=${token}; ${attributes(overTls)}`

export const setCookie = (res: Response, token: string, overTls: boolean): void => void res.append('Set-Cookie', cookieOf(token, overTls))
export const clearCookie = (res: Response, overTls: boolean): void =>
  void res.append('Set-Cookie', `${name}=; Max-Age=0; ${attributes(overTls)}`)

/** @param header Cookie, as it came; where the name stands twice nothing is believed */
export function readCookie(header: string | undefined): string | undefined {
  const found = (header ?? '')
    .split(';')
    .map((one) => one.trim())
    .filter((one) => one.startsWith(`${name}=`))
  return found.length === 1 ? found[0]!.slice(name.length + 1) || undefined : undefined
}
