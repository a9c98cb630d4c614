import { describe, expect, test } from 'vitest'
import { createSegment } from '#renderer/device/segment.ts'

function storageOf(kept: Record<string, string>, fail: (name: 'getItem' | 'setItem') => boolean = () => false) {
  const guard = (name: 'getItem' | 'setItem') => {
    if (fail(name)) throw new Error('blocked')
  }
  return {
    getItem(key: string) {
      guard('getItem')
      return kept[key] ?? null
    },
    setItem(key: string, value: string) {
      guard('setItem')
      kept[key] = value
    },
  } as unknown as Storage
}
const device = '00ff00ff00ff00ff'

describe('the segment', () => {
  const rows: [string, Record<string, string>, string][] = [
    ['of a visitor', {}, `0.0.${device}`],
    ['of a customer whose account is not known yet', { 'tessera.segment': '1.0' }, `1.0.${device}`],
    ['of a verified customer', { 'tessera.segment': '1.2' }, `1.2.${device}`],
    ['of a level that there is not', { 'tessera.segment': '1.21' }, `0.0.${device}`],
    ['of a token and an account, which belong to the app', { 'tessera.token': 't', 'tessera.user': '{"level":2}' }, `0.0.${device}`],
  ]
  test.for(rows)('%s', ([, kept, wanted]) => {
    expect(createSegment(storageOf({ 'tessera-client': device, ...kept }))()).toBe(wanted)
  })

  test('follows the session', () => {
    const kept: Record<string, string> = { 'tessera-client': device }
    const segment = createSegment(storageOf(kept))
    expect(segment()).toBe(`0.0.${device}`)
    kept['tessera.segment'] = '1.1'
    expect(segment()).toBe(`1.1.${device}`)
    delete kept['tessera.segment']
    expect(segment()).toBe(`0.0.${device}`)
  })
})

describe('the device', () => {
  const shape = /^0\.0\.[0-9a-f]{16}$/
  test('is drawn once and kept for the next page', () => {
    const kept: Record<string, string> = {}
    const first = createSegment(storageOf(kept))
    expect(first()).toMatch(shape)
    expect(first()).toBe(first())
    expect(createSegment(storageOf(kept))()).toBe(first())
    expect(createSegment(storageOf({}))()).not.toBe(first())
  })
  test.for(['', 'x', '00FF00FF00FF00FF', `${device}0`])('%j is none, and is drawn anew', (bad) => {
    const kept = { 'tessera-client': bad }
    expect(createSegment(storageOf(kept))()).toMatch(shape)
    expect(kept['tessera-client']).toMatch(/^[0-9a-f]{16}$/)
  })
  const blocked: [string, Storage | undefined][] = [
    ['there is none', undefined],
    ['reading is refused', storageOf({}, () => true)],
    ['it is full', storageOf({}, (name) => name === 'setItem')],
  ]
  test.for(blocked)('lasts as long as the page where %s', ([, storage]) => {
    const segment = createSegment(storage)
    expect(segment()).toMatch(shape)
    expect(segment()).toBe(segment())
  })
})
