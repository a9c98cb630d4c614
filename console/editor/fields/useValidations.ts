import { useMemo } from 'react'
import { readDocuments } from '#console/editor/document/read.ts'
import { validationIn } from '#console/editor/fields/own-rule.rules.ts'
import { useWorkspace } from '#console/io/useWorkspace.ts'
import { isObject } from '#language/documents/json.ts'

/** A validation of the draft as it is written, and how many fields use it. */
export interface ShippedRule {
  id: string
  doc: Record<string, unknown>
  fields: number
}

/** The validations of the draft by id. */
export function useValidations(): ReadonlyMap<string, ShippedRule> {
  const { files } = useWorkspace()
  return useMemo(() => {
    const made = new Map<string, ShippedRule>()
    const uses = new Map<string, number>()
    for (const doc of readDocuments(files).values()) {
      if (!isObject(doc)) continue
      if (doc.kind === 'validation' && typeof doc.id === 'string') made.set(doc.id, { id: doc.id, doc, fields: 0 })
      if (doc.kind !== 'form' || !Array.isArray(doc.fields)) continue
      for (const field of doc.fields)
        if (isObject(field) && Array.isArray(field.rules))
          for (const rule of field.rules) {
            const id = validationIn(rule)
            if (id !== undefined) uses.set(id, (uses.get(id) ?? 0) + 1)
          }
    }
    for (const one of made.values()) one.fields = uses.get(one.id) ?? 0
    return made
  }, [files])
}
