import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { readCatalog } from '#config-server/catalog.ts'
import { readSources } from '#config-server/files.ts'
import { isObject } from '#language/documents/json.ts'
import { parse } from '#language/documents/parse.ts'
import { editText } from '#language/edit/edit.ts'
import { thingsOf } from '#language/edit/parts.ts'
import { lint } from '#language/lint/run.ts'
import { withTextLines } from '#language/lint/texts.ts'
import { readJson } from '#language/text/expression-texts.ts'
import { readTree } from '#language/text/json-text.ts'
import { segmentsOf } from '#language/text/position.ts'
import { withLongActions } from '#language/text/short-nodes.ts'
import type { Catalog, LintProblem, SourceDocument } from '#language/types/catalog.ts'

/** The documents and words of the product as they are, to be changed in tests. */

const sources = await readSources('.')
export const catalog: Catalog = await readCatalog('.')
export const files: ReadonlyMap<string, string> = new Map(sources.files.map(({ file, text }) => [file, text]))
const parsed = new Map(parse(sources.files).documents.map((document) => [document.file, document]))

/** Text of a document or a text file. */
export function textOf(file: string): string {
  return files.get(file) ?? readFileSync(file, 'utf8')
}

/**
 * Returns the problems of parse, or those of lint where parse finds none, after some files were changed or removed.
 * @param onlyParse without what lint says
 */
export function checkWith(changes: Readonly<Record<string, string | null>>, onlyParse = false): LintProblem[] {
  const texts = { ...sources.texts }
  const fresh: SourceDocument[] = []
  const problems: LintProblem[] = []
  for (const [path, text] of Object.entries(changes)) {
    const [, language = '', area = ''] = path.startsWith('locales/') ? path.split('/') : []
    if (language) {
      texts[language] = { ...texts[language], [basename(area, '.json')]: wordsOf(text) }
    } else if (text !== null) {
      const read = parse([{ file: path, text }])
      problems.push(...read.problems)
      fresh.push(...read.documents)
    }
  }
  const kept = [...parsed.values()].filter(({ file }) => !Object.hasOwn(changes, file))
  for (const one of fresh) if (kept.some(({ key }) => key === one.key)) problems.push(...parse([...kept, one]).problems)
  return problems.length > 0 || onlyParse
    ? problems
    : withTextLines(lint([...kept, ...fresh], texts, catalog), (file) => changes[file] ?? undefined)
}

/** The documents after some files were changed, as far as they can be read. */
export function documentsWith(changes: Readonly<Record<string, string>>): SourceDocument[] {
  const fresh = parse(Object.entries(changes).map(([file, text]) => ({ file, text }))).documents
  return [...[...parsed.values()].filter(({ file }) => !Object.hasOwn(changes, file)), ...fresh]
}

/** A text file's words; nested names are joined with dots, as the product reads them. */
function wordsOf(text: string | null): Record<string, string> {
  const flat: Record<string, string> = {}
  const walk = (value: unknown, path: string) => {
    if (typeof value === 'string') flat[path] = value
    else if (typeof value === 'object' && value !== null)
      for (const [name, part] of Object.entries(value)) walk(part, path ? `${path}.${name}` : name)
  }
  if (text !== null) walk(readJson(text), '')
  return flat
}

/** `#forgot/on/press/0/go` → the pointer of that member of the node `forgot`, wherever it stands; other pointers stay. */
export function placeIn(file: string, place: string): string {
  if (!place.startsWith('#')) return place
  const [id = '', ...rest] = place.slice(1).split('/')
  for (const thing of thingsOf(file, readJson(textOf(file))).values()) {
    if (thing.id === id.replaceAll('~1', '/')) return [thing.pointer, ...rest].join('/')
  }
  throw new Error(`there is no "${id}" in ${file}`)
}

/** A text in which the node around a prop or event says in full what `bind` and `go` are short for, so that tables name one form only. */
export function withLongNode(text: string, pointer: string): string {
  const place = /^(.*)\/(?:on|props)(?:\/|$)/.exec(pointer)?.[1]
  if (place === undefined) return text
  const node = segmentsOf(place).reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], readTree(text).value)
  return isObject(node) && ('bind' in node || 'go' in node) ? editText(text, place, withLongActions(node)) : text
}
