import type { AnyDoc, AppDoc, Json, Logic } from '#language/documents/documents.ts'
import { type Given, substituteLogic } from '#language/documents/substitute.ts'
import { changeLogic } from '#language/edit/change-logic.ts'
import { compile, ExpressionProblem } from '#language/expression/expression.ts'

/**
 * Segments of customers: named conditions of the app document, which every document reads as `segment.<name>`. They are replaced by their
 * conditions before publishing, so builds need not know them.
 */

/** Roots that a segment may read: what is known of a visitor on every page. */
export const segmentRoots = ['session', 'device', 'app'] as const

/** The conditions of the segments by name. */
export const segmentsOf = (app: Pick<AppDoc, 'segments'> | undefined): Readonly<Record<string, Logic>> =>
  Object.fromEntries(Object.entries(app?.segments ?? {}).map(([name, { test }]) => [name, test]))

/** Replaces every `segment.<name>` of a document by its condition. A document that reads no segment is returned unchanged, as are unknown names. */
export function withSegments<Doc extends AnyDoc>(written: Doc, segments: Readonly<Record<string, Logic>>): Doc {
  if (Object.keys(segments).length === 0 || !/\bsegment\./.test(JSON.stringify(written))) return written
  const given: Given = new Map(
    Object.entries(segments).map(([name, test]) => [`segment.${name}`, { $: (typeof test === 'string' ? { var: test } : test) as Json }]),
  )
  const doc = structuredClone(written)
  changeLogic(doc, (logic) => substituteLogic(logic as Json, given, () => undefined))
  return doc
}

/** Paths of the session that a client tells the server before it has its documents. */
const asked = ['session.logged_in', 'session.state', 'session.kyc', 'session.language'] as const

/** Names of segments that a rollout cannot ask for: they do not exist, or read more than a client tells the server. */
export function unaskable(names: readonly string[], segments: Readonly<Record<string, Logic>>): string[] {
  return names.filter((name) => {
    if (!Object.hasOwn(segments, name)) return true
    try {
      return compile(segments[name]).deps.some((path) => !(asked as readonly string[]).includes(path))
    } catch (problem) {
      if (problem instanceof ExpressionProblem) return true
      throw problem
    }
  })
}
