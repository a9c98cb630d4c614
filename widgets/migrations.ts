import type { Migrations } from '#language/publish/migrate.ts'

/**
 * Migrations of props between major versions of widgets: `{ button: { 1: ({ text, ...rest }) => ({ ...rest, label: text }) } }` migrates
 * button@1 to button@2. Migrations are never removed, because old releases pass through all of them. The config server and `cfg migrate`
 * read this file, so it imports no view and no style.
 */
export const widgetMigrations: Migrations['widgets'] = {}
