import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '#config-server/cli.ts'
import { catalog } from '#language/testdata/catalog.ts'
import { documents, filesOf } from '#language/testdata/project.ts'

let root = ''
const put = (file: string, value: unknown) => {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), typeof value === 'string' ? value : JSON.stringify(value))
}
async function cfg(...argv: string[]): Promise<{ status: number; text: string }> {
  let text = ''
  const status = await run(argv, root, (line) => {
    text += line
  })
  return { status, text }
}
const putCalls = (...planned: string[]) =>
  put(
    'contract/manifest.json',
    catalog.calls.map((call) => (planned.includes(call.name) ? { ...call, planned: true } : call)),
  )

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'cfg-planned-'))
  for (const { file, text } of filesOf(documents())) put(file, text)
  put('widgets/manifest.json', { widgets: catalog.widgets, icons: catalog.icons })
  put('contract/functions/manifest.json', [])
  put('contract/symbols.json', [])
  put('contract/topics.json', [])
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

test('planned calls are listed with their places, and a page that is open to customers is status 1', async () => {
  putCalls()
  expect(await cfg('planned')).toEqual({ status: 0, text: '0 planned calls' })
  putCalls('order.place')
  const { status, text } = await cfg('planned')
  expect(status).toBe(1)
  expect(text).toMatch(/^order\.place: .*\n {4}schemas\/forms\/order\.json:\d+ \S+ open to customers\n1 planned calls$/)
  expect((await cfg('lint')).text).toMatch(/error planned .*\n\s+no server answers "order.place" yet/)
})
test('warnings of planned calls are one line with their number, and a flag lists them', async () => {
  putCalls('order.place')
  const routes = documents()['schemas/routes.json']
  const off = Object.fromEntries(Object.entries(routes.routes).map(([path, route]) => [path, { ...route, off: true }]))
  put('schemas/routes.json', { ...routes, routes: off })
  const folded = (await cfg('lint')).text
  expect(folded).toMatch(/^planned: 1 place names a call that no server answers yet; --planned lists it$/m)
  expect(folded).not.toContain('order.place')
  const all = (await cfg('lint', '--planned')).text
  expect(all).toMatch(/warn planned .*\n\s+no server answers "order.place" yet/)
  expect(all).not.toMatch(/^planned:/m)
  expect(all.split('\n').at(-1)).toBe(folded.split('\n').at(-1))
  put('schemas/routes.json', routes)
})
test.each([[['new-set', 'ieo', 'more']], [['new-set']]])('%j writes nothing', async (argv) => {
  expect((await cfg(...argv)).status).toBe(1)
})
