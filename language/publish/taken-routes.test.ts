import { expect, test } from 'vitest'
import { takenRoutes } from '#language/publish/taken-routes.ts'

const routes = 'schemas/routes.json'
const text = (value: unknown) => JSON.stringify(value, null, 2)
const screens = (...ids: string[]) =>
  Object.fromEntries(ids.map((id) => [`schemas/screens/${id}.json`, text({ kind: 'screen', id, format: 1 })]))
const set = (all: Record<string, unknown>, ...ids: string[]) => ({ ...screens(...ids), [routes]: text({ kind: 'routes', routes: all }) })
const before = set({ '/': { screen: 'home', aliases: ['pages/start'] }, 'pages/market': { screen: 'market' } }, 'home', 'market')
const lost = 'the address "pages/market" shows the screen "market", and the new screen "movers" takes its only address'
const moved = 'the address "pages/market" showed the screen "market" and now shows "movers"'

test.for([
  ['the same routes', before, []],
  [
    'a new screen at a new address',
    set({ ...JSON.parse(before[routes]!).routes, 'pages/movers': { screen: 'movers' } }, 'home', 'market', 'movers'),
    [],
  ],
  [
    'a new screen takes the only address',
    set({ '/': { screen: 'home', aliases: ['pages/start'] }, 'pages/market': { screen: 'movers' } }, 'home', 'market', 'movers'),
    [['error', lost, 11, '/routes/pages~1market/screen']],
  ],
  [
    'the same with slashes',
    set({ '/': { screen: 'home' }, '/pages/market/': { screen: 'movers' } }, 'home', 'market', 'movers'),
    [['error', lost, 8, '/routes/~1pages~1market~1/screen']],
  ],
  [
    'the former screen has another address',
    set({ '/': { screen: 'home' }, 'pages/market': { screen: 'movers' }, 'pages/old': { screen: 'market' } }, 'home', 'market', 'movers'),
    [['warn', moved, 8, '/routes/pages~1market/screen']],
  ],
  [
    'the former screen is removed',
    set({ '/': { screen: 'home' }, 'pages/market': { screen: 'movers' } }, 'home', 'movers'),
    [['warn', moved, 8, '/routes/pages~1market/screen']],
  ],
  [
    'a screen that existed before',
    set({ '/': { screen: 'home' }, 'pages/market': { screen: 'home' } }, 'home', 'market'),
    [['warn', moved.replace('movers', 'home'), 8, '/routes/pages~1market/screen']],
  ],
  [
    'an alias goes to another screen',
    set({ '/': { screen: 'home' }, 'pages/market': { screen: 'market', aliases: ['pages/start'] } }, 'home', 'market'),
    [['warn', 'the address "pages/start" showed the screen "home" and now shows "market"', 8, '/routes/pages~1market/screen']],
  ],
  ['unreadable routes', { ...before, [routes]: '{' }, []],
] as const)('%s', ([, after, found]) => {
  expect(takenRoutes(before, after).map(({ severity, message, line, pointer }) => [severity, message, line, pointer])).toEqual(found)
})

test('without a previous release no address is taken', () => {
  expect(takenRoutes({}, before)).toEqual([])
})
