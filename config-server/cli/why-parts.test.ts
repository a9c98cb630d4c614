import { expect, test } from 'vitest'
import { partsOf } from '#config-server/cli/why-parts.ts'
import { parse } from '#language/documents/parse.ts'
import { createWorld } from '#language/lint/world.ts'
import { catalog } from '#language/testdata/catalog.ts'

const entry = { id: 'mine', icon: 'home', label: 'Mine', to: '/', show: 'session.logged_in' }

test.for([
  ['an entry', entry, ['/entries/0/show']],
  ['a hidden entry, whatever its own condition says', { ...entry, hidden: true }, ['/entries/0/hidden', '/entries/0/show']],
] as const)('%s', ([, one, pointers]) => {
  const text = JSON.stringify({ kind: 'quick-entries', id: 'tabs', format: 1, entries: [one] })
  const world = createWorld(parse([{ file: 'tabs.json', text }]).documents, {}, catalog)
  const [part] = partsOf(world.entries[0]!, world)
  const conditions = part!.conditions({})
  expect(conditions.map(({ pointer }) => pointer)).toEqual(pointers)
  expect(conditions[0]?.logic).toEqual(pointers.length === 1 ? 'session.logged_in' : false)
})
