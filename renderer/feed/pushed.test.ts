import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PushedDoc } from '#language/documents/documents.ts'
import { scopeOf } from '#language/expression/scope.ts'
import { createUi } from '#renderer/engine/ui.ts'
import { createPushed, isOpen } from '#renderer/feed/pushed.ts'

vi.mock('#renderer/config/screens.ts', () => ({ loadAreas: async () => undefined }))
vi.mock('#renderer/engine/operators.ts', () => ({ loadOperators: async () => undefined }))
beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const doc: PushedDoc = {
  topic: 'news',
  show: { '!': { var: 'item.quiet' } },
  by: { $: 'item.about' },
  one: {
    toast: { $t: 'n.one', what: { $: 'item.what' } },
    tone: { $: 'item.tone' },
    press: [{ go: { $: 'item.link' } }],
  },
  many: { toast: { $t: 'n.many', count: { $: 'value' }, context: { $: 'item.about' } }, press: [{ go: 'pages/all' }] },
} as unknown as PushedDoc
const rows = { call: 'news.list', key: 'id', newest: 'first', by: {} } as const

function stage(where = '/') {
  const ui = createUi(1_500)
  const pressed: string[] = []
  let at = where
  const pushed = createPushed(
    {
      app: () => ({ pushed: [doc] }),
      topics: { news: { about: 'news', rows }, other: { about: 'other' } },
      outer: scopeOf({}),
      say: (key: string, args: object) => `${key} ${JSON.stringify(args)}`,
      ui,
    } as never,
    (steps, scope) => void pressed.push(`${JSON.stringify(steps)} ${(scope.get('item') as { id: number }).id}`),
    () => at,
  )
  const row = (id: number, over: object = {}) => ({
    id,
    what: `w${id}`,
    about: 'a',
    tone: 'success',
    link: `pages/x?id=${id}`,
    quiet: false,
    ...over,
  })
  const tell = (id: number, over: object = {}, change: 'insert' | 'update' = 'insert', topic = 'news') =>
    pushed.take({ topic, change, row: row(id, over) })
  const wait = (ms = 500) => vi.advanceTimersByTimeAsync(ms)
  const shown = () => ui.toasts().map(({ text, tone }) => `${tone} ${text}`)
  return { ui, tell, wait, shown, pressed, goTo: (address: string) => (at = address), pushed }
}

test('a row is shown in the words and the tone of the document, and a press runs its steps', async () => {
  const { tell, wait, shown, pressed, ui } = stage()
  tell(1)
  await wait()
  expect(shown()).toEqual(['success n.one {"what":"w1"}'])
  expect(ui.toasts()[0]!.ms).toBe(5_000)
  ui.toasts()[0]!.press!()
  expect(pressed).toEqual(['[{"go":{"$":"item.link"}}] 1'])
})

test('rows that come together are one toast for each thing, and later ones join it while it is in sight', async () => {
  const { tell, wait, shown, ui } = stage()
  for (const id of [1, 2, 3]) tell(id)
  tell(4, { about: 'b' })
  await wait()
  expect(shown()).toEqual(['info n.many {"count":3,"context":"a"}', 'success n.one {"what":"w4"}'])
  tell(5)
  await wait()
  expect(shown()).toEqual(['success n.one {"what":"w4"}', 'info n.many {"count":4,"context":"a"}'])
  for (const toast of ui.toasts()) ui.drop(toast)
  tell(6)
  await wait()
  expect(shown()).toEqual(['success n.one {"what":"w6"}'])
})

test.each<[string, (at: ReturnType<typeof stage>) => void]>([
  ['a row that was sent again after a reconnect', ({ tell, ui }) => [tell(1), ui].length],
  ['a row that has changed', ({ tell }) => tell(2, {}, 'update')],
  ['a row that the document leaves out', ({ tell }) => tell(2, { quiet: true })],
  ['a row of another topic', ({ tell }) => tell(2, {}, 'insert', 'other')],
  ['a topic without a row', ({ pushed }) => pushed.take({ topic: 'news' })],
])('%s is not shown', async (_says, what) => {
  const at = stage()
  at.tell(1)
  await at.wait()
  for (const toast of at.ui.toasts()) at.ui.drop(toast)
  what(at)
  await at.wait()
  expect(at.shown()).toEqual([])
})

test('a row whose page is open is not shown, nor any while their list is', async () => {
  const { tell, wait, shown, goTo } = stage('/pages/x?id=1&tab=2')
  tell(1)
  await wait()
  goTo('/pages/all')
  tell(2)
  await wait()
  expect(shown()).toEqual([])
  goTo('/pages/x?id=4')
  tell(3)
  await wait()
  expect(shown()).toEqual(['success n.one {"what":"w3"}'])
})

test.each([
  ['/pages/x', 'pages/x', true],
  ['pages/x?id=1&tab=2', 'pages/x?id=1', true],
  ['/pages/x?id=2', 'pages/x?id=1', false],
  ['/pages/x', 'pages/x?id=1', false],
  ['/pages/y?id=1', 'pages/x?id=1', false],
  ['/', '/', true],
])('at %s the page of %s is open: %s', (open, to, isThere) => expect(isOpen(open, to)).toBe(isThere))
