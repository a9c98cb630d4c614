import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Manifest } from '#language/publish/release.ts'
import { isUsable } from '#renderer/config/release-check.ts'
import { createRegistry } from '#renderer/core/registry.ts'
import { badInputs, nameOf } from '#tests/support/bad-inputs.ts'

type Part = Record<string, unknown>
const file = (name: string) => JSON.parse(readFileSync(`schemas/${name}.json`, 'utf8')) as Part
const documents = { 'app/app': file('app'), 'routes/routes': file('routes'), 'theme/theme': file('theme') }
const manifestOf = (changes: Record<string, unknown>): Manifest => {
  const all = Object.entries({ ...documents, ...changes })
  return {
    release: 1,
    hash: 'h',
    locale: 'en',
    documents: Object.fromEntries(all.map(([key]) => [key, { sha256: key, uses: [], areas: [] }])),
    texts: {},
    inline: Object.fromEntries(all.filter(([, doc]) => doc !== undefined)),
  }
}
const app = (more: Part) => ({ 'app/app': { ...documents['app/app'], ...more } })
const routes = (table: unknown) => ({ 'routes/routes': { ...documents['routes/routes'], routes: table } })

test.each<[string, Record<string, unknown>, boolean]>([
  ['the documents of the product', {}, true],
  ['an app document that is not there', { 'app/app': undefined }, false],
  ['an app document that is null', { 'app/app': null }, false],
  ['no constants', app({ constants: null }), false],
  ['nothing on the device', app({ device: undefined }), false],
  ['a device value that is null', app({ device: { theme: null } }), false],
  ['no languages', app({ languages: [] }), false],
  ['a language without a tag', app({ languages: [{ id: 'en', label: 'English' }] }), false],
  ['a tag that is none', app({ languages: [{ id: 'en', label: 'English', tag: 'x_y z' }] }), false],
  ['a default language that is not offered', app({ defaultLanguage: 'xx' }), false],
  ['no tab bar', app({ tabBar: null }), false],
  ['a tab bar that this build does not have: its wall stands in', app({ tabBar: { id: 'tabs', widget: 'hologram' } }), true],
  ['no routes', routes(null), false],
  ['a route that is null', routes({ '/': { screen: 'home.home' }, x: null }), false],
  ['no way home', routes({ 'pages/x': { screen: 'x' } }), false],
  ['no colours', { 'theme/theme': { ...documents['theme/theme'], dark: null } }, false],
  ['no theme', { 'theme/theme': [] }, false],
])('%s', (_name, changes, sound) => {
  expect(isUsable(manifestOf(changes), createRegistry([]))).toBe(sound)
})

test.each(badInputs('config-doc').map((line) => [nameOf(line), line.value] as const))('none of the grounds may be %s', (_name, value) => {
  for (const key of Object.keys(documents)) expect(isUsable(manifestOf({ [key]: value }), createRegistry([]))).toBe(false)
})
