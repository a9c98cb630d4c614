import type { IncomingMessage } from 'node:http'
import type { Flows } from '#config-server/console/flows.ts'
import type { ConsoleStream } from '#config-server/console/stream.ts'
import type { Operators } from '#config-server/operators/operators.ts'
import type { Publishing } from '#config-server/publishing/publishing.ts'
import type { GuardMetrics } from '#language/publish/publishing.ts'
import type { Catalog } from '#language/types/catalog.ts'

/** The services that the handlers of the console share. */
export interface ConsoleContext {
  operators: Operators
  publishing: Publishing
  catalog: Catalog
  flows: Flows
  stream: ConsoleStream
  guard(): Promise<GuardMetrics[]> | GuardMetrics[]
  overTls(req: IncomingMessage): boolean
  /** Address with which links begin; undefined: that of the request. */
  publicUrl: string | undefined
}
