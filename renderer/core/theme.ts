import type { ThemeDoc } from '#language/documents/documents.ts'

export type Mode = 'dark' | 'light'

/**
 * CSS variables of a theme. `swapped` lets the customer have red for up and green for down. `good` and `bad` are the colours of states: those of
 * `up` and `down`, which no customer swaps. Type is in rem, so that text grows with the reader's setting.
 */
export function themeVariables(theme: ThemeDoc, mode: Mode, swapped: boolean): Record<string, string> {
  const colours: Record<string, string> = {}
  for (const [name, value] of Object.entries(theme[mode])) {
    const renamed = (up: string, down: string) =>
      name.replace(/^((?:on-)?)(up|down)(?=$|-)/, (_, on: string, of: string) => on + (of === 'up' ? up : down))
    const other = renamed('down', 'up')
    colours[swapped && Object.hasOwn(theme[mode], other) ? other : name] = value
    colours[renamed('good', 'bad')] ??= value
  }
  return Object.fromEntries([
    ...Object.entries(colours).map(([name, value]) => [`--${name}`, value]),
    ...Object.entries(theme.coins ?? {}).map(([name, value]) => [`--coin-${name.toLowerCase()}`, value]),
    ...Object.entries(theme.space).map(([name, px]) => [`--space-${name}`, `${px}px`]),
    ...Object.entries(theme.radius).map(([name, px]) => [`--radius-${name}`, `${px}px`]),
    ...Object.entries(theme.type).map(([name, px]) => [`--type-${name}`, `${px / 16}rem`]),
  ])
}
