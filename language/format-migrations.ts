import type { Migrations } from '#language/migrate.ts'

/** How documents of an earlier version of the language are written in the next one; steps stay for good, see language/migrate.ts. */
export const formatMigrations: Migrations['formats'] = {}
