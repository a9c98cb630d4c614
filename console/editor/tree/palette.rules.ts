import { searchForm } from '#contract/text.ts'
import type { WidgetManifest } from '#language/types/catalog.ts'

interface PaletteOption {
  type: string
  name: string
  about: string
}

/** Widgets that match the search, matches by name first. Widgets of fields are offered in forms only. */
export function paletteOf(
  widgets: readonly WidgetManifest[],
  wordsOf: (type: string) => { name: string; about: string },
  wanted: string,
  fields: boolean,
): PaletteOption[] {
  const words = searchForm(wanted)
    .split(/[\s-]+/)
    .filter(Boolean)
  return widgets
    .filter(({ type }) => type.endsWith('-field') === fields)
    .map(({ type }) => ({ type, ...wordsOf(type) }))
    .map((option) => ({ option, rank: rankOf(option, words) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank || a.option.type.localeCompare(b.option.type))
    .map(({ option }) => option)
}

function rankOf({ type, name, about }: PaletteOption, words: readonly string[]): number {
  const named = `${type} ${searchForm(name)}`
  if (words.every((word) => named.includes(word))) return 2
  return words.every((word) => named.includes(word) || searchForm(about).includes(word)) ? 1 : 0
}
