import { useMemo } from 'react'
import { spoken, wordsIn } from '#console/editor/document/known.ts'
import { readDocuments, readTexts } from '#console/editor/document/read.ts'
import { useWords } from '#console/io/words.ts'
import { Check } from '#console/parts/Field.tsx'
import styles from '#console/review/Review.module.css'
import type { Logic } from '#language/documents/documents.ts'
import { isObject } from '#language/documents/json.ts'
import { unaskable } from '#language/documents/segments.ts'
import { parseLogic } from '#language/text/logic-text.ts'

/** A segment of customers that a rollout can ask for. */
export interface NamedSegment {
  id: string
  label: string
}

/** The segments of the app document that a rollout can ask for: those that read only what a client tells the server. */
export function useNamedSegments(files: Readonly<Record<string, string>>, language: string): NamedSegment[] {
  return useMemo(() => {
    const app = [...readDocuments(files).values()].find((doc) => isObject(doc) && doc.kind === 'app')
    const segments = isObject(app) && isObject(app.segments) ? app.segments : {}
    const words = wordsIn(readTexts(files), language)
    const tests: Record<string, Logic> = {}
    for (const [id, one] of Object.entries(segments)) {
      const parsed = isObject(one) && typeof one.test === 'string' ? parseLogic(one.test) : undefined
      if (parsed?.ok) tests[id] = parsed.logic
    }
    const refused = new Set(unaskable(Object.keys(segments), tests))
    return Object.entries(segments).flatMap(([id, one]) =>
      refused.has(id) || !isObject(one) ? [] : [{ id, label: spoken(one.label, words) || id }],
    )
  }, [files, language])
}

interface SegmentPickerProps {
  segments: readonly NamedSegment[]
  /** Ids of the chosen segments. */
  chosen: readonly string[]
  onChange(chosen: string[]): void
}

/** Picks named segments for a rollout; a client must be in all that are picked. A picked segment that is gone stays shown, so that it can be removed. */
export function SegmentPicker({ segments, chosen, onChange }: SegmentPickerProps) {
  const say = useWords()
  const gone = chosen.filter((id) => !segments.some((one) => one.id === id)).map((id) => ({ id, label: id }))
  const all = [...segments, ...gone]
  if (all.length === 0) return null
  return (
    <fieldset className={styles.languages}>
      <legend>{say('conditions.segments_asked')}</legend>
      {all.map(({ id, label }) => (
        <Check
          key={id}
          label={label}
          checked={chosen.includes(id)}
          onChange={(on) => onChange(on ? [...chosen, id] : chosen.filter((one) => one !== id))}
        />
      ))}
    </fieldset>
  )
}
