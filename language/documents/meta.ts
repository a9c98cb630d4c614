import * as z from 'zod'
import { type Kind, kinds } from '#language/documents/documents.ts'
import type { JsonSchema } from '#language/types/catalog.ts'

/** JSON Schemas (draft 2020-12) of all kinds of documents, for editors and ajv. Generated from documents.ts. */
export function metaSchemas(): Record<Kind, JsonSchema> {
  const entries = Object.entries(kinds).map(([kind, schema]) => {
    const made = z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12' }) as JsonSchema
    return [kind, { title: `Document of kind ${kind}`, ...made }] as [Kind, JsonSchema]
  })
  return Object.fromEntries(entries) as Record<Kind, JsonSchema>
}
