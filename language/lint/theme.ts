import type { Check } from '#language/lint/world.ts'
import { nearest } from '#language/nearest.ts'

/** Contrast that text must have against what it stands on (WCAG 2, level AA). */
export const contrastMin = 4.5
const grounds = ['ground', 'surface', 'raised']
const onGrounds = ['text', 'quiet', 'up-text', 'down-text']
/** Colours of text, each with what it stands on. */
export const pairs: readonly (readonly [string, string])[] = [
  ...onGrounds.flatMap((text) => grounds.map((ground) => [text, ground] as const)),
  ['on-accent', 'accent'],
  ['on-action', 'action'],
  ['on-up', 'up'],
  ['on-down', 'down'],
  ['tabbar-text', 'tabbar-ground'],
  ['tabbar-selected', 'tabbar-ground'],
]

/** Both palettes have the same names, and text can be read in both. */
export const theme: Check = function* (world) {
  const entry = world.entries.find(({ doc }) => doc.kind === 'theme')
  if (entry?.doc.kind !== 'theme') return
  for (const [palette, other] of [
    ['dark', 'light'],
    ['light', 'dark'],
  ] as const) {
    const colours = entry.doc[palette]
    const names = Object.keys(colours)
    for (const name of Object.keys(entry.doc[other])) {
      if (!names.includes(name))
        yield world.report('theme', entry, `/${palette}`, `"${name}" stands in ${other} only`, { suggestion: nearest(name, names) })
    }
    for (const name of ['text', ...grounds])
      if (!names.includes(name)) yield world.report('theme', entry, `/${palette}`, `the palette has no "${name}"`)
    for (const [text, ground] of pairs) {
      const [front, back] = [colours[text], colours[ground]]
      if (front === undefined || back === undefined || front.length > 7 || back.length > 7) continue
      const ratio = contrast(front, back)
      if (ratio < contrastMin) {
        yield world.report(
          'theme',
          entry,
          `/${palette}/${text}`,
          `"${text}" on "${ground}" has a contrast of ${ratio.toFixed(2)} : 1, at least ${contrastMin} is needed`,
        )
      }
    }
  }
}

/** Contrast of two colours, from 1 to 21. */
export function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
