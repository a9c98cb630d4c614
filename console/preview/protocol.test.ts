import { describe, expect, test } from 'vitest'
import { written } from '#console/frames/protocol.ts'
import { readFromFrame, readToFrame, type ToFrame } from '#console/preview/protocol.ts'

const origin = 'https://tessera.example'
const frame = {}
const from = { origin, window: frame }
const place = { document: 'screen/home.home', node: 'title' } as const
const event = (data: unknown, change: Partial<{ origin: string; source: unknown }> = {}) => ({ origin, source: frame, data, ...change })

describe('what the frame takes from the console', () => {
  const switches = { language: 'en', theme: 'dark', customer: false, kyc: 0, data: 'ok' } as const
  test.each<[string, ToFrame]>([
    ['a set', { kind: 'set', set: { version: 1, documents: {}, words: {} } }],
    ['switches', { kind: 'switches', switches }],
    ['a page', { kind: 'open', address: '/pages/market/market?symbol=BTCUSDT' }],
    ['a prompt', { kind: 'prompt', id: 'withdraw' }],
    ['no prompt', { kind: 'prompt', id: null }],
    ['a selection', { kind: 'select', place }],
    ['no selection', { kind: 'select', place: null }],
    ['a question', { kind: 'why', id: 1, place }],
  ])('%s', (_, message) => {
    expect(readToFrame(event(written(message)), from)).toMatchObject(message)
  })

  const good = written({ kind: 'open', address: '/' })
  test.each<[string, ReturnType<typeof event>]>([
    ['another origin', event(good, { origin: 'https://evil.example' })],
    ['no origin', event(good, { origin: 'null' })],
    ['another window of this origin', event(good, { source: {} })],
    ['a window that is gone', event(good, { source: null })],
    ['something of another channel', event({ kind: 'open', address: '/' })],
    ['a text', event('open')],
    ['nothing', event(null)],
    ['a list', event([good])],
    ['an unknown kind', event({ ...good, kind: 'eval' })],
    ['a kind of every object', event({ ...good, kind: 'constructor' })],
    ['what only the frame says', event({ ...good, kind: 'ready' })],
    ['an address of somewhere else', event({ ...good, address: 'https://evil.example' })],
    ['an address without end', event({ ...good, address: `/${'x'.repeat(3_000)}` })],
    ['a level that there is not', event({ ...good, kind: 'switches', switches: { ...switches, kyc: 9 } })],
    ['a state that there is not', event({ ...good, kind: 'switches', switches: { ...switches, data: 'gone' } })],
    ['a prompt without a name', event({ ...good, kind: 'prompt', id: '' })],
    ['a set without documents', event({ ...good, kind: 'set', set: { version: 1, words: {} } })],
    ['a place without a document', event({ ...good, kind: 'why', id: 1, place: { node: 'a' } })],
  ])('not from %s', (_, one) => {
    expect(readToFrame(one, from)).toBeUndefined()
  })
})

describe('what the console takes from the frame', () => {
  test.each([
    [{ kind: 'ready' } as const],
    [{ kind: 'drawn', version: 3 } as const],
    [{ kind: 'where', address: '/', screen: 'home.home', customer: true } as const],
    [{ kind: 'picked', place } as const],
    [{ kind: 'dry', run: { id: '1', call: 'user.login', args: {}, at: 1 } } as const],
    [{ kind: 'broken', reason: 'x' } as const],
  ])('%j', (message) => {
    expect(readFromFrame(event(written(message)), from)).toMatchObject(message)
    expect(readFromFrame(event(written(message), { origin: 'https://evil.example' }), from)).toBeUndefined()
    expect(readToFrame(event(written(message)), from)).toBeUndefined()
  })
})
