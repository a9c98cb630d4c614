import { useMemo } from 'react'
import { type Subject, subjectsFrom } from '#console/editor/conditions/subjects.rules.ts'
import { spoken } from '#console/editor/document/known.ts'
import { useEditing } from '#console/editor/document/useEditing.tsx'
import { useWords } from '#console/io/words.ts'
import { isObject } from '#language/documents/json.ts'

/** Subjects that a condition at a pointer can have, with the labels that the draft gives them. */
export function useSubjects(pointer: string): Subject[] {
  const say = useWords()
  const { doc, known, typesAt } = useEditing()
  const types = useMemo(() => typesAt(pointer), [typesAt, pointer])
  return useMemo(() => {
    const fields: Record<string, string> = {}
    if (isObject(doc) && doc.kind === 'form' && Array.isArray(doc.fields))
      for (const field of doc.fields)
        if (isObject(field) && typeof field.name === 'string') fields[field.name] = spoken(field.label, known.words)
    // A segment reads no other segment.
    const segments = isObject(doc) && doc.kind === 'app' && pointer.startsWith('/segments/') ? {} : known.segments
    return subjectsFrom(types, { segments, fields, languages: known.languageLabels }, say)
  }, [types, doc, known, say, pointer])
}
