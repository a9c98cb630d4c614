import { pointerOf, valueAt } from '#console/editor/document/pointer.ts'
import { formsOf, wordsOf } from '#console/editor/document/text-forms.rules.ts'
import { isObject } from '#language/documents/json.ts'
import { editText, printText } from '#language/edit/edit.ts'
import { engineAreas } from '#language/publish/release.ts'
import { below } from '#language/text/position.ts'
import { widgetOf } from '#language/text/shorthand.ts'
import type { TextCatalog } from '#language/types/catalog.ts'

type Files = Readonly<Record<string, string>>

/** File of a key's text in one language: `home.hot` in en is locales/en/home.json. */
function fileOfKey(key: string, language: string): string {
  return `locales/${language}/${key.split('.', 1)[0]}.json`
}

/** Pointer of a key in its file, in nested areas and in names with dots. A new key is added at the top level. */
export function pointerOfKey(key: string, tree: unknown): string {
  const rest = key.slice(key.indexOf('.') + 1)
  const whole = pointerOf([rest])
  if (valueAt(tree, whole) !== undefined) return whole
  const nested = pointerOf(rest.split('.'))
  return rest.includes('.') && valueAt(tree, pointerOf(rest.split('.').slice(0, -1))) !== undefined ? nested : whole
}

/** The file with another text for a key; undefined removes the key. @throws EditProblem where the file is not JSON */
export function withWords(files: Files, key: string, language: string, words: string | undefined): { path: string; text: string } {
  const path = fileOfKey(key, language)
  const before = files[path]
  if (before === undefined) return { path, text: printText(words === undefined ? {} : { [key.slice(key.indexOf('.') + 1)]: words }) }
  return { path, text: editText(before, pointerOfKey(key, parsed(before)), words) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const keyPattern = /^[a-z][A-Za-z0-9-]*\.[A-Za-z0-9_]+$/

/** Why a new key may not be used; null where it may. */
export function refuseKey(key: string, taken: Readonly<Record<string, string>>): 'shape' | 'taken' | null {
  if (!keyPattern.test(key)) return 'shape'
  return Object.hasOwn(taken, key) ? 'taken' : null
}

/** A key for a new text: the area of the document and a name made of the text. */
export function proposedKey(area: string, words: string, taken: Readonly<Record<string, string>>): string {
  const name =
    words
      .toLowerCase()
      .normalize('NFKD')
      .replaceAll(/[^a-z0-9]+/g, '_')
      .replaceAll(/^_+|_+$/g, '')
      .split('_')
      .slice(0, 4)
      .join('_') || 'text'
  const first = `${area}.${name}`
  if (!Object.hasOwn(taken, first)) return first
  for (let n = 2; ; n += 1) if (!Object.hasOwn(taken, `${first}_${n}`)) return `${first}_${n}`
}

/** The area of most texts of a document, among the existing areas. */
export function areaFor(doc: unknown, areas: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const { key } of textUses(doc)) {
    const area = key.split('.', 1)[0] ?? ''
    if (areas.includes(area)) counts.set(area, (counts.get(area) ?? 0) + 1)
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? areas[0] ?? 'app'
}

/** A text without a key yet that begins with these words. @param area of its key; absent: the area of the document */
export const newText = (words: string, area?: string): Record<string, string> => ({ $t: '', $words: words, ...(area && { $area: area }) })
/** A text without a key yet that begins as a copy of another text in all languages. */
export const copiedText = (key: string): Record<string, string> => ({ $t: '', $from: key })

/**
 * Gives each text of a new node that has no key yet (`{"$t": ""}`, `newText`, `copiedText`) a key of its own, so that editing it changes no
 * other place.
 * @returns the node, the initial text of each new key, and the key of which it is a copy
 */
export function withOwnKeys(
  value: unknown,
  area: string,
  words: string,
  taken: Readonly<Record<string, string>>,
): { value: unknown; words: Record<string, string>; copies: Record<string, string> } {
  const made: Record<string, string> = {}
  const copies: Record<string, string> = {}
  const fill = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(fill)
    if (!isObject(part)) return part
    if (part.$t !== '') return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, fill(inner)]))
    const { $words, $from, $area, ...rest } = part
    const from = typeof $from === 'string' ? $from : undefined
    const own = typeof $words === 'string' ? $words : ((from && taken[from]) ?? words)
    const key = proposedKey(typeof $area === 'string' ? $area : area, own, { ...taken, ...made })
    made[key] = own
    if (from !== undefined) copies[key] = from
    return { ...rest, $t: key }
  }
  return { value: fill(value), words: made, copies }
}

