import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Call } from '#config-server/cli/command.ts'
import { createSecurity } from '#server-kit/http/security-headers.ts'
import { createStatic } from '#server-kit/http/static.ts'

/** Where an app is served to run flows and tests in. */
interface RunningApp {
  origin: string
  close(): void
}

export const appHelp =
  '--app URL names a running app; without it the build in dist/ is served (npm run build makes it). CHROMIUM_PATH names the browser.'

/** The app at --app, otherwise the build of this project, served on a port of its own. @throws Error where there is no build */
export async function serveApp({ root, options }: Pick<Call, 'root' | 'options'>): Promise<RunningApp> {
  const named = options.get('app')
  if (named !== undefined) {
    if (!URL.canParse(named)) throw new Error(`"${named}" is no address`)
    return { origin: new URL(named).origin, close: () => undefined }
  }
  const folder = join(root, 'dist/app')
  if (!existsSync(join(folder, 'index.html'))) throw new Error('there is no build to run in: npm run build, or --app URL')
  const server = createServer(createStatic(folder, createSecurity({ trustProxy: [] })))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
