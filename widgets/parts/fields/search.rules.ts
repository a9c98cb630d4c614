import { searchForm } from '#contract/text.ts'

/** An option. `code` and `name` are members of area rows. */
export interface PickOption {
  id: string
  label: string
  note?: string
}

/**
 * Options that contain every word of the query, in any order; options that start with the query come first. Accents, case and width are ignored.
 */
export function found(options: readonly PickOption[], query: string): readonly PickOption[] {
  const words = searchForm(query).split(/\s+/).filter(Boolean)
  if (words.length === 0) return options
  const fits = options.filter((option) => {
    const text = searchForm(`${option.label} ${option.note ?? ''}`)
    return words.every((word) => text.includes(word))
  })
  const begins = (option: PickOption) => searchForm(option.label).startsWith(words[0]!)
  return [...fits.filter(begins), ...fits.filter((option) => !begins(option))]
}

/** Index after a key in a list of `count`; undefined for a key that does not move. -1 for no selection. */
export function moved(key: string, at: number, count: number): number | undefined {
  if (count === 0) return undefined
  switch (key) {
    case 'ArrowDown':
      return Math.min(at + 1, count - 1)
    case 'ArrowUp':
      return Math.max(at - 1, 0)
    case 'PageDown':
      return Math.min(at + 8, count - 1)
    case 'PageUp':
      return Math.max(at - 8, 0)
    default:
      return undefined
  }
}

type AreaRow = { id?: string | number; code?: string; iso?: string; name?: string; label?: string; note?: string }

/**
 * Options from rows of a list or of common.areas. Areas may share a calling code (+1, +7), so their id contains both parts: `86:CN`.
 * `valueOf` returns the code.
 */
export function optionsOf(rows: readonly AreaRow[]): PickOption[] {
  return rows.map(({ id, code, iso, name, label, note }) =>
    code !== undefined && label === undefined
      ? { id: `${code}:${iso ?? id ?? ''}`, label: `${name ?? ''} +${code}`, note: iso ?? '' }
      : { id: String(id ?? code ?? ''), label: label ?? name ?? '', ...(note !== undefined && { note }) },
  )
}

/** The value to send: the part before the colon. */
export const codeOf = (id: string): string => id.split(':', 1)[0]!