/** Initial text of a new node. */
export function newWordsOf(value: unknown): string {
  if (!isObject(value)) return 'New text'
  const widget = widgetOf(value)
  if (widget !== '') return `New ${widget.split('@', 1)[0]?.replaceAll('-', ' ')}`
  if ('icon' in value && 'to' in value) return 'New entry'
  return 'toast' in value ? 'New message' : 'New text'
}

/** One place of a document that shows the text of a key. */
interface TextUse {
  key: string
  pointer: string
}
const known = new WeakMap<object, readonly TextUse[]>()

/** All places of a document that show a text by key. Results are cached by value. */
function textUses(doc: unknown): readonly TextUse[] {
  if (typeof doc !== 'object' || doc === null) return []
  const before = known.get(doc)
  if (before) return before
  const uses: TextUse[] = []
  const walk = (value: unknown, pointer: string) => {
    if (typeof value !== 'object' || value === null) return
    const key = (value as { $t?: unknown }).$t
    if (typeof key === 'string') uses.push({ key, pointer })
    for (const [name, part] of Object.entries(value)) walk(part, below(pointer, name))
  }
  walk(doc, '')
  known.set(doc, uses)
  return uses
}

/** All places of the draft that show the text of a key, with their files. */
export function usesOfKey(docs: ReadonlyMap<string, unknown>, key: string): { file: string; pointer: string }[] {
  return [...docs].flatMap(([file, doc]) => textUses(doc).flatMap((use) => (use.key === key ? [{ file, pointer: use.pointer }] : [])))
}

/** Files with the texts of a key, in all its forms, copied to another key. */
export function withCopiedKey(
  files: Files,
  value: Readonly<Record<string, unknown>>,
  to: string,
  texts: TextCatalog,
): Record<string, string> {
  const from = String(value.$t)
  const languages = Object.keys(texts)
  const made: Record<string, string> = {}
  for (const language of languages) {
    for (const form of formsOf(texts, languages, language, value)) {
      const words = wordsOf(texts, language, form)
      if (words === undefined) continue
      const { path, text } = withWords({ ...files, ...made }, `${to}${form.slice(from.length)}`, language, words)
      made[path] = text
    }
  }
  return made
}

/** Areas whose texts are read by code as well, so that no document need use them. */
const readByCode = new Set([...engineAreas, 'event', 'form'])

/** Keys of the texts that a value shows, without those of areas that code reads. */
export function keysIn(value: unknown): string[] {
  return [...new Set(textUses(value).map(({ key }) => key))].filter((key) => key !== '' && !readByCode.has(key.split('.', 1)[0] ?? ''))
}

/**
 * Files without the texts, in all languages and forms, of those keys that no document of `docs` shows.
 * @param docs the documents after the removal
 */
export function withoutUnused(files: Files, keys: readonly string[], docs: Iterable<unknown>, texts: TextCatalog): Record<string, string> {
  const shown = new Set([...docs].flatMap((doc) => textUses(doc).map(({ key }) => key)))
  const made: Record<string, string> = {}
  for (const key of keys) {
    if (shown.has(key)) continue
    const dot = key.indexOf('.')
    const [area, path] = [key.slice(0, dot), key.slice(dot + 1)]
    for (const language of Object.keys(texts))
      for (const name of Object.keys(texts[language]?.[area] ?? {})) {
        const isForm = name === path || (name.startsWith(`${path}_`) && !isUsed(shown, `${area}.${name}`))
        if (!isForm || (name !== path && !isFormOf(name, path, texts, area))) continue
        const { path: file, text } = withWords({ ...files, ...made }, `${area}.${name}`, language, undefined)
        made[file] = text
      }
  }
  return made
}

/** Whether a document shows a key, or a key of which it is a form. */
const isUsed = (shown: ReadonlySet<string>, key: string): boolean => [...shown].some((one) => key === one || key.startsWith(`${one}_`))

const pluralEnding = /_(?:ordinal_)?(?:zero|one|two|few|many|other)$/

/** Whether a name is a form of a path for numbers or contexts: the path has no text of its own, or the ending is one of numbers. */
function isFormOf(name: string, path: string, texts: TextCatalog, area: string): boolean {
  if (name.replace(pluralEnding, '') === path) return true
  return Object.values(texts).every((areas) => areas[area]?.[path] === undefined)
}
