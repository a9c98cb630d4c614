import {
  operatorCredentialsMigration,
  operatorProgramsMigration,
  operatorsMigration,
} from '#config-server/operators/operators.migration.ts'
import {
  checkedByMigration,
  draftTextsMigration,
  publishingMigration,
  releaseStopMigration,
} from '#config-server/publishing/publishing.migration.ts'
import type { Migration } from '#server-kit/db/db.ts'

/** Every step of the config server's schema, in the order in which it runs. New steps go to the end; old ones are never edited. */
export const configMigrations: readonly Migration[] = [
  publishingMigration,
  operatorsMigration,
  releaseStopMigration,
  operatorCredentialsMigration,
  draftTextsMigration,
  checkedByMigration,
  operatorProgramsMigration,
]
