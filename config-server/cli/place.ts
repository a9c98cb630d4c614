import { existsSync, readdirSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Call } from '#config-server/cli/command.ts'
import { pagesOf } from '#config-server/own-contract.ts'
import { createSecurity } from '#server-kit/http/security-headers.ts'
import { createStatic } from '#server-kit/http/static.ts'

/** Where an app is served to run flows and tests in. */
interface RunningApp {
  origin: string
  close(): void
}

export const appHelp =
  '--app URL names a running app; without it the build in dist/ is served (npm run build makes it), for a folder of examples/ the build of that app (npm run example). CHROMIUM_PATH names the browser.'

/** Sources of the pages of an app. Documents and texts are those of the set, whatever the build carries. */
const pageSources = ['app', 'contract', 'language', 'renderer', 'server-kit', 'widgets', 'index.html', 'package-lock.json']

/** Whether a source of the pages was changed after they were built. */
function isOlder(root: string, folder: string): boolean {
  const builtMs = statSync(join(folder, 'index.html')).mtimeMs
  const files = pageSources.flatMap((source) => {
    const path = join(root, source)
    if (!existsSync(path)) return []
    if (statSync(path).isFile()) return [path]
    return readdirSync(path, { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isFile() && !/\.test\.tsx?$|\.md$/.test(entry.name) ? join(entry.parentPath, entry.name) : [],
    )
  })
  return files.some((file) => statSync(file).mtimeMs > builtMs)
}

/**
 * The app at --app, otherwise the build of this project, or of the app whose folder the set is, served on a port of its own. A build that is older
 * than its sources is told of.
 * @throws Error where there is no build
 */
export async function serveApp(
  { root, options, tell }: Pick<Call, 'root' | 'options' | 'tell'>,
  set = options.get('set'),
): Promise<RunningApp> {
  const named = options.get('app')
  if (named !== undefined) {
    if (!URL.canParse(named)) throw new Error(`"${named}" is no address`)
    return { origin: new URL(named).origin, close: () => undefined }
  }
  const { folder, command } = pagesOf(root, set)
  if (!existsSync(join(folder, 'index.html'))) throw new Error(`there is no build to run in: ${command}, or --app URL`)
  if (isOlder(root, folder)) tell(`this build is older than the sources; run ${command}`)
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
