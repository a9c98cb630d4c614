import type { Json } from '#language/documents/documents.ts'
import { isObject } from '#language/documents/json.ts'
import { formatNow } from '#language/documents/nodes.ts'
import { type Migrations, migrateFormat } from '#language/publish/migrate.ts'
import { withoutUsualErrors } from '#language/text/shorthand.ts'

/** Migrations of documents between versions of the language. Migrations are never removed; see language/publish/migrate.ts. */
export const formatMigrations: Migrations['formats'] = {
  /** Format 2 has `bind`, `go` and `export`, and shows the message of every refusal for which a document says nothing. */
  1: (doc) => withoutUsualErrors(doc) as Record<string, Json>,
}

/** The JSON of a file in the current version of the language. Other JSON, and that of a later version, is returned unchanged. */
export function inFormatNow(json: unknown): unknown {
  const isOld = isObject(json) && Number.isInteger(json.format) && (json.format as number) >= 1 && (json.format as number) < formatNow
  return isOld ? migrateFormat(json as Json, formatNow, { formats: formatMigrations, widgets: {} }) : json
}

/** The version of the language that a file names; the current one where it names none. */
export function formatOf(text: string): number {
  try {
    const { format } = JSON.parse(text) as { format?: unknown }
    return typeof format === 'number' ? format : formatNow
  } catch {
    return formatNow
  }
}
