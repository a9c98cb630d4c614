import type { Parsed } from '#language/documents/parse.ts'
import { actions } from '#language/lint/actions.ts'
import { calls, outcomes, sources } from '#language/lint/calls.ts'
import { changeCircles, enterCircles, sourceCircles } from '#language/lint/circles.ts'
import { addresses, app, ids, kinds, routes, tabs } from '#language/lint/documents.ts'
import { bounds, expressions, operands, paths, symbols, textConditions, values } from '#language/lint/expressions.ts'
import { flows } from '#language/lint/flows.ts'
import { fields, hiddenFields, params } from '#language/lint/forms/fields.ts'
import { follows } from '#language/lint/forms/follows.ts'
import { literals } from '#language/lint/forms/literals.ts'
import { pages } from '#language/lint/forms/pages.ts'
import { conditions, guards, invertedGuards } from '#language/lint/guards.ts'
import { impossible } from '#language/lint/impossible.ts'
import { lists, repeats } from '#language/lint/lists.ts'
import { declaredWords, locales, pluralForms } from '#language/lint/locales.ts'
import {
  boundsSaid,
  levelsOfRoutes,
  neverActive,
  numbersOfLanguages,
  otherThanAsked,
  tones,
  topicsOfOthers,
  twoValues,
} from '#language/lint/meaning/contradictions.ts'
import { drafts, durations, emptyLists, ids as idArguments, scales, shares } from '#language/lint/meaning/numbers.ts'
import { planned } from '#language/lint/meaning/planned.ts'
import { deadStates, decided, emptyOptions, unreached } from '#language/lint/meaning/reach.ts'
import { repeatedValues } from '#language/lint/meaning/repeated.ts'
import { sends } from '#language/lint/meaning/sends.ts'
import { statuses } from '#language/lint/meaning/statuses.ts'
import { early, needlessRefresh, orderOfSteps, pastTimes, sourceWaits, staleReads } from '#language/lint/meaning/time.ts'
import { fragments, refs, unused } from '#language/lint/references.ts'
import { risk } from '#language/lint/risk.ts'
import { deadEnds, steps, targets } from '#language/lint/steps.ts'
import { labels, literalText, textKeys } from '#language/lint/texts.ts'
import { theme, twice } from '#language/lint/theme.ts'
import { units } from '#language/lint/units.ts'
import { events, props, slots, widgets } from '#language/lint/widgets.ts'
import { type Check, createWorld, type Entry, type World } from '#language/lint/world.ts'
import type { Catalog, LintProblem, SourceDocument, TextCatalog } from '#language/types/catalog.ts'

/** Checks of meaning that read one document and those that share types with it: time, parts that nothing reaches, and numbers. */
const inDocuments: readonly Check[] = [
  early,
  sourceWaits,
  staleReads,
  orderOfSteps,
  pastTimes,
  needlessRefresh,
  unreached,
  deadStates,
  emptyOptions,
  decided,
  twoValues,
  topicsOfOthers,
  boundsSaid,
  otherThanAsked,
  idArguments,
  shares,
  durations,
  scales,
  drafts,
  emptyLists,
]
/** Checks of meaning that compare documents, routes and languages. */
const acrossDocuments: readonly Check[] = [tones, neverActive, levelsOfRoutes, numbersOfLanguages, repeatedValues]
/** The four families of meaning. */
export const meaningChecks: readonly Check[] = [...inDocuments, ...acrossDocuments]

/**
 * Checks that depend only on a document, the forms and screens that share types with it, the app, the texts and the catalog. Their findings
 * are cached while these stay the same, so an edit checks only the changed document again.
 */
const documentChecks: readonly Check[] = [
  ids,
  widgets,
  slots,
  events,
  expressions,
  paths,
  bounds,
  operands,
  repeats,
  props,
  addresses,
  literalText,
  textKeys,
  calls,
  statuses,
  lists,
  hiddenFields,
  outcomes,
  conditions,
  textConditions,
  invertedGuards,
  symbols,
  twice,
  values,
  ...inDocuments,
]

