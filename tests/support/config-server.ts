import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ConfigServer, type ConfigServerOptions, createConfigServer } from '#config-server/app.ts'
import { createLog } from '#server-kit/log.ts'
import { createSecurity } from '#server-kit/security.ts'

export interface RunningConfig {
  origin: string
  config: ConfigServer
  /** What it told the developer. */
  said: string[]
  stop(): Promise<void>
}

/** A config server on a free port. */
export async function runConfig(root: string, options: Partial<ConfigServerOptions> = {}): Promise<RunningConfig> {
  const said: string[] = []
  const config = await createConfigServer({
    root,
    log: createLog('silent'),
    security: createSecurity({ trustProxy: ['loopback'] }),
    testHooks: false,
    say: (lines) => void said.push(lines),
    ...options,
  })
  const server: Server = createServer(config.handle)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    config,
    said,
    async stop() {
      config.close()
      const closed = new Promise((done) => server.close(done))
      server.closeAllConnections()
      await closed
    },
  }
}
