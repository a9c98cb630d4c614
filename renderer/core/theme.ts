import type { ThemeDoc } from '#language/documents/documents.ts'

export type Mode = 'dark' | 'light'

/** CSS variables of a theme. `swapped` lets the customer have red for up and green for down. Type is in rem, so that text grows with the reader's setting. */
export function themeVariables(theme: ThemeDoc, mode: Mode, swapped: boolean): Record<string, string> {
  const colours: Record<string, string> = { ...theme[mode] }
  if (swapped) {
    for (const [name, value] of Object.entries(theme[mode])) {
      const other = /^up(?=$|-)/.test(name) ? name.replace('up', 'down') : name.replace(/^down(?=$|-)/, 'up')
      if (other !== name && Object.hasOwn(theme[mode], other)) colours[other] = value
    }
  }
  return Object.fromEntries([
    ...Object.entries(colours).map(([name, value]) => [`--${name}`, value]),
    ...Object.entries(theme.coins ?? {}).map(([name, value]) => [`--coin-${name.toLowerCase()}`, value]),
    ...Object.entries(theme.space).map(([name, px]) => [`--space-${name}`, `${px}px`]),
    ...Object.entries(theme.radius).map(([name, px]) => [`--radius-${name}`, `${px}px`]),
    ...Object.entries(theme.type).map(([name, px]) => [`--type-${name}`, `${px / 16}rem`]),
  ])
}
