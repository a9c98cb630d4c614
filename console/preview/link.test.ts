import { expect, test } from 'vitest'
import { written } from '#console/frames/protocol.ts'
import { createLink } from '#console/preview/link.ts'
import type { FromFrame, NodePlace, ToFrame } from '#console/preview/protocol.ts'
import type { PreviewSet } from '#console/preview/sets.ts'

const origin = 'https://tessera.example'
const set = (title: string): PreviewSet =>
  ({
    documents: { 'screen/x': { key: 'screen/x', doc: { title }, computed: { uses: [], areas: [] } } },
    words: {},
  }) as unknown as PreviewSet

function stage() {
  const said: ToFrame[] = []
  const window = { postMessage: (message: ToFrame, to: string) => void (to === origin && said.push(message)) } as unknown as Window
  const picked: (NodePlace | null)[] = []
  let now = 0
  const link = createLink({ origin, now: () => now, onPick: (place) => picked.push(place) })
  link.attach(window)
  const tell = (message: FromFrame, from: string = origin) => link.hear({ origin: from, source: window, data: written(message) })
  return {
    link,
    said,
    picked,
    tell,
    kinds: () => said.splice(0).map(({ kind }) => kind),
    later: (ms: number) => {
      now += ms
    },
  }
}

test('what is wished before the frame is there is said when it comes, and again after a reload', () => {
  const { link, tell, kinds, said } = stage()
  link.switches({ language: 'en', theme: 'dark', customer: false, kyc: 0, data: 'ok' })
  link.open('/pages/common/faq')
  link.show(set('1'))
  expect(kinds()).toEqual([])
  tell({ kind: 'ready' })
  expect(said.find(({ kind }) => kind === 'open')).toMatchObject({ address: '/pages/common/faq' })
  expect(kinds()).toEqual(['switches', 'open', 'select', 'set'])
  tell({ kind: 'where', address: '/pages/market/market', screen: 'market.market', customer: false })
  tell({ kind: 'ready' })
  expect(said.find(({ kind }) => kind === 'open')).toMatchObject({ address: '/pages/market/market' })
  expect(said.find((one) => one.kind === 'set')).toMatchObject({ set: { version: 2, documents: { 'screen/x': { doc: { title: '1' } } } } })
})

test('measures edits, and not the first picture', () => {
  const { link, tell, later } = stage()
  tell({ kind: 'ready' })
  link.show(set('1'), 0)
  later(900)
  tell({ kind: 'drawn', version: 1 })
  expect(link.view()).toMatchObject({ ready: true, ms: null, pictures: 0 })
  link.show(set('2'), 900)
  later(40)
  link.show(set('3'), 940)
  later(60)
  tell({ kind: 'drawn', version: 3 })
  expect(link.view()).toMatchObject({ ms: 60, pictures: 1 })
  tell({ kind: 'drawn', version: 3 })
  expect(link.view().pictures).toBe(1)
})

test('the same set again sends nothing', () => {
  const { link, tell, kinds } = stage()
  tell({ kind: 'ready' })
  const one = set('1')
  link.show(one)
  kinds()
  link.show({ ...one })
  link.show(one)
  expect(kinds()).toEqual([])
})

test('nobody else is heard', () => {
  const { link, tell, picked } = stage()
  tell({ kind: 'ready' }, 'https://evil.example')
  tell({ kind: 'picked', place: { document: 'screen/x', node: 'a' } }, 'https://evil.example')
  link.hear({ origin, source: null, data: written({ kind: 'ready' }) })
  expect([picked, link.view().ready]).toEqual([[], false])
  tell({ kind: 'picked', place: { document: 'screen/x', node: 'a' } })
  expect(picked).toEqual([{ document: 'screen/x', node: 'a' }])
})

test('why is answered once, and null where there is no frame', async () => {
  const { link, tell, said } = stage()
  const place = { document: 'screen/x', node: 'a' } as const
  expect(await link.why(place)).toBeNull()
  tell({ kind: 'ready' })
  const asked = link.why(place)
  const { id } = said.find((one) => one.kind === 'why') as { id: number }
  const answer = { ...place, widget: 'text', shown: false, enabled: true }
  tell({ kind: 'why', id: id + 1, answer: null })
  tell({ kind: 'why', id, answer })
  expect(await asked).toEqual(answer)
})

test('a prompt is opened again after a reload, until it was answered', () => {
  const { link, tell, said, kinds } = stage()
  link.prompt('withdraw')
  tell({ kind: 'ready' })
  expect(said.find(({ kind }) => kind === 'prompt')).toMatchObject({ id: 'withdraw' })
  tell({ kind: 'prompt', id: 'withdraw' })
  expect(link.view().prompt).toBe('withdraw')
  tell({ kind: 'prompt', id: null })
  kinds()
  tell({ kind: 'ready' })
  expect([link.view().prompt, kinds()]).toEqual([null, ['open', 'select']])
})
