import { askAll, type Terminal } from '#config-server/cli/ask.ts'
import { logIn, logOut, tokenFile } from '#config-server/cli/remote.ts'

export const loginUsage = `login --server URL [--logout]

  Asks for name, password and code, on the terminal or one a line from standard input, and keeps a session of at most twelve hours in
  ~/.config/tessera/operator.json, readable by you alone. Without use for half an hour it ends. --logout ends it.
`

/** @param options server (an address), logout @param from where the answers are typed @throws ConsoleError for what the server refuses */
export async function login(
  options: ReadonlyMap<string, string>,
  from: Terminal = process.stdin,
  file: string = tokenFile(),
): Promise<{ ok: boolean; text: string; json: unknown }> {
  const server = options.get('server')
  if (!server) return { ok: false, text: loginUsage, json: { ok: false, message: 'login --server URL' } }
  if (options.has('logout')) {
    await logOut(server, file)
    return { ok: true, text: 'logged out', json: { ok: true } }
  }
  const [name, password, code] = await askAll(
    [{ name: 'name' }, { name: 'password', secret: true }, { name: 'code' }],
    from,
    process.stderr,
  )
  const { operator, freshUntil } = await logIn(server, { name: name!, password: password!, code: code! }, file)
  const until = new Date(freshUntil).toISOString()
  return {
    ok: true,
    text: `${operator.name} (${operator.roles.join(', ')}) is logged in; releases may be moved until ${until}`,
    json: { ok: true, operator, freshUntil },
  }
}
