import { afterEach, expect, test, vi } from 'vitest'
import { editingStage } from '#console/editor/editing-fixture.tsx'
import { NewDialog } from '#console/editor/list/NewDocument.tsx'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

const routes = 'schemas/routes.json'
const screen = 'schemas/screens/market/market.json'
const files = {
  [routes]: { kind: 'routes', id: 'routes', format: 1, routes: { 'pages/market/movers': { screen: 'market.market' } } },
  [screen]: {
    kind: 'screen',
    id: 'market.market',
    format: 1,
    body: [{ id: 'bar', widget: 'nav-bar', props: { title: { $t: 'market.title' } } }],
  },
  'locales/en/market.json': { title: 'Markets' },
}
let stage: Awaited<ReturnType<typeof editingStage>>
afterEach(() => stage.end())
const inputs = () => [...document.querySelectorAll<HTMLInputElement>('dialog input, [role=dialog] input')]
const make = () => [...document.querySelectorAll<HTMLButtonElement>('button')].find(({ textContent }) => textContent === 'new_make')!

test('a new screen whose address is taken is refused with the name of the screen that has it', async () => {
  stage = await editingStage(files, routes)
  await stage.show(() => <NewDialog onClose={() => undefined} />)
  const [id, , address] = inputs()
  await stage.type(id!, 'market.movers')
  expect(document.body.textContent).toContain('new_route_taken')
  expect(make().disabled).toBe(true)
  await stage.type(address!, '/pages/market/rising')
  expect(document.body.textContent).not.toContain('new_route_taken')
  await stage.press(make())
  expect(JSON.parse(stage.workspace().files[routes] ?? '').routes).toEqual({
    'pages/market/movers': { screen: 'market.market' },
    'pages/market/rising': { screen: 'market.movers' },
  })
})
