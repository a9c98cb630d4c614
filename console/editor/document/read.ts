import { areaOf, documentFiles } from '#console/io/sources.ts'
import { lengthened } from '#language/text/shorthand.ts'
import { readWords } from '#language/text/text-file.ts'
import type { JsonSchema, TextCatalog } from '#language/types/catalog.ts'

/**
 * Files as they are written, for forms and trees that edit them. Each text is parsed once; an invalid one keeps its last valid value.
 * Members that may be omitted are missing here and expressions are text: to find out what a document means, read `sources` of the workspace.
 */

interface Kept {
  text: string
  value: unknown
  good: boolean
}
const kept = new Map<string, Kept>()

function read(path: string, text: string): Kept {
  const before = kept.get(path)
  if (before?.text === text) return before
  let next: Kept
  try {
    next = { text, value: lengthened(JSON.parse(text)), good: true }
  } catch {
    next = { text, value: before?.value, good: false }
  }
  kept.set(path, next)
  return next
}

/** @returns the value, or the last valid one where the text is invalid, and whether it is invalid */
export function readDocument(path: string, text: string): { value: unknown; good: boolean } {
  return read(path, text)
}

/** All documents by path, parsed. Invalid ones are undefined unless an earlier valid text was read. */
export function readDocuments(files: Readonly<Record<string, string>>): Map<string, unknown> {
  return new Map(documentFiles(files).map(({ file, text }) => [file, read(file, text).value]))
}

const keptWords = new Map<string, { text: string; flat: Record<string, string> }>()
const keptTexts = new WeakMap<Readonly<Record<string, string>>, TextCatalog>()

/** Texts of the draft: language → area → flat key → text. The same object for the same files. */
export function readTexts(files: Readonly<Record<string, string>>): TextCatalog {
  const before = keptTexts.get(files)
  if (before) return before
  const texts: TextCatalog = {}
  keptTexts.set(files, texts)
  for (const [path, text] of Object.entries(files)) {
    const place = areaOf(path)
    if (!place) continue
    let words = keptWords.get(path)
    if (words?.text !== text) {
      words = { text, flat: readWords(path, text).flat }
      keptWords.set(path, words)
    }
    const [language, area] = place
    texts[language] ??= {}
    texts[language][area] = words.flat
  }
  return texts
}

const schemaFiles = import.meta.glob<JsonSchema>('/schemas/meta/*.schema.json', { eager: true, import: 'default' })
/** Meta schemas by kind. */
export const metaSchemas: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  Object.entries(schemaFiles).map(([path, schema]) => [path.slice(path.lastIndexOf('/') + 1).replace('.schema.json', ''), schema]),
)

const exampleFiles = import.meta.glob<string>('/widgets/*/*.example.json', { eager: true, import: 'about' })
/** One sentence about each widget. */
export const aboutWidget: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(exampleFiles).map(([path, about]) => [path.slice(path.lastIndexOf('/') + 1).replace('.example.json', ''), about]),
)
