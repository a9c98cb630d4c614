import * as z from 'zod'
import { type Kind, kinds } from '#language/documents/documents.ts'
import type { JsonSchema } from '#language/types/catalog.ts'

/** JSON Schema of each kind of document, for editors and ajv; documents.ts is the source. Draft 2020-12. */
export function metaSchemas(): Record<Kind, JsonSchema> {
  const entries = Object.entries(kinds).map(([kind, schema]) => {
    const made = z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12' }) as JsonSchema
    return [kind, { title: `Document of kind ${kind}`, ...made }] as [Kind, JsonSchema]
  })
  return Object.fromEntries(entries) as Record<Kind, JsonSchema>
}
