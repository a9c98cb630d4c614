import type { Migrations } from '#language/publish/migrate.ts'

/** Migrations of documents between versions of the language. Migrations are never removed; see language/publish/migrate.ts. */
export const formatMigrations: Migrations['formats'] = {}
