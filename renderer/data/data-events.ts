import type { SourceDoc, Step } from '#language/documents/documents.ts'
import { limits } from '#language/documents/limits.ts'

/** An answer that a source shows. */
export interface Answer {
  source: string
  doc: SourceDoc
  data: unknown
  language: string
  /** It is the one before with one page more. */
  grown: boolean
  /** How many times in a row the steps of sources asked for what came; 0 when somebody else did. */
  depth: number
}

/** The last answers of the sources of one visit, by name. It outlives the revisions of the document. */
export type Heard = Map<string, { data: unknown; text: string; language: string }>

/** Steps to run because of an answer. */
interface SourceEvent {
  source: string
  name: 'loaded' | 'changed'
  steps: readonly Step[]
  /** The answer before. */
  before: unknown
  depth: number
}

/**
 * Returns the event that an answer causes: the first of the visit, another than before, or nothing new. The same in another language, and
 * one page more, are nothing new.
 * @returns undefined where there is nothing to run, and where the steps of sources have led to each other too often
 */
export function eventOf(heard: Heard, { source, doc, data, language, grown, depth }: Answer): SourceEvent | undefined {
  const before = heard.get(source)
  const text = JSON.stringify(doc.pages ? { ...(data as object), loadingMore: undefined } : data)
  if (before?.text === text) return undefined
  heard.set(source, { data, text, language })
  if (before && (grown || before.language !== language)) return undefined
  const name = before ? 'changed' : 'loaded'
  const steps = doc.on?.[name] ?? []
  return steps.length > 0 && depth < limits.sourceCircleMax ? { source, name, steps, before: before?.data, depth } : undefined
}
