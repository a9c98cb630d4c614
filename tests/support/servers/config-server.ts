import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll } from 'vitest'
import { type ConfigServer, type ConfigServerOptions, createConfigServer } from '#config-server/app.ts'
import type { Database } from '#server-kit/db/db.ts'
import { createSecurity } from '#server-kit/http/security-headers.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { takeDatabase } from '#tests/support/servers/config-database.ts'

export interface RunningConfig {
  origin: string
  config: ConfigServer
  database: Database
  /** Messages to the developer. */
  said: string[]
  stop(): Promise<void>
}

/** @param place name of a database that a later server can reuse; without it each server has an empty one */
export type RunOptions = Partial<ConfigServerOptions> & { place?: string }

// Slow preparations run before the first test, because tests have a short time limit.
beforeAll(async () => {
  const { giveBack } = await takeDatabase()
  giveBack()
})

/** A config server on a free port. */
export async function runConfig(root: string, { place, ...options }: RunOptions = {}): Promise<RunningConfig> {
  const said: string[] = []
  const taken = options.database ? { database: options.database, giveBack: () => undefined } : await takeDatabase(place)
  const { database } = taken
  const config = await createConfigServer({
    root,
    log: createLog('silent'),
    security: createSecurity({ trustProxy: ['loopback'] }),
    testHooks: false,
    eventsPerAddressMax: 2_000,
    say: (lines) => void said.push(lines),
    ...options,
    database,
  }).catch((error: unknown) => {
    taken.giveBack()
    throw error
  })
  const server: Server = createServer(config.handle)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    config,
    database,
    said,
    async stop() {
      const closing = config.close()
      const closed = new Promise((done) => server.close(done))
      server.closeAllConnections()
      await Promise.all([closed, closing])
      taken.giveBack()
    },
  }
}
