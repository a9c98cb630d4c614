import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { CallProblem } from '#renderer/calls/api.ts'
import { load, lostBy, outcome, seconds, storage } from '#renderer/calls/perform-call-fixture.ts'
import { awaited } from '#renderer/calls/perform-presses.ts'

type Answer = NonNullable<NonNullable<Parameters<typeof load>[1]>['c']>[number]

beforeEach(() => {
  vi.useFakeTimers({ now: 1_790_000_000_000 })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('an answer that comes', () => {
  test.each<[string, Answer, unknown]>([
    ['is handed on', { id: 9 }, { id: 9 }],
    ['is a refusal', new CallProblem(4101, 'insufficient_balance'), 'problem insufficient_balance'],
    ['is a turn away', new CallProblem(402, 'verification_required'), 'problem verification_required'],
  ])('%s, and nothing is asked, said or kept', async (_name, answer, result) => {
    const at = load(storage(), { c: [answer] })
    expect(await at.press()).toEqual(result)
    expect(at.sent).toEqual(['c k1'])
    expect(at.messages).toEqual([])
    expect(at.keys()).toEqual([])
  })

  test('is waited for with the key on the device, and without what was sent', async () => {
    const kept = storage()
    const at = load(kept, { c: [() => new Promise(() => undefined)] })
    void at.press()
    await seconds(0)
    expect(JSON.parse(kept.get('presses')!)).toEqual([
      { key: 'k1', call: 'c', screen: 's', title: 'withdraw.title', uid: '7', at: Date.now(), tab: expect.any(String) },
    ])
    expect(kept.get('presses')).not.toContain('amount')
  })

  test('to a call without a key is not looked for', async () => {
    const at = load(storage(), { c: [lostBy('timed_out')] })
    expect(await at.press('k1', 'plain')).toBe('problem timed_out')
    expect(at.sent).toEqual(['plain k1'])
  })
})

describe('an answer that is lost', () => {
  const ways = ['network_failed', 'timed_out', 'answer_unreadable', 'outcome_unknown', 'busy', 'internal']
  test.each(ways)('by %s is found, and is as if it had come', async (name) => {
    const at = load(storage(), { c: [lostBy(name)], outcome: [outcome('done', { id: 9 })] })
    expect(await at.press()).toEqual({ id: 9 })
    expect(at.sent).toEqual(['c k1', 'outcome k1'])
    expect(at.heard).toEqual([['c', { id: 9 }]])
    expect(at.messages).toEqual(['engine.checking_text'])
    expect(at.top()).toBeUndefined()
    expect(at.keys()).toEqual([])
  })

  test('is asked for again and again while the server is away, sooner when the network is back, and never called a failure', async () => {
    const wakes = new Set<() => void>()
    vi.stubGlobal('addEventListener', (_: string, wake: () => void) => wakes.add(wake))
    vi.stubGlobal('removeEventListener', (_: string, wake: () => void) => wakes.delete(wake))
    const away = Array.from({ length: 4 }, () => lostBy('network_failed'))
    const at = load(storage(), { c: [lostBy('timed_out')], outcome: [...away, outcome('running'), outcome('done', 'ok')] })
    const pressed = at.press()
    const asked: number[] = []
    for (const wait of [0, 1, 2, 4]) {
      await seconds(wait)
      asked.push(at.sent.length - 1)
    }
    expect(asked).toEqual([1, 2, 3, 4])
    expect(at.top()).toMatchObject({ text: 'engine.checking_text', busy: true, cancel: undefined })
    for (const wake of wakes) wake()
    await seconds(0)
    expect(at.sent).toHaveLength(6)
    await seconds(16)
    expect(await pressed).toBe('ok')
    expect(at.messages).toEqual(['engine.checking_text'])
  })

  test('because it never arrived: sent again with the same key', async () => {
    const at = load(storage(), { c: [lostBy('network_failed'), { id: 1 }], outcome: [outcome('unknown')] })
    const pressed = at.press()
    await seconds(0)
    expect(at.sent).toEqual(['c k1', 'outcome k1'])
    await seconds(1)
    expect(at.sent).toEqual(['c k1', 'outcome k1', 'outcome k1'])
    expect(at.top()?.text).toBe('engine.press_lost_text')
    at.top()?.settle(true)
    expect(await pressed).toEqual({ id: 1 })
    expect(at.sent.slice(3)).toEqual(['c k1'])
    expect(at.keys()).toEqual([])
  })

  test('because it never arrived, and left at that: nothing is sent, and it is told only if it came after all', async () => {
    const kept = storage()
    const at = load(kept, { c: [lostBy('network_failed')], outcome: [outcome('unknown')] })
    const pressed = at.press()
    await seconds(1)
    at.top()?.settle(false)
    expect(await pressed).toBe('left')
    expect(at.sent.filter((one) => one.startsWith('c '))).toHaveLength(1)
    expect(at.keys()).toEqual(['k1'])
    await seconds(1)
    const quiet = load(kept, { outcome: [outcome('unknown')] })
    quiet.settle()
    await seconds(10)
    expect(quiet.messages).toEqual([])
    expect(quiet.keys()).toEqual([])
  })

  test('after the server said that it failed: the failure is true when nothing is left of it', async () => {
    const at = load(storage(), { c: [lostBy('internal', 5001)], outcome: [outcome('unknown')] })
    const pressed = at.press()
    await seconds(1)
    expect(await pressed).toBe('problem internal')
    expect(at.keys()).toEqual([])
  })

  test('that nobody can find is said to be so, not to have failed', async () => {
    const at = load(storage(), { c: [lostBy('busy')], outcome: [lostBy('outcome_unknown', 5002)] })
    const pressed = at.press()
    await seconds(30)
    expect(await pressed).toBe('left')
    expect(at.top()).toMatchObject({ title: 'withdraw.title', text: 'engine.press_open' })
  })

  test('put aside is told later', async () => {
    const at = load(storage(), { c: [lostBy('busy')], outcome: [outcome('running'), outcome('done', 1)] })
    const pressed = at.press()
    await seconds(0)
    at.top()?.settle(true)
    expect(await pressed).toBe('left')
    expect(at.top()).toBeUndefined()
    await seconds(1)
    expect(at.top()).toMatchObject({ title: 'withdraw.title', text: 'engine.press_done', cancel: undefined })
    expect(at.keys()).toEqual([])
  })

  test('and a session that ended meanwhile: nothing is said, and it is asked for after the login', async () => {
    const kept = storage()
    const at = load(kept, { c: [lostBy('network_failed')], outcome: [new CallProblem(401, 'unauthorized')] })
    expect(await at.press()).toBe('left')
    expect(at.keys()).toEqual(['k1'])
    await seconds(1)
    const back = load(kept, { outcome: [outcome('done', 1)] })
    back.root.state = 'visitor'
    back.settle()
    await seconds(5)
    expect(back.sent).toEqual([])
    back.root.state = 'customer'
    back.change()
    await seconds(0)
    expect(back.top()?.text).toBe('engine.press_done')
  })
})

describe('without a network', () => {
  test('nothing is sent, so nothing is looked for', async () => {
    vi.stubGlobal('navigator', { onLine: false })
    const at = load(storage(), { c: [1] })
    expect(await at.press()).toBe('problem network_failed')
    expect(at.sent).toEqual([])
    expect(at.keys()).toEqual([])
  })
})

describe('a press while an earlier one is in doubt', () => {
  async function again(answers: Parameters<typeof load>[1]) {
    const kept = storage()
    void load(kept, { c: [() => new Promise(() => undefined)] }).press('k0')
    await seconds(5)
    // As after a reload: nobody waits for it any more.
    awaited.clear()
    return load(kept, answers)
  }

  test.each([
    [true, { id: 2 }, ['outcome k0', 'c k1']],
    [false, 'left', ['outcome k0']],
  ])('that was received: another one is sent only when the customer says so (%s)', async (agreed, result, sent) => {
    const at = await again({ outcome: [outcome('done', 1)], c: [{ id: 2 }] })
    const pressed = at.press()
    await seconds(0)
    expect(at.top()?.text).toBe('engine.press_earlier')
    at.top()?.settle(agreed)
    expect(await pressed).toEqual(result)
    expect(at.sent).toEqual(sent)
    expect(at.keys()).toEqual([])
  })

  test('that never came goes out without a word', async () => {
    const at = await again({ outcome: [outcome('unknown')], c: [{ id: 2 }] })
    const pressed = at.press()
    await seconds(1)
    expect(await pressed).toEqual({ id: 2 })
    expect(at.messages).toEqual(['engine.checking_text'])
  })

  test('of another call is not held back', async () => {
    const at = await again({ c: [{ id: 2 }] })
    expect(await at.press('k1', 'plain')).toEqual({ id: 2 })
    expect(at.sent).toEqual(['plain k1'])
  })
})

describe('after the customer has left the screen', () => {
  const gone = () => true
  test('a lost press that never arrived is told, and not offered again', async () => {
    const at = load(storage(), { c: [lostBy('timed_out')], outcome: [outcome('unknown')] })
    const pressed = at.press('k1', 'c', gone)
    await seconds(4)
    expect(await pressed).toBe('left')
    expect(at.top()).toMatchObject({ text: 'engine.press_unknown', cancel: undefined })
    expect(at.sent.filter((line) => line.startsWith('c '))).toEqual(['c k1'])
    expect(at.keys()).toEqual([])
  })

  test('a press that waited for an earlier one is not sent, and the earlier one is told', async () => {
    const kept = storage()
    void load(kept, { c: [() => new Promise(() => undefined)] }).press('k0')
    await seconds(0)
    awaited.clear()
    const at = load(kept, { c: ['ok'], outcome: [outcome('done', 'earlier')] })
    expect(await at.press('k1', 'c', gone)).toBe('left')
    expect(at.sent).toEqual(['outcome k0'])
    expect(at.top()).toMatchObject({ text: 'engine.press_done', cancel: undefined })
  })
})
