import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { firstIcons } from '#app/first-icons.ts'
import { coreIcons } from '#widgets/parts/look/core-icons.ts'
import { shownEntries } from '#widgets/quick-entries/fold.rules.ts'

/** Documents whose icons are painted first; what an empty or failed list shows, and entries behind “more”, come later. */
const firstDocuments = ['schemas/quick-entries/home.json', 'schemas/quick-entries/tabs.json', 'schemas/screens/home/home.json']
const later = new Set(['empty', 'error', 'loading', 'stale'])

function iconsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(iconsIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) =>
    later.has(name) ? [] : name === 'icon' && typeof part === 'string' ? [part] : iconsIn(part),
  )
}

/** Columns of the entries on home. */
const columns = 5
const shownIn = (doc: { entries?: readonly unknown[] }) =>
  doc.entries ? doc.entries.slice(0, shownEntries(doc.entries.length, columns, false)) : doc

test.each(firstDocuments)('icons of %s need no chunk of their own', (path) => {
  const icons = iconsIn(shownIn(JSON.parse(readFileSync(path, 'utf8'))))
  expect(icons.length).toBeGreaterThan(1)
  expect(icons.filter((name) => !Object.hasOwn({ ...coreIcons, ...firstIcons }, name))).toEqual([])
})