/** All other checks. They may read any document or text, so they always run over everything. */
const setChecks: readonly Check[] = [
  kinds,
  fragments,
  units,
  refs,
  targets,
  enterCircles,
  routes,
  planned,
  sends,
  tabs,
  sources,
  sourceCircles,
  changeCircles,
  steps,
  fields,
  follows,
  pages,
  literals,
  guards,
  labels,
  impossible,
  actions,
  risk,
  deadEnds,
  declaredWords,
  theme,
  app,
  unused,
  params,
  flows,
  locales,
  pluralForms,
  ...acrossDocuments,
]

/** All checks. Problems of a whole value come before problems inside it. */
export const checks: readonly Check[] = [...setChecks, ...documentChecks]

/** Runs the checks over parsed documents. Problems are grouped by file, in order of line. */
export function lint(
  documents: readonly SourceDocument[],
  texts: TextCatalog,
  catalog: Catalog,
  only: readonly Check[] = checks,
): LintProblem[] {
  const world = createWorld(documents, texts, catalog)
  const problems = oncePerText(
    withoutEchoes(only.flatMap((check) => (documentChecks.includes(check) ? kept(check, world) : [...check(world)]))),
  )
  return problems.sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1))
}

type Kept = { texts: TextCatalog; found: Map<Check, readonly LintProblem[]> }
const keptOf = new WeakMap<Entry, Kept>()

/** Findings of a check of `documentChecks`: new for changed documents, cached for the others. */
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

/** A problem of a named value is reported at its definition only, not at each place that reads it. */
function withoutEchoes(problems: readonly LintProblem[]): LintProblem[] {
  const isDefinition = ({ pointer }: LintProblem) => pointer.startsWith('/values/')
  const said = ({ check, file, message }: LintProblem) => JSON.stringify([check, file, message])
  const defined = new Set(problems.filter(isDefinition).map(said))
  return problems.filter((one) => isDefinition(one) || !defined.has(said(one)))
}

const missingText = /^"([^"]+)" has no text in (.+)$/

/**
 * A text that languages lack is one problem, which names the languages: at the first place of a document that shows it, otherwise in the
 * file of the text.
 */
function oncePerText(problems: readonly LintProblem[]): LintProblem[] {
  const first = new Map<string, LintProblem>()
  const languages = new Map<string, Set<string>>()
  const kept: LintProblem[] = []
  const ordered = [...problems].sort((a, b) => Number(a.file.startsWith('locales/')) - Number(b.file.startsWith('locales/')))
  for (const problem of ordered) {
    const [, key, lacking = ''] = missingText.exec(problem.message) ?? []
    if (key === undefined) {
      kept.push(problem)
      continue
    }
    const all = languages.get(key) ?? new Set()
    for (const language of lacking.split(', ')) all.add(language)
    languages.set(key, all)
    if (!first.has(key)) first.set(key, problem)
  }
  const once = [...first].map(([key, problem]) => {
    const named = [...(languages.get(key) ?? [])].join(', ')
    return { ...problem, message: `"${key}" has no text in ${named}` }
  })
  return [...kept, ...once]
}

/** Checks that warn of unused names. */
const leftovers = new Set(['unused', 'params', 'locales', 'events'])

/** Checks that need no other document. Their findings are valid whatever the other documents contain. */
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
 * Runs the checks over parsed files, in addition to the problems of parsing and of text files. For a file with such problems only those are
 * reported, and its readable part is used by the checks of other files. When nothing of a document is usable, the other files are checked
 * only by the checks that need no other document.
 */
export function lintParsed({ documents, problems, partial }: Parsed, texts: TextCatalog, catalog: Catalog): LintProblem[] {
  const broken = new Set(problems.filter(({ severity }) => severity === 'error').map(({ file }) => file))
  const known = new Set([...documents, ...partial].map(({ file }) => file))
  const lost = [...broken].some(
    (file) => !file.startsWith('locales/') && !known.has(file) && !problems.some((one) => one.file === file && one.pointer === '/id'),
  )
  const found = lint([...documents, ...partial], texts, catalog, lost ? alone : checks).filter(({ file }) => !broken.has(file))
  // A name that seems unused may be used in the part that could not be read.
  return partial.length > 0 ? found.filter(({ check, severity }) => severity === 'error' || !leftovers.has(check)) : found
}
