import type { IncomingMessage } from 'node:http'
import type { Flows } from '#config-server/console/flows.ts'
import type { ConsoleStream } from '#config-server/console/stream.ts'
import type { Operators } from '#config-server/operators/operators.ts'
import type { Publishing } from '#config-server/publishing/publishing.ts'
import type { OutboxMessage, OutboxPage } from '#language/publish/operator-accounts.ts'
import type { GuardMetrics } from '#language/publish/publishing.ts'
import type { Catalog } from '#language/types/catalog.ts'

/** Messages to customers, as the API server keeps them. */
export interface OutboxReader {
  /** Addresses are masked and texts absent. */
  page(ask: { search?: string | undefined; before?: number | undefined }): Promise<OutboxPage>
  /** One message in full. */
  one(id: number): Promise<OutboxMessage | undefined>
}

/** The services that the handlers of the console share. */
export interface ConsoleContext {
  operators: Operators
  publishing: Publishing
  catalog: Catalog
  flows: Flows
  stream: ConsoleStream
  guard(): Promise<GuardMetrics[]> | GuardMetrics[]
  outbox: OutboxReader | undefined
  overTls(req: IncomingMessage): boolean
  /** Address with which links begin; undefined: that of the request. */
  publicUrl: string | undefined
}
