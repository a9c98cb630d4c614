import type { ThemeDoc } from '#language/documents/documents.ts'
import { nearest } from '#language/documents/nearest.ts'
import { isOption } from '#language/lint/steps.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import { below } from '#language/text/position.ts'
import type { LintProblem, WidgetLooks } from '#language/types/catalog.ts'

/** Minimum contrast of text with its background (WCAG 2, level AA). */
export const contrastMin = 4.5
const grounds = ['ground', 'surface', 'raised']
const onGrounds = ['text', 'quiet', 'up-text', 'down-text']
/** Text colours with their background colours. */
export const pairs: readonly (readonly [string, string])[] = [
  ...onGrounds.flatMap((text) => grounds.map((ground) => [text, ground] as const)),
  ['on-accent', 'accent'],
  ['on-action', 'action'],
  ['on-up', 'up'],
  ['on-down', 'down'],
  ['tabbar-text', 'tabbar-ground'],
  ['tabbar-selected', 'tabbar-ground'],
]

/** Colours that the tab bar takes where the theme does not name its own (TabBar.module.css). */
const barFollows: Readonly<Record<string, string>> = { 'tabbar-ground': 'ground', 'tabbar-text': 'quiet', 'tabbar-selected': 'accent' }

/** Checks that both palettes have the same names and those that widgets use, and that text has enough contrast in both. */
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
    for (const { text, ground, by } of pairsOf(world, colours)) {
      const front = colours[text] as string
      const ratio = Math.min(...solid(colours, ground).map((back) => contrast(front, back)))
      if (ratio < contrastMin) {
        const where = by === undefined ? '' : `, as ${by} shows it,`
        yield world.report(
          'theme',
          entry,
          `/${palette}/${text}`,
          `"${text}" on "${ground}"${where} has a contrast of ${ratio.toFixed(2)} : 1, at least ${contrastMin} is required`,
        )
      }
    }
  }
  yield* missing(world, entry, entry.doc)
}

/** Text colours with their backgrounds: those of every screen, and those that the styles of a widget combine. */
function* pairsOf(world: World, colours: Palette): Generator<{ text: string; ground: string; by?: string }> {
  const isOpaque = (name: string) => colours[name] !== undefined && (colours[name] as string).length === 7
  const first = (names: readonly string[]) => names.find((name) => colours[name] !== undefined)
  const seen = new Set<string>()
  const bar = (name: string) => (colours[name] === undefined ? (barFollows[name] ?? name) : name)
  for (const [text, ground] of pairs.map(([front, back]) => [bar(front), bar(back)] as const)) {
    if (!isOpaque(text) || !isOpaque(ground) || seen.has(`${text} ${ground}`)) continue
    seen.add(`${text} ${ground}`)
    yield { text, ground }
  }
  for (const { type, looks } of world.catalog.widgets)
    for (const [texts, under] of looks?.pairs ?? []) {
      const [text, ground] = [first(texts), first(under)]
      if (text === undefined || ground === undefined || !isOpaque(text) || seen.has(`${text} ${ground}`)) continue
      seen.add(`${text} ${ground}`)
      yield { text, ground, by: type }
    }
}

type Palette = Readonly<Record<string, string>>

/** The resulting colour; a transparent colour is combined with each background. */
function solid(colours: Palette, name: string): string[] {
  const colour = colours[name] as string
  if (colour.length === 7) return [colour]
  return grounds.flatMap((ground) => (colours[ground]?.length === 7 ? [blended(colour, colours[ground] as string)] : []))
}

function blended(colour: string, ground: string): string {
  const alpha = channel(colour, 7) / 255
  const mixed = [1, 3, 5].map((at) => Math.round(channel(colour, at) * alpha + channel(ground, at) * (1 - alpha)))
  return `#${mixed.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

/** Theme names that the styles of widgets use and the theme does not have. */
function* missing(world: World, entry: Entry, doc: ThemeDoc): Generator<LintProblem> {
  const readers = new Map<string, string[]>()
  const read = (at: string, name: string, have: object, type: string) =>
    Object.hasOwn(have, name) || readers.set(below(at, name), [...(readers.get(below(at, name)) ?? []), type])
  for (const { type, looks } of world.catalog.widgets)
    for (const [group, names] of Object.entries(looks?.names ?? {}) as [keyof WidgetLooks['names'], string[]][])
      for (const name of names)
        if (group === 'colour') for (const palette of ['dark', 'light'] as const) read(`/${palette}`, name, doc[palette], type)
        else read(`/${group}`, name, doc[group], type)
  for (const [pointer, types] of readers) {
    const [, group = '', name = ''] = pointer.split('/')
    const others = types.length > 1 ? ` and ${types.length - 1} other widgets` : ''
    const have = Object.keys(doc[group as 'dark' | 'space' | 'radius' | 'type'])
    yield world.report('theme', entry, pointer, `"${group}" has no "${name}", which ${types[0]}${others} use`, {
      suggestion: nearest(name, have),
    })
  }
}

/** Contrast ratio of two colours, from 1 to 21 (WCAG 2). */
export function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = channel(colour, at) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const channel = (colour: string, at: number) => Number.parseInt(colour.slice(at, at + 2), 16)

/** Smaller text is not readable on a phone. */
const typeMinPx = 10

/** Reports things that look alike: duplicate options and forms, equal gain and loss colours, text that is too small. */
export const twice: Check = function* (world) {
  for (const entry of world.entries) {
    if (entry.doc.kind === 'theme') {
      for (const palette of ['dark', 'light'] as const)
        for (const [gain, loss] of [
          ['up', 'down'],
          ['up-text', 'down-text'],
          ['up-soft', 'down-soft'],
        ] as const)
          if (entry.doc[palette][gain] !== undefined && entry.doc[palette][gain]?.toLowerCase() === entry.doc[palette][loss]?.toLowerCase())
            yield world.report(
              'twice',
              entry,
              `/${palette}/${gain}`,
              `"${gain}" and "${loss}" are the same colour, so gains look like losses`,
            )
      for (const [name, px] of Object.entries(entry.doc.type))
        if (px < typeMinPx)
          yield world.report('twice', entry, below('/type', name), `text of ${px} px is too small, at least ${typeMinPx} px are required`)
    }
    const forms = new Set<string>()
    for (const { node, pointer, field, fragment } of entry.own.nodes) {
      if (fragment !== undefined) continue
      const [options, at] = field ? [field.options, `${pointer}/options`] : [node.props?.options, `${pointer}/props/options`]
      yield* chosenTwice(world, entry, options, at)
      const form = node.widget.split('@', 1)[0] === 'form' ? node.props?.form : undefined
      if (typeof form !== 'string') continue
      if (forms.has(form)) yield world.report('twice', entry, `${pointer}/props/form`, `the form "${form}" occurs twice on this screen`)
      forms.add(form)
    }
  }
}

function* chosenTwice(world: World, entry: Entry, options: unknown, pointer: string): Generator<LintProblem> {
  const seen = new Set<string>()
  for (const [i, one] of (Array.isArray(options) ? options : []).entries()) {
    if (!isOption(one)) continue
    if (seen.has(one.id)) yield world.report('twice', entry, `${pointer}/${i}/id`, `"${one.id}" occurs twice in the options`)
    seen.add(one.id)
  }
}
