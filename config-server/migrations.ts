import { operatorMigrations } from '#config-server/operators/operators.migration.ts'
import { publishingMigrations } from '#config-server/publishing/publishing.migration.ts'
import type { Migration } from '#server-kit/db/db.ts'

/** Every step of the config server's schema, in the order in which it runs. Add new steps at the end of their list; never edit a step. */
export const configMigrations: readonly Migration[] = [...publishingMigrations, ...operatorMigrations]
