import type { FormDoc } from '#language/documents/documents.ts'
import { nearest } from '#language/documents/nearest.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import type { LintProblem } from '#language/types/catalog.ts'

/** Checks the pages of forms: each field stands on one of them, and each of them shows something. */
export const pages: Check = function* (world) {
  for (const entry of world.entries) if (entry.doc.kind === 'form') yield* judged(world, entry, entry.doc)
}

function* judged(world: World, entry: Entry, { fields, pages = [] }: FormDoc): Generator<LintProblem> {
  const ids = pages.map(({ id }) => id)
  const pageOfGroup = new Map<string, string>()
  for (const [i, { name, page, group }] of fields.entries()) {
    const at = `/fields/${i}`
    if (page === undefined) {
      if (pages.length > 0) yield world.report('pages', entry, at, `"${name}" stands on no page: add "page"`)
      continue
    }
    if (!ids.includes(page))
      yield world.report('pages', entry, `${at}/page`, `there is no page "${page}"`, { suggestion: nearest(page, ids) })
    const other = group === undefined ? undefined : (pageOfGroup.get(group) ?? page)
    if (other !== undefined && other !== page)
      yield world.report('pages', entry, `${at}/page`, `the group "${group}" stands on the page "${other}"`, { suggestion: other })
    if (group !== undefined) pageOfGroup.set(group, other ?? page)
  }
  for (const [i, { id, summary }] of pages.entries()) {
    if (!summary && !fields.some(({ page }) => page === id))
      yield world.report('pages', entry, `/pages/${i}`, `no field stands on the page "${id}"`)
    if (summary && i === 0) yield world.report('pages', entry, '/pages/0/summary', 'there is no page before the first')
  }
}
