import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WidgetLooks } from '#language/types/catalog.ts'

/** Theme names that the styles of a widget use, from its files and from the parts that it imports. */

const importLine = /(?:from|import)\s*\(?'#(widgets\/[^']+|renderer\/react\/[^']+\.css)'/g
const scales = ['space', 'radius', 'type'] as const

/** Files of a widget: its folder and its imports from widgets/. */
function filesOf(root: string, folder: string): string[] {
  const seen = new Set<string>()
  const open = readdirSync(join(root, folder))
    .filter((name) => /\.(?:css|tsx?)$/.test(name) && !name.includes('.test.'))
    .map((name) => `${folder}/${name}`)
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue
    seen.add(file)
    if (!file.endsWith('.css'))
      open.push(...[...readFileSync(join(root, file), 'utf8').matchAll(importLine)].map(([, path]) => path as string))
  }
  return [...seen].sort()
}

/**
 * Names that styles or views define themselves; all other names belong to the theme.
 * @param folders folders that contain folders of widgets, relative to the project
 */
export function ownNames(root: string, folders: readonly string[]): ReadonlySet<string> {
  const names = new Set<string>()
  for (const room of [...folders, 'renderer', 'app'])
    for (const name of readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })) {
      if (!/\.(?:css|tsx?)$/.test(name) || name.includes('.test.')) continue
      const text = readFileSync(join(root, room, name), 'utf8')
      const found = name.endsWith('.css') ? text.matchAll(/[{;\s]--([\w-]+)\s*:/g) : text.matchAll(/'--([\w-]+)'\s*[,:\]]/g)
      for (const [, own] of found) names.add(own as string)
    }
  return names
}

/**
 * @param folder of the widget, relative to the project
 * @param own names that are not the theme's
 */
export function looksOf(root: string, folder: string, own: ReadonlySet<string>): WidgetLooks {
  const groups = { colour: new Set<string>(), space: new Set<string>(), radius: new Set<string>(), type: new Set<string>() }
  const pairs = new Map<string, [string[], string[]]>()
  for (const file of filesOf(root, folder).filter((name) => name.endsWith('.css'))) {
    const css = readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
    // A name with a fallback may be missing.
    for (const [, name = ''] of css.matchAll(/var\(--([\w-]+)\)/g)) {
      if (own.has(name)) continue
      const scale = scales.find((one) => name.startsWith(`${one}-`))
      groups[scale ?? 'colour'].add(scale ? name.slice(scale.length + 1) : name)
    }
    for (const [, body = ''] of css.matchAll(/\{([^{}]*)\}/g)) {
      const [text, ground] = [
        coloursOf(body, /(?:^|[;\s])color\s*:\s*([^;]+)/),
        coloursOf(body, /(?:^|[;\s])background(?:-color)?\s*:\s*([^;]+)/),
      ]
      if (text && ground && ![...text, ...ground].some((name) => own.has(name))) pairs.set(JSON.stringify([text, ground]), [text, ground])
    }
  }
  const sorted = (names: ReadonlySet<string>) => [...names].sort()
  return {
    names: { colour: sorted(groups.colour), space: sorted(groups.space), radius: sorted(groups.radius), type: sorted(groups.type) },
    pairs: [...pairs].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, pair]) => pair),
  }
}

/** `var(--action, var(--accent))` gives action, or accent when the theme has no action. Undefined for a computed colour. */
function coloursOf(body: string, property: RegExp): string[] | undefined {
  const value = property.exec(body)?.[1]?.trim() ?? ''
  return /^var\(--[\w-]+(?:,\s*var\(--[\w-]+\))?\)$/.test(value)
    ? [...value.matchAll(/--([\w-]+)/g)].map(([, name]) => name as string)
    : undefined
}
