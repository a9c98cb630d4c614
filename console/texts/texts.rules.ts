import { areaOf, readWords } from '#console/io/sources.ts'

/** One text key in all languages. */
export interface TextRow {
  /** `home.news`. */
  key: string
  area: string
  /** By language; absent where it is missing. */
  words: Readonly<Record<string, string>>
  /** Languages that lack it, or have no words for it. */
  missing: readonly string[]
  /** Words with the placeholders that most languages have; the base language decides where two sides are equal. */
  model: string | undefined
  /** Languages whose placeholders are others than the model's. */
  odd: readonly string[]
  /** Languages that still have the words of before, although the draft changed those of the base language. */
  stale: readonly string[]
  /** Languages whose words are others than in the base release. */
  changed: readonly string[]
}
export type TextFilter = 'all' | 'missing' | 'changed' | 'stale' | 'odd'

/** Names between {{ and }}, without their format, sorted. */
export function placeholdersOf(text: string): string[] {
  return [...new Set([...text.matchAll(/{{\s*([^,}]+?)\s*(?:,[^}]*)?}}/g)].map(([, name]) => name ?? ''))].sort()
}

/** Plural forms may leave the count out, and languages have forms of their own. */
const pluralForm = /_(?:zero|one|two|few|many|other)$/

/** True where the words have all placeholders of the base language's and no others. */
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
 * Every key in the order of areas and of the base language's file.
 * @param languages ids in the order of columns
 * @param baseLanguage whose placeholders count
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
      // A language without plural forms lacks none of them.
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

/** The words whose placeholders most languages share, so that one language that lost a placeholder does not blame the others. */
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

/** @param search part of a key, or of the words in any language; letter case does not count */
export function filtered(
  rows: readonly TextRow[],
  { area, search, filter }: { area: string; search: string; filter: TextFilter },
): TextRow[] {
  const wanted = search.trim().toLowerCase()
  return rows.filter((row) => {
    if (area !== '' && row.area !== area) return false
    if (filter !== 'all' && row[filter].length === 0) return false
    return (
      wanted === '' ||
      row.key.toLowerCase().includes(wanted) ||
      Object.values(row.words).some((words) => words.toLowerCase().includes(wanted))
    )
  })
}

/** A cell of the list of texts: row and language, both from 0. */
interface CellPlace {
  row: number
  column: number
}

/** Where a key leads from a cell; undefined for keys that do not move. Nothing lies beyond the edges. */
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
