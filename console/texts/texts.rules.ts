import { areaOf } from '#console/io/sources.ts'
import { searchForm } from '#contract/text.ts'
import { readWords } from '#language/text/text-file.ts'

/** One text key in all languages. */
export interface TextRow {
  /** `home.news`. */
  key: string
  area: string
  /** By language; absent where it is missing. */
  words: Readonly<Record<string, string>>
  /** Languages without the key, or with an empty text. */
  missing: readonly string[]
  /** Text with the placeholders of most languages; the base language decides a tie. */
  model: string | undefined
  /** Languages with other placeholders than the model. */
  odd: readonly string[]
  /** Languages with an unchanged text although the draft changed the base language. */
  stale: readonly string[]
  /** Languages whose text differs from the base release. */
  changed: readonly string[]
}
export type TextFilter = 'all' | 'missing' | 'changed' | 'stale' | 'odd'

/** Names between {{ and }}, without their format, sorted. */
export function placeholdersOf(text: string): string[] {
  return [...new Set([...text.matchAll(/{{\s*([^,}]+?)\s*(?:,[^}]*)?}}/g)].map(([, name]) => name ?? ''))].sort()
}

/** Plural forms may omit the count, and each language has its own forms. */
const pluralForm = /_(?:zero|one|two|few|many|other)$/

/** True where a text has the same placeholders as the base language. */
export function samePlaceholders(key: string, base: string, words: string): boolean {
  const [wanted, found] = [placeholdersOf(base), placeholdersOf(words)]
  if (!pluralForm.test(key)) return wanted.join() === found.join()
  return (
    found.every((name) => wanted.includes(name) || name === 'count') && wanted.every((name) => found.includes(name) || name === 'count')
  )
}

type Files = Readonly<Record<string, string>>

function wordsOf(files: Files): Map<string, Map<string, string>> {
  const found = new Map<string, Map<string, string>>()
  for (const path of Object.keys(files).sort()) {
    const place = areaOf(path)
    if (!place) continue
    for (const [name, words] of Object.entries(readWords(path, files[path] ?? '').flat)) {
      const key = `${place[1]}.${name}`
      const byLanguage = found.get(key) ?? new Map<string, string>()
      byLanguage.set(place[0], words)
      found.set(key, byLanguage)
    }
  }
  return found
}

/**
 * All keys, in the order of areas and of the base language's file.
 * @param languages ids in the order of columns
 * @param baseLanguage its placeholders are the model
 */
export function textRows(files: Files, before: Files, languages: readonly string[], baseLanguage: string): TextRow[] {
  const [now, then] = [wordsOf(files), wordsOf(before)]
  const order = new Map<string, number>()
  for (const path of Object.keys(files).sort()) {
    const place = areaOf(path)
    if (place?.[0] !== baseLanguage) continue
    for (const name of Object.keys(readWords(path, files[path] ?? '').flat)) order.set(`${place[1]}.${name}`, order.size)
  }
  const rows = [...now].map(([key, byLanguage]): TextRow => {
    const model = modelOf(key, byLanguage, baseLanguage)
    const old = then.get(key)
    const changed = (id: string) => byLanguage.get(id) !== old?.get(id)
    return {
      key,
      area: key.slice(0, key.indexOf('.')),
      words: Object.fromEntries(byLanguage),
      // A language without plural forms does not miss any.
      missing: languages.filter(
        (id) => !byLanguage.get(id) && !(pluralForm.test(key) && byLanguage.get(id) === undefined && hasOther(now, key, id)),
      ),
      model,
      odd:
        model === undefined ? [] : languages.filter((id) => byLanguage.get(id) && !samePlaceholders(key, model, byLanguage.get(id) ?? '')),
      changed: languages.filter(changed),
      stale:
        old?.has(baseLanguage) && byLanguage.has(baseLanguage) && changed(baseLanguage)
          ? languages.filter((id) => id !== baseLanguage && byLanguage.get(id) && !changed(id))
          : [],
    }
  })
  return rows.sort((a, b) => a.area.localeCompare(b.area) || (order.get(a.key) ?? Infinity) - (order.get(b.key) ?? Infinity))
}

/** The text whose placeholders most languages share, so that one wrong language does not mark the others. */
function modelOf(key: string, byLanguage: ReadonlyMap<string, string>, baseLanguage: string): string | undefined {
  const written = [...byLanguage].filter(([, words]) => words !== '')
  const agreeing = (words: string) => written.filter(([, other]) => samePlaceholders(key, words, other)).length
  const base = byLanguage.get(baseLanguage) || undefined
  let best = base
  let most = base === undefined ? 0 : agreeing(base)
  for (const [, words] of written) {
    const count = agreeing(words)
    if (count <= most) continue
    best = words
    most = count
  }
  return best
}

const hasOther = (words: Map<string, Map<string, string>>, key: string, language: string) =>
  words.get(key.replace(pluralForm, '_other'))?.has(language) ?? false

/** @param search part of a key, or of a text in any language; case-insensitive */
export function filtered(
  rows: readonly TextRow[],
  { area, search, filter }: { area: string; search: string; filter: TextFilter },
): TextRow[] {
  const wanted = searchForm(search.trim())
  return rows.filter((row) => {
    if (area !== '' && row.area !== area) return false
    if (filter !== 'all' && row[filter].length === 0) return false
    return (
      wanted === '' || searchForm(row.key).includes(wanted) || Object.values(row.words).some((words) => searchForm(words).includes(wanted))
    )
  })
}

/** A cell of the table of texts: row and language, both from 0. */
interface CellPlace {
  row: number
  column: number
}

/** The cell that a key press moves to, clamped to the table; undefined for other keys. */
export function cellAfter(key: string, from: CellPlace, rows: number, columns: number): CellPlace | undefined {
  const { row, column } = from
  const to: Record<string, CellPlace> = {
    ArrowUp: { row: row - 1, column },
    ArrowDown: { row: row + 1, column },
    ArrowLeft: { row, column: column - 1 },
    ArrowRight: { row, column: column + 1 },
    Home: { row, column: 0 },
    End: { row, column: columns - 1 },
  }
  if (!Object.hasOwn(to, key)) return undefined
  const next = to[key] as CellPlace
  return { row: Math.min(Math.max(next.row, 0), rows - 1), column: Math.min(Math.max(next.column, 0), columns - 1) }
}
