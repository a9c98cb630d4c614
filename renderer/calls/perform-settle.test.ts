import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { load, outcome, seconds, storage } from '#renderer/calls/perform-call-fixture.ts'
import { awaited } from '#renderer/calls/perform-presses.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: 1_790_000_000_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('after a reload', () => {
  async function reload(answers: Parameters<typeof load>[1], uid = '7') {
    const kept = storage()
    void load(kept, { c: [() => new Promise(() => undefined)] }).press('k0')
    await seconds(5)
    awaited.clear()
    const at = load(kept, answers, uid)
    at.settle()
    return at
  }

  test('what was done is told by the title of its screen', async () => {
    const at = await reload({ outcome: [outcome('running'), outcome('done', 1)] })
    await seconds(2)
    expect(at.top()).toMatchObject({ title: 'withdraw.title', text: 'engine.press_done' })
    expect(at.keys()).toEqual([])
    expect(at.sent).toEqual(['outcome k0', 'outcome k0'])
  })

  test('what never came is told once the server has said so three times', async () => {
    const at = await reload({ outcome: [outcome('unknown')] })
    await seconds(1)
    expect(at.messages).toEqual([])
    await seconds(2)
    expect(at.messages).toEqual(['engine.press_unknown'])
    expect(at.sent).toHaveLength(3)
  })

  test('nothing of another customer is asked for', async () => {
    const at = await reload({ outcome: [outcome('done', 1)] }, '8')
    await seconds(60)
    expect(at.sent).toEqual([])
    expect(at.keys()).toEqual(['k0'])
  })

  test.each(['nonsense', '{}', '[1,null,{"key":"x"}]', '[{"key":"k","call":"c","screen":"s","title":"","uid":"7","tab":"t","at":1}]'])(
    'what is kept as %s is nothing',
    async (text) => {
      const at = load(new Map([['presses', text]]))
      at.settle()
      await seconds(60)
      expect(at.sent).toEqual([])
      expect(at.messages).toEqual([])
    },
  )

  test('another tab is left alone for as long as it may be waiting itself', async () => {
    const press = { key: 'k', call: 'c', screen: 's', title: '', uid: '7', tab: 'another', at: Date.now() - 60_000 }
    const at = load(new Map([['presses', JSON.stringify([press])]]), { outcome: [outcome('done', 1)] })
    at.settle()
    await seconds(5)
    expect(at.sent).toEqual([])
    await seconds(115)
    expect(at.top()).toMatchObject({ title: 'engine.press_untitled', text: 'engine.press_done' })
  })
})
