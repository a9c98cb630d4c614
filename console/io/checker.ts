import { areaOf, documentFiles } from '#console/io/sources.ts'
import { parse } from '#language/documents/parse.ts'
import { prepare } from '#language/documents/prepare.ts'
import { lintParsed } from '#language/lint/run.ts'
import { withTextLines } from '#language/lint/texts.ts'
import { openPlanned } from '#language/publish/open-planned.ts'
import type { DocumentKey } from '#language/publish/release.ts'
import { readWords } from '#language/text/text-file.ts'
import type { Catalog, LintProblem, PreparedDocument, SourceDocument, TextCatalog } from '#language/types/catalog.ts'

/** The changes of the prepared set since the last answer. */
export interface PreparedChange {
  documents: PreparedDocument[]
  removed: DocumentKey[]
  /** Areas that changed: `en/fund` → tree; null where the area is gone. */
  words: Record<string, Record<string, unknown> | null>
  /** Files that cannot be read now; their last good state stands in the set. */
  unread: string[]
  /**
   * Changed files as the engine reads them: short forms expanded, expressions compiled. Of a file that cannot be read it is the usable
   * rest, else its last good state; null where there is neither.
   */
  sources: Record<string, SourceDocument | null>
}
export interface Checker {
  /**
   * Another state of some files; null takes one out. The whole set is given once, at first.
   * @param base texts of the base release for files that the draft changes: the last good state of a file that cannot be read from the start
   */
  change(texts: Readonly<Record<string, string | null>>, base?: Readonly<Record<string, string>>): PreparedChange
  /** Returns the problems of the present set. */
  problems(): LintProblem[]
}

interface ReadFile {
  text: string
  /** Last good state, which stays while the text cannot be read. */
  document?: SourceDocument
  /** The usable rest of a text that cannot be read. */
  rest?: SourceDocument
  problems: LintProblem[]
}

/**
 * Checks a set that changes a little at a time: a file is read again only when its text is another.
 * @param prepares false: only problems will be asked for
 */
export function createChecker(catalog: Catalog, prepares = true): Checker {
  const files = new Map<string, ReadFile>()
  const areas = new Map<string, { text: string; flat: Record<string, string>; problems: LintProblem[] }>()
  let sent = new Map<DocumentKey, string>()
  let texts: TextCatalog = {}

  const readDocument = (path: string, text: string, base: string | undefined) => {
    const { documents, problems, partial } = parse([{ file: path, text }])
    const earlier = () => files.get(path)?.document ?? (base === undefined ? undefined : parse([{ file: path, text: base }]).documents[0])
    const document = documents[0] ?? earlier()
    const [rest] = partial
    files.set(path, { text, problems, ...(document && { document }), ...(rest && { rest }) })
    return documents[0]
  }
  const documents = () => {
    const found = new Map<DocumentKey, SourceDocument>()
    for (const path of [...files.keys()].sort()) {
      const { document } = files.get(path)!
      if (document && !found.has(document.key)) found.set(document.key, document)
    }
    return [...found.values()]
  }
  const collectTexts = () => {
    texts = {}
    for (const [path, { flat }] of areas) {
      const [language, area] = areaOf(path)!
      texts[language] ??= {}
      texts[language][area] = flat
    }
  }

  return {
    change(wanted, base = {}) {
      const touched = new Set<string>()
      let fragments = files.size === 0
      const words: PreparedChange['words'] = {}
      const sources: PreparedChange['sources'] = {}
      const isFragment = (path: string) => files.get(path)?.document?.doc.kind === 'fragment'
      const segments = () =>
        JSON.stringify([...files.values()].map(({ document }) => document?.doc.kind === 'app' && document.doc.segments))
      const before = segments()
      for (const [path, text] of Object.entries(wanted)) {
        const place = areaOf(path)
        if (place) {
          if (text === null) areas.delete(path)
          else {
            const { tree, flat, problems } = readWords(path, text)
            const unread = problems.some(({ pointer }) => pointer === '')
            if (unread && areas.has(path)) areas.set(path, { text, flat: areas.get(path)!.flat, problems })
            else {
              areas.set(path, { text, flat, problems })
              words[place.join('/')] = tree
            }
          }
          if (text === null) words[place.join('/')] = null
          continue
        }
        if (documentFiles({ [path]: '' }).length === 0) continue
        fragments ||= isFragment(path)
        if (text === null) files.delete(path)
        else if (readDocument(path, text, base[path])) touched.add(path)
        fragments ||= isFragment(path)
        const file = files.get(path)
        sources[path] = file?.rest ?? file?.document ?? null
      }
      // Texts that nobody changed stay the same object, so that what was found of them counts.
      if (Object.keys(wanted).some((path) => areaOf(path))) collectTexts()
      const all = prepares ? documents() : []
      // Fragments and segments stand in other documents.
      const part =
        fragments || segments() !== before
          ? all
          : all.filter(({ doc, file }) => doc.kind === 'fragment' || doc.kind === 'app' || touched.has(file))
      const changed: PreparedDocument[] = []
      for (const one of tryPrepare(part, catalog)) {
        if (sent.get(one.key) === one.canonical) continue
        sent.set(one.key, one.canonical)
        changed.push(one)
      }
      const keys = new Set(all.map(({ key }) => key))
      const removed = [...sent.keys()].filter((key) => !keys.has(key))
      sent = new Map([...sent].filter(([key]) => keys.has(key)))
      return {
        documents: changed,
        removed,
        words,
        unread: [...files].filter(([, { problems }]) => problems.some(stops)).map(([path]) => path),
        sources,
      }
    },
    problems() {
      const all = documents()
      const keys = new Set(all.map(({ key }) => key))
      const partial = [...files.values()].flatMap(({ document, rest }) => (rest && !document && !keys.has(rest.key) ? [rest] : []))
      const ofFiles = [...files.values()].flatMap(({ problems }) => problems)
      const own = [...ofFiles, ...[...areas.values()].flatMap(({ problems }) => problems)]
      const unread = new Set(own.map(({ file }) => file))
      const twice = twins([...files.values()])
      const found = lintParsed({ documents: all, problems: ofFiles, partial }, texts, catalog).filter(({ file }) => !unread.has(file))
      return [...own, ...twice, ...withTextLines(found, (file) => areas.get(file)?.text)]
    },
  }
}

const stops = ({ severity }: LintProblem) => severity === 'error'

/** Two files that say the same kind and id. */
function twins(files: readonly ReadFile[]): LintProblem[] {
  const first = new Map<DocumentKey, string>()
  const problems: LintProblem[] = []
  for (const { document } of [...files].sort((a, b) => (a.document?.file ?? '').localeCompare(b.document?.file ?? ''))) {
    if (!document) continue
    const other = first.get(document.key)
    if (other === undefined) first.set(document.key, document.file)
    else
      problems.push({
        check: 'parse',
        severity: 'error',
        file: document.file,
        line: 1,
        pointer: '/id',
        message: `${document.key} is already defined in ${other}`,
      })
  }
  return problems
}

/** One document that cannot be prepared (a fragment that is not there) must not take the others with it. */
function tryPrepare(documents: readonly SourceDocument[], catalog: Catalog): PreparedDocument[] {
  try {
    return openPlanned(prepare(documents, catalog), catalog)
  } catch {
    const fragments = documents.filter(({ doc }) => doc.kind === 'fragment')
    return documents.flatMap((one) => {
      if (one.doc.kind === 'fragment') return []
      try {
        return prepare([...fragments, one], catalog)
      } catch {
        return []
      }
    })
  }
}
