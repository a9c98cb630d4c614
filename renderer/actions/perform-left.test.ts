import { describe, expect, test } from 'vitest'
import type { ErrorOutcome, Step } from '#language/documents/documents.ts'
import { place } from '#renderer/actions/perform-fixture.ts'
import { CallProblem } from '#renderer/calls/api.ts'
import { createVisits } from '#renderer/engine/visits.ts'

/** An action whose call `c` is answered when the customer has left the screen. */
function late(options: { refuse?: CallProblem; keyed?: boolean; stays?: boolean } = {}) {
  let answer: () => void = () => undefined
  const came = new Promise<void>((resolve) => (answer = resolve))
  const at = place({
    form: true,
    ...(options.keyed && { keyed: 'c' }),
    answer: async () => {
      await came
      if (options.refuse) throw options.refuse
      return { id: 9 }
    },
  })
  const run = async (steps: Step[], errors?: Record<string, ErrorOutcome>) => {
    const running = at.act(steps, errors)
    if (!options.stays) at.leave()
    answer()
    return running
  }
  return { ...at, run }
}

describe('an answer that comes after its screen was left', () => {
  test.each<[string, Step]>([
    ['go', { go: 'pages/common/contactus' }],
    ['back', { back: true }],
    ['return', { return: true }],
    ['link', { link: 'https://tessera.example/' }],
    ['share', { share: { url: 'https://tessera.example/' } }],
  ])('does not move the customer by %s, and the rest goes on', async (_name, step) => {
    const at = late()
    expect(await at.run([{ call: 'c' }, step, { toast: 'done' }, { refresh: ['a'] }])).toBe('done')
    expect(at.log).toEqual(['toast info done', 'refresh a'])
  })

  test('opens no sheet, and still writes what the screen keeps', async () => {
    const at = late()
    await at.run([{ call: 'c' }, { open: 'sheet' }, { set: { 'state.tab': 'b', 'device.theme': 'light' } }])
    expect(at.store.openedSheet()).toBeUndefined()
    expect(at.store.get('state')).toMatchObject({ tab: 'b' })
    expect(at.log).toEqual(['device theme="light"'])
  })

  test.each<[string, Step]>([
    ['a prompt', { confirm: 'p' }],
    ['a file', { upload: {}, as: 'file' }],
  ])('asks for no %s, and does nothing that would have followed it', async (_name, step) => {
    const at = late()
    expect(await at.run([{ call: 'c' }, step, { call: 'd' }, { toast: 'sent' }])).toBe('refused')
    expect(at.calls.map(({ name }) => name)).toEqual(['c'])
    expect(at.log).toEqual([])
  })

  test('is no call at all where the prompt before it had not come by then', async () => {
    const at = late()
    expect(await at.run([{ confirm: 'p' }, { call: 'c' }])).toBe('refused')
    expect([at.log, at.calls]).toEqual([[], []])
  })

  test('does all of that while the screen is still there', async () => {
    const at = late({ stays: true })
    await at.run([{ call: 'c' }, { confirm: 'p' }, { open: 'sheet' }, { back: true }])
    expect(at.store.openedSheet()).toBe('sheet')
    expect(at.log).toEqual(['ask [{"label":"Amount","value":""}]', 'back'])
  })

  test('moves on after a move of its own', async () => {
    const at = late({ stays: true })
    at.engine.back = () => at.log.push('back') && at.leave()
    await at.run([{ call: 'c' }, { back: true }, { go: 'pages/x' }])
    expect(at.log).toEqual(['back', 'go pages/x {} false'])
  })
})

describe('a call with a key that is answered after its screen was left', () => {
  const steps: Step[] = [{ call: 'c' }, { go: 'pages/fund/records' }]

  test('is told, although the screen that would have shown it is not opened', async () => {
    const at = late({ keyed: true })
    await at.run(steps)
    expect(at.log).toEqual(['toast success engine.press_done_of'])
    expect(at.presses() ?? null).toBeNull()
  })

  test('is told once where the document has words for it', async () => {
    const at = late({ keyed: true })
    await at.run([{ call: 'c' }, { toast: 'sent', tone: 'success' }, { go: 'pages/fund/records' }])
    expect(at.log).toEqual(['toast success sent'])
  })

  test('is told by the document alone while the screen is still there', async () => {
    const at = late({ keyed: true, stays: true })
    await at.run(steps)
    expect(at.log).toEqual(['go pages/fund/records {} false'])
  })

  const refused = new CallProblem(4101, 'insufficient_balance', 'not enough', 'amount')
  test.each<[string, Record<string, ErrorOutcome> | undefined, string[]]>([
    ['a field', undefined, ['toast error not enough']],
    ['a field that the document names', { '*': { field: 'amount' } }, ['toast error not enough']],
    ['another page', { '*': { go: 'pages/fund/recharge' } }, ['toast error not enough']],
    ['a prompt', { '*': { retry: 'confirm', refresh: ['quote'] } }, ['toast warn not enough', 'refresh quote']],
    ['nothing but a reload', { '*': { refresh: ['quote'] } }, ['toast error not enough', 'refresh quote']],
  ])('tells its refusal as a toast, not by %s', async (_name, errors, log) => {
    const at = late({ keyed: true, refuse: refused })
    expect(await at.run(steps, errors)).toBe('failed')
    expect(at.log).toEqual(log)
  })
})

describe('visits', () => {
  test('each entry of the history is another one, also back on the one before', () => {
    let entry = 'a #/x'
    const visits = createVisits(() => entry)
    const seen = [visits.current(), visits.current()]
    entry = 'b #/x'
    seen.push(visits.current())
    entry = 'a #/x'
    seen.push(visits.current())
    expect(seen.map((n) => n - (seen[0] as number))).toEqual([0, 0, 1, 2])
  })

  test('a move of the app ends the visit before the browser has arrived', () => {
    let entry = 'a #/x'
    const visits = createVisits(() => entry)
    const mover = visits.endedBy({ go: (address) => (entry = `b #${address}`), back: () => undefined })
    const first = visits.current()
    mover.go('/y', false)
    const second = visits.current()
    mover.back()
    expect([second - first, visits.current() - second]).toEqual([1, 1])
  })
})
