import type { Migrations } from '#language/publish/migrate.ts'

/** How documents of an earlier version of the language are written in the next one; steps stay for good, see language/publish/migrate.ts. */
export const formatMigrations: Migrations['formats'] = {}
