import { describe, expect, test } from 'vitest'
import { addressOf, copyOf, holderOf, newKinds, pathOf, refuseId, templateOf } from '#console/editor/list/templates.rules.ts'
import functions from '#contract/functions/manifest.json'
import contract from '#contract/manifest.json'
import symbols from '#contract/symbols.json'
import topics from '#contract/topics.json'
import { parse } from '#language/documents/parse.ts'
import { lint } from '#language/lint/run.ts'
import type { Catalog } from '#language/types/catalog.ts'
import manifest from '#widgets/manifest.json'

const catalog = { ...manifest, calls: contract, functions, symbols, topics } as unknown as Catalog
const texts = { en: { app: { name: 'Tessera' } } }
const routes = {
  file: 'schemas/routes.json',
  text: JSON.stringify({ kind: 'routes', id: 'routes', format: 1, routes: { '/': { screen: 'area.fresh' } } }),
}

test.for(newKinds)('a new %s passes every check but that nobody uses it', (kind) => {
  const screen = { file: pathOf('screen', 'area.fresh'), text: JSON.stringify(templateOf('screen', 'area.fresh', 'app.name')) }
  const own = { file: pathOf(kind, 'area.fresh'), text: JSON.stringify(templateOf(kind, 'area.fresh', 'app.name')) }
  const { documents, problems } = parse(kind === 'screen' ? [routes, own] : [routes, screen, own])
  // The documents are only those that the new document needs; an app has more.
  const found = [...problems, ...lint(documents, texts, catalog)].filter(({ check }) => check !== 'kinds')
  expect(found.filter(({ severity }) => severity === 'error')).toEqual([])
})

describe('ids', () => {
  test.for([
    ['screen', 'fund.withdraw', 'schemas/screens/fund/withdraw.json'],
    ['form', 'fund.withdraw', 'schemas/forms/fund/withdraw.json'],
    ['prompt', 'withdraw', 'schemas/prompts/withdraw.json'],
    ['quick-entries', 'home', 'schemas/quick-entries/home.json'],
  ] as const)('%s %s stands in %s', ([kind, id, path]) => {
    expect(pathOf(kind, id)).toBe(path)
  })
  test.for([
    ['', 'empty'],
    ['a b', 'letters'],
    ['../x', 'letters'],
    ['9a', 'letters'],
    ['a.', 'letters'],
    ['a'.repeat(81), 'long'],
    ['logout', 'taken'],
    ['log-in', null],
  ] as const)('"%s" is %s', ([id, refusal]) => {
    expect(refuseId('prompt', id, new Set(['schemas/prompts/logout.json']))).toBe(refusal)
  })
})

test('a copy has its own id and finds its schema from its own folder', () => {
  const copy = copyOf({ $schema: '../meta/prompt.schema.json', kind: 'prompt', id: 'a', title: 'x' }, 'prompt', 'b')
  expect(copy).toEqual({ $schema: '../meta/prompt.schema.json', kind: 'prompt', id: 'b', title: 'x' })
  expect(copyOf({ $schema: 'x', kind: 'screen', id: 'a' }, 'screen', 'a.b.c').$schema).toBe('../../../meta/screen.schema.json')
  expect(copyOf({ kind: 'prompt', id: 'a' }, 'prompt', 'b')).not.toHaveProperty('$schema')
})

const addresses = {
  kind: 'routes',
  routes: { '/': { screen: 'home.home' }, 'pages/market/market': { screen: 'market.market', aliases: ['market', 'pages/old'] } },
}
test.for([
  ['/', 'home.home'],
  ['#/', 'home.home'],
  ['pages/market/market', 'market.market'],
  ['/pages/market/market/', 'market.market'],
  ['#/market', 'market.market'],
  ['pages/old', 'market.market'],
  ['pages/market', null],
  ['pages/market/movers', null],
  ['', null],
] as const)('the address %j is held by %s', ([typed, holder]) => {
  expect(holderOf(addresses, addressOf(typed))).toBe(holder)
})
