import type { Parsed } from '#language/documents/parse.ts'
import { actions } from '#language/lint/actions.ts'
import { calls, outcomes, sources } from '#language/lint/calls.ts'
import { enterCircles, sourceCircles } from '#language/lint/circles.ts'
import { addresses, app, ids, kinds, routes, tabs } from '#language/lint/documents.ts'
import { expressions, operands, paths, symbols, values } from '#language/lint/expressions.ts'
import { fields, hiddenFields, params } from '#language/lint/fields.ts'
import { flows } from '#language/lint/flows.ts'
import { conditions, guards, invertedGuards } from '#language/lint/guards.ts'
import { impossible } from '#language/lint/impossible.ts'
import { lists, repeats } from '#language/lint/lists.ts'
import { declaredWords, locales, pluralForms } from '#language/lint/locales.ts'
import { fragments, refs, unused } from '#language/lint/references.ts'
import { deadEnds, steps, targets } from '#language/lint/steps.ts'
import { labels, literalText, textKeys } from '#language/lint/texts.ts'
import { theme, twice } from '#language/lint/theme.ts'
import { units } from '#language/lint/units.ts'
import { events, props, slots, widgets } from '#language/lint/widgets.ts'
import { type Check, createWorld, type Entry, type World } from '#language/lint/world.ts'
import type { Catalog, LintProblem, SourceDocument, TextCatalog } from '#language/types/catalog.ts'

/**
 * Checks that judge a document by itself, the forms and screens it shares types with, the app, the texts and the catalog. What they find stays
 * while these stay, so after a key only the changed document is judged again.
 */
const documentChecks: readonly Check[] = [
  ids,
  widgets,
  slots,
  events,
  expressions,
  paths,
  operands,
  repeats,
  props,
  addresses,
  literalText,
  textKeys,
  calls,
  lists,
  hiddenFields,
  outcomes,
  conditions,
  invertedGuards,
  symbols,
  twice,
  values,
]

/** All other checks. They may read any document or text, so they run over everything each time. */
const setChecks: readonly Check[] = [
  kinds,
  fragments,
  units,
  refs,
  targets,
  enterCircles,
  routes,
  tabs,
  sources,
  sourceCircles,
  steps,
  fields,
  guards,
  labels,
  impossible,
  actions,
  deadEnds,
  declaredWords,
  theme,
  app,
  unused,
  params,
  flows,
  locales,
  pluralForms,
]

/** Every check there is. What is wrong with a value as a whole is told before what is wrong inside of it. */
export const checks: readonly Check[] = [...setChecks, ...documentChecks]

/** Runs the checks over documents that were parsed. Problems of one file stand together, in the order of lines. */
export function lint(
  documents: readonly SourceDocument[],
  texts: TextCatalog,
  catalog: Catalog,
  only: readonly Check[] = checks,
): LintProblem[] {
  const world = createWorld(documents, texts, catalog)
  const problems = withoutEchoes(only.flatMap((check) => (documentChecks.includes(check) ? kept(check, world) : [...check(world)])))
  return problems.sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1))
}

type Kept = { texts: TextCatalog; found: Map<Check, readonly LintProblem[]> }
const keptOf = new WeakMap<Entry, Kept>()

/** What a check of `documentChecks` finds: anew of documents that changed, and as before of the others. */
function kept(check: Check, world: World): readonly LintProblem[] {
  const fresh = world.entries.filter((entry) => keptOf.get(entry)?.texts !== world.texts || !keptOf.get(entry)?.found.has(check))
  const found = new Map<string, LintProblem[]>(fresh.map(({ source }) => [source.file, []]))
  for (const problem of check({ ...world, entries: fresh })) found.get(problem.file)?.push(problem)
  for (const entry of fresh) {
    const before = keptOf.get(entry)
    const known = before?.texts === world.texts ? before : { texts: world.texts, found: new Map() }
    known.found.set(check, found.get(entry.source.file) ?? [])
    keptOf.set(entry, known)
  }
  return world.entries.flatMap((entry) => keptOf.get(entry)?.found.get(check) ?? [])
}

/** What is wrong with a named value is told where it is defined, not again at each place that reads it. */
function withoutEchoes(problems: readonly LintProblem[]): LintProblem[] {
  const isDefinition = ({ pointer }: LintProblem) => pointer.startsWith('/values/')
  const said = ({ check, file, message }: LintProblem) => JSON.stringify([check, file, message])
  const defined = new Set(problems.filter(isDefinition).map(said))
  return problems.filter((one) => isDefinition(one) || !defined.has(said(one)))
}

/** Checks that warn of what nothing names. */
const leftovers = new Set(['unused', 'params', 'locales', 'events'])

/** Checks that need no other document: what they find holds whatever stands in the others. */
const alone: readonly Check[] = [
  ids,
  widgets,
  expressions,
  operands,
  props,
  literalText,
  textKeys,
  calls,
  labels,
  conditions,
  impossible,
  twice,
  theme,
  values,
  pluralForms,
]

/**
 * What the checks find in files that were read, beside the problems of reading them. A file that could not be read as a whole speaks of that
 * alone, and stays known to the checks of the others as far as it goes. Where nothing of it can be used, the others are judged by the checks
 * that need no other document.
 */
export function lintParsed({ documents, problems, partial }: Parsed, texts: TextCatalog, catalog: Catalog): LintProblem[] {
  const broken = new Set(problems.filter(({ severity }) => severity === 'error').map(({ file }) => file))
  const known = new Set([...documents, ...partial].map(({ file }) => file))
  const lost = [...broken].some((file) => !known.has(file) && !problems.some((one) => one.file === file && one.pointer === '/id'))
  const found = lint([...documents, ...partial], texts, catalog, lost ? alone : checks).filter(({ file }) => !broken.has(file))
  // What a file no longer names may be named by the part that could not be read.
  return partial.length > 0 ? found.filter(({ check, severity }) => severity === 'error' || !leftovers.has(check)) : found
}
