import { expect, test } from 'vitest'
import { createDrafts, draftKey, draftLimits, draftPrefix } from '#renderer/forms/drafts.ts'

function memory(): Storage & { map: Map<string, string> } {
  const map = new Map<string, string>()
  return {
    map,
    get length() {
      return map.size
    },
    key: (i) => [...map.keys()][i] ?? null,
    getItem: (key) => map.get(key) ?? null,
    setItem: (key, value) => void map.set(key, value),
    removeItem: (key) => void map.delete(key),
    clear: () => map.clear(),
  }
}
const now = (run: () => void) => run()
const amount = { amount: ['decimal', '12'] } as const

test('a draft outlives the page, and is gone when it is empty', () => {
  const storage = memory()
  createDrafts({ storage, later: now }).write('k', amount)
  const after = createDrafts({ storage, later: now })
  expect(after.read('k')).toEqual(amount)
  after.write('k', {})
  expect(storage.map.size).toBe(0)
  expect(createDrafts({ storage, later: now }).read('k')).toEqual({})
})

test('what is forgotten is not read again from storage, which hears of it a moment later', () => {
  const storage = memory()
  createDrafts({ storage, later: now }).write('k', amount)
  let run = () => {}
  const drafts = createDrafts({ storage, later: (write) => void (run = write) })
  drafts.write('k', {})
  expect(storage.map.size).toBe(1)
  expect(drafts.read('k')).toEqual({})
  run()
  expect(storage.map.size).toBe(0)
  expect(drafts.read('k')).toEqual({})
})

test('many keys are written once', () => {
  const storage = memory()
  let run: (() => void) | undefined
  let asked = 0
  const drafts = createDrafts({
    storage,
    later: (later) => {
      asked++
      run = later
    },
  })
  for (let i = 0; i < 50; i++) drafts.write('k', { amount: ['decimal', String(i)] })
  expect([asked, storage.map.size]).toEqual([1, 0])
  run?.()
  expect(JSON.parse(storage.map.get(`${draftPrefix}k`) ?? '')).toEqual({ amount: ['decimal', '49'] })
})

test('bounded: the oldest goes, and what is too long is not written', () => {
  const storage = memory()
  const drafts = createDrafts({ storage, later: now })
  for (let i = 0; i <= draftLimits.draftsMax; i++) drafts.write(`k${i}`, amount)
  expect(drafts.read('k0')).toEqual({})
  expect(storage.map.size).toBe(draftLimits.draftsMax)
  drafts.write('long', { text: ['string', 'x'.repeat(draftLimits.draftLengthMax)] })
  expect(storage.map.has(`${draftPrefix}long`)).toBe(false)
})

test('logging out leaves nothing, of no account, and nothing else is touched', () => {
  const storage = memory()
  storage.setItem('other', '1')
  storage.setItem(`${draftPrefix}7/x?`, JSON.stringify(amount))
  const drafts = createDrafts({ storage, later: now })
  drafts.write('8/x?', amount)
  drafts.forget()
  expect([...storage.map.keys()]).toEqual(['other'])
  expect(drafts.read('8/x?')).toEqual({})
})

test.each(['{', '7', 'null', '[]', '{"a":"b"}', '{"a":[1,2]}', '{"a":["decimal"]}'])('storage that somebody meddled with: %s', (text) => {
  const storage = memory()
  storage.setItem(`${draftPrefix}k`, text)
  expect(createDrafts({ storage, later: now }).read('k')).toEqual({})
})

test('storage that throws is no storage', () => {
  const storage = {
    ...memory(),
    getItem: () => {
      throw new Error('blocked')
    },
    setItem: () => {
      throw new Error('full')
    },
  } as Storage
  const drafts = createDrafts({ storage, later: now })
  drafts.write('k', amount)
  expect(drafts.read('k')).toEqual(amount)
})

test('a draft belongs to a form, an account and a place', () => {
  const keys = [
    draftKey('withdraw', '7', { currency: 1 }),
    draftKey('withdraw', '7', { currency: 2 }),
    draftKey('withdraw', '8', { currency: 1 }),
    draftKey('transfer', '7', { currency: 1 }),
  ]
  expect(new Set(keys).size).toBe(4)
  expect(draftKey('withdraw', '7', { b: 1, a: 2 })).toBe(draftKey('withdraw', '7', { a: 2, b: 1 }))
  expect(draftKey('withdraw', '7', { a: 'x'.repeat(500) })).toBeNull()
})
