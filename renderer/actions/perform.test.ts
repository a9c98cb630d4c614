import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { ErrorOutcome, Step } from '#language/documents/documents.ts'
import { place } from '#renderer/actions/perform-fixture.ts'
import { CallProblem } from '#renderer/calls/api.ts'
import { overlay, RowScope } from '#renderer/core/scope.ts'

describe('steps in order', () => {
  test.each<[string, Step[], string[]]>([
    ['go and back', [{ go: 'pages/x', params: { id: { $: 'params.id' } } }, { back: true }], ['go pages/x {"id":3} false', 'back']],
    ['toast', [{ toast: 'hello', tone: 'success' }], ['toast success hello']],
    ['set on the device', [{ set: { 'device.theme': 'light' } }], ['device theme="light"']],
    ['refresh and more', [{ refresh: ['a', 'b'] }, { more: 'a' }], ['refresh a,b', 'more a']],
    ['if, then', [{ if: { '===': [{ var: 'state.tab' }, 'a'] }, then: [{ back: true }], else: [{ go: '/' }] }], ['back']],
    ['if, else', [{ if: { '===': [{ var: 'state.tab' }, 'b'] }, then: [{ back: true }], else: [{ go: '/' }] }], ['go / {} false']],
    ['a link off the list', [{ link: 'https://evil.test' }, { back: true }], ['toast error engine.link_blocked']],
  ])('%s', async (_name, steps, log) => {
    const at = place()
    await at.act(steps)
    expect(at.log).toEqual(log)
  })

  test('set writes the state that later actions read, nested too', async () => {
    const at = place()
    await at.act([{ set: { 'state.tab': { $: 'value' }, 'state.form.x': 1 } }], undefined, 'b')
    expect(at.store.get('state')).toEqual({ tab: 'b', amount: '5', form: { x: 1 } })
  })
})

describe('steps after a change read the data of then', () => {
  const toast: Step = { toast: { $: { cat: [{ var: 'data.a' }] } } }
  test.each<[name: string, steps: Step[], log: string[]]>([
    ['a refresh', [{ refresh: ['a'] }, toast], ['refresh a', 'toast info new']],
    ['a refresh of another source', [{ refresh: ['b'] }, toast], ['refresh b', 'toast info old']],
    ['a call with a key', [{ call: 'buy' }, toast], ['refresh a', 'toast info new']],
    ['a call with a key, asked once', [{ call: 'buy' }, toast, toast], ['refresh a', 'toast info new', 'toast info new']],
    ['a call with a key and a refresh', [{ call: 'buy' }, { refresh: ['a'] }, toast], ['refresh a', 'toast info new']],
    [
      'a call with a key, in the condition of a branch',
      [{ call: 'buy' }, { if: { '===': [{ var: 'data.a' }, 'new'] }, then: [{ back: true }] }],
      ['refresh a', 'back'],
    ],
    ['a call without a key', [{ call: 'see' }, toast], ['toast info old']],
    ['a call with a key, without reading data', [{ call: 'buy' }, { toast: 'done' }], ['toast info done']],
  ])('%s', async (_name, steps, log) => {
    const at = place({ keyed: 'buy' })
    at.store.setData('a', 'old')
    await at.act(steps)
    expect(at.log).toEqual(log)
  })

  test('the arguments of a call before it are those of the press', async () => {
    const at = place({ keyed: 'buy' })
    at.store.setData('a', 'old')
    await at.act([
      { call: 'buy', args: { a: { $: 'data.a' } } },
      { call: 'see', args: { a: { $: 'data.a' } } },
    ])
    expect(at.calls.map(({ args }) => args)).toEqual([{ a: 'old' }, { a: 'new' }])
  })
})

describe('one snapshot', () => {
  let changed: () => void = () => undefined
  const at = () => {
    const made = place({ onAsk: () => changed() })
    changed = () => made.store.setState('amount', '9999')
    return made
  }
  let now: ReturnType<typeof at>
  beforeEach(() => {
    now = at()
  })

  test('what the prompt shows is what the call sends, whatever changes while it is open', async () => {
    await now.act([
      { confirm: 'p', with: { amount: { $: 'state.amount' } } },
      { call: 'c', args: { amount: { $: 'state.amount' } } },
    ])
    expect(now.log).toEqual(['ask [{"label":"Amount","value":"5"}]'])
    expect(now.calls).toMatchObject([{ name: 'c', args: { amount: '5' } }])
    expect(now.store.get('state')).toMatchObject({ amount: '9999' })
  })
})

describe('what must not happen', () => {
  test('a refused prompt ends the action silently: no call, no toast, no move', async () => {
    const at = place({ agree: false })
    expect(await at.act([{ confirm: 'p' }, { call: 'c' }, { go: '/' }])).toBe('refused')
    expect(at.calls).toEqual([])
    expect(at.log).toEqual(['ask [{"label":"Amount","value":""}]'])
  })

  test('a failed call ends the action and does what the documents say', async () => {
    const fail = async () => Promise.reject(new CallProblem(4302, 'price_stale', 'old price'))
    const at = place({ answer: fail })
    expect(await at.act([{ call: 'c' }, { go: '/' }], { price_stale: { refresh: ['quote'] } })).toBe('failed')
    expect(at.log).toEqual(['refresh quote'])
  })

  test('a problem that no document names is said in the words of the server', async () => {
    const at = place({ answer: async () => Promise.reject(new CallProblem(4000, 'parameter_error', 'wrong parameters')) })
    await at.act([{ call: 'c' }])
    expect(at.log).toEqual(['toast error wrong parameters'])
  })

  test('each press has a key of its own, and each call of a press another', async () => {
    const at = place()
    await at.act([{ call: 'a' }, { call: 'b' }])
    await at.act([{ call: 'a' }])
    expect(new Set(at.calls.map((c) => c.key)).size).toBe(3)
  })

  test.each([
    ['was done', async () => ({})],
    ['was refused', async () => Promise.reject(new CallProblem(4000, 'parameter_error'))],
  ])('what was asked for before a call that %s is not taken for what is true after it', async (_name, answer) => {
    const at = place({ answer })
    at.engine.queries.setQueryData(['balance'], 1)
    await at.act([{ call: 'c' }])
    expect(at.engine.queries.getQueryState(['balance'])?.isInvalidated).toBe(true)
  })

  test('results of the action are read by its later steps only', async () => {
    const at = place({ answer: async () => ({ id: 42 }) })
    await at.act([
      { call: 'a', as: 'receipt' },
      { go: 'pages/r', params: { id: { $: 'result.receipt.id' } } },
    ])
    expect(at.log).toEqual(['go pages/r {"id":42} false'])
    await at.act([{ go: 'pages/r', params: { id: { $: 'result.receipt.id' } } }])
    expect(at.log.at(-1)).toBe('go pages/r {} false')
  })

  test('nested ifs deeper than the limit stop', async () => {
    const nest = (depth: number): Step[] => (depth === 0 ? [{ back: true }] : [{ if: true, then: nest(depth - 1) }])
    const at = place()
    expect(await at.act(nest(4))).toBe('done')
    expect(await at.act(nest(9))).toBe('failed')
    expect(at.log).toEqual(['back'])
  })
})

describe('outcomes of a failed call', () => {
  const old = new CallProblem(4302, 'price_stale', 'old price')
  const wrong = new CallProblem(4000, 'parameter_error', 'wrong amount', 'amount')
  const ended = new CallProblem(401, 'unauthorized', 'log in')
  const rows: [string, CallProblem, Record<string, ErrorOutcome> | undefined, string[]][] = [
    ['on the field that the documents name', old, { price_stale: { field: 'amount' } }, ['field amount: old price']],
    ['as a toast where the form has no such field', old, { price_stale: { field: 'gone' } }, ['toast error old price']],
    [
      'on the field, in the words of the documents',
      old,
      { price_stale: { field: 'amount', message: { $t: 'a.b' } } },
      ['field amount: a.b'],
    ],
    [
      'on the field that the server names, in the words of the documents',
      wrong,
      { '*': { message: { $t: 'a.b' } } },
      ['field amount: a.b'],
    ],
    ['as a toast of those words where the form has no such field', old, { '*': { field: 'gone', message: 'Ask' } }, ['toast error Ask']],
    ['as a toast of those words where nothing names a field', old, { '*': { message: 'Ask' } }, ['toast error Ask']],
    ['in those words where the toast has none of its own', old, { '*': { toast: true, message: 'Ask' } }, ['toast error Ask']],
    ['in the words of the server where the message is empty', old, { '*': { field: 'amount', message: '' } }, ['field amount: old price']],
    [
      'in two ways, where the toast has words of its own',
      old,
      { '*': { field: 'amount', message: 'Ask', toast: 'See the amount' } },
      ['field amount: Ask', 'toast error See the amount'],
    ],
    ['on the field that the server names, without a word of the documents', wrong, undefined, ['field amount: wrong amount']],
    ['in the words of the documents', old, { '*': { toast: { $t: 'a.b' } } }, ['toast error a.b']],
    [
      'written first',
      old,
      { '*': { set: { 'form.code': '', 'state.tab': 'c' }, field: 'amount' } },
      ['form code=""', 'field amount: old price'],
    ],
    ['somewhere else, with the reason', old, { '*': { go: 'pages/x' } }, ['toast error old price', 'go pages/x {} false']],
    ['nowhere when the session is over: that is said once, elsewhere', ended, { '*': { toast: 'no', go: 'pages/x' } }, ['taken']],
    ['written also when the session is over', ended, { '*': { set: { 'form.code': '' }, toast: 'no' } }, ['form code=""', 'taken']],
  ]
  test.each(rows)('%s', async (_name, problem, errors, log) => {
    const at = place({ form: true, answer: async () => Promise.reject(problem) })
    expect(await at.act([{ call: 'c' }, { back: true }], errors)).toBe('failed')
    expect(at.log).toEqual(log)
  })

  test('an old offer is loaded again and asked again, on what is true then and with another key', async () => {
    let tries = 0
    const at = place({ answer: async () => (tries++ === 0 ? Promise.reject(old) : { id: 1 }) })
    const refreshed = at.store
    const times: number[] = []
    at.engine.bus.on('call-failed', () => refreshed.setState('amount', '6'))
    const { ask } = at.engine.ui
    at.engine.ui.ask = (prompt) => {
      times.push(performance.now())
      return ask(prompt)
    }
    const steps: Step[] = [
      { toast: 'begin' },
      { confirm: 'p', with: { amount: { $: 'state.amount' } } },
      { if: { '===': [1, 1] }, then: [{ call: 'c', args: { amount: { $: 'state.amount' } } }] },
      { back: true },
    ]
    expect(await at.act(steps, { price_stale: { refresh: ['quote'], retry: 'confirm' } })).toBe('done')
    expect(at.log).toEqual([
      'toast info begin',
      'ask [{"label":"Amount","value":"5"}]',
      'toast warn old price',
      'refresh quote',
      'ask [{"label":"Amount","value":"6"}]',
      'back',
    ])
    expect(at.calls.map((call) => call.args)).toEqual([{ amount: '5' }, { amount: '6' }])
    expect(new Set(at.calls.map((call) => call.key)).size).toBe(2)
    // A second tap on the first question must find nothing to agree to.
    expect((times[1] as number) - (times[0] as number)).toBeGreaterThanOrEqual(29)
  })
  test('a prompt that is confirmed too late is asked again, on what is true then, and nothing was sent', async () => {
    let now = 0
    let lateMs = 1_001
    const at = place({
      now: () => now,
      onAsk() {
        now += lateMs
        lateMs = 1_000
        at.store.setState('amount', '6')
      },
    })
    const steps: Step[] = [
      { confirm: 'p', with: { amount: { $: 'state.amount' } } },
      { call: 'c', args: { amount: { $: 'state.amount' } } },
    ]
    expect(await at.act(steps)).toBe('done')
    expect(at.log).toEqual(['ask [{"label":"Amount","value":"5"}]', 'toast warn engine.price_old', 'ask [{"label":"Amount","value":"6"}]'])
    expect(at.calls.map((call) => call.args)).toEqual([{ amount: '6' }])
  })
  describe('a prompt whose values no longer apply', () => {
    const steps: Step[] = [
      { confirm: 'p', with: { amount: { $: 'state.amount' } } },
      { call: 'c', args: { amount: { $: 'state.amount' } } },
    ]
    const stale_when = { '!==': [{ var: 'params.amount' }, { var: 'latest.amount' }] }

    test('closes and is asked again as often as that happens, on what is true then', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
      const at = place({ prompt: { stale_when } })
      const { ask } = at.engine.ui
      let amount = 5
      at.engine.ui.ask = async (prompt, until) => {
        const agreed = ask(prompt)
        if (amount === 20) return agreed
        at.store.setState('amount', String(++amount))
        await until
        return agreed
      }
      const acted = at.act(steps)
      await vi.advanceTimersByTimeAsync(10_000)
      expect(await acted).toBe('done')
      expect(at.log.slice(0, 3)).toEqual([
        'ask [{"label":"Amount","value":"5"}]',
        'toast warn engine.prompt_changed',
        'ask [{"label":"Amount","value":"6"}]',
      ])
      expect(at.log.filter((line) => line.startsWith('ask'))).toHaveLength(16)
      expect(at.calls.map((call) => call.args)).toEqual([{ amount: '20' }])
      expect(vi.getTimerCount()).toBe(0)
      vi.useRealTimers()
    })
    test('sends nothing when it is confirmed before it has closed', async () => {
      const at = place({ prompt: { stale_when }, onAsk: () => at.store.setState('amount', '6') })
      expect(await at.act(steps)).toBe('done')
      expect(at.log).toEqual([
        'ask [{"label":"Amount","value":"5"}]',
        'toast warn engine.prompt_changed',
        'ask [{"label":"Amount","value":"6"}]',
      ])
      expect(at.calls.map((call) => call.args)).toEqual([{ amount: '6' }])
    })
    test('stays open while a value is missing', async () => {
      const at = place({
        prompt: { stale_when: { '>': [{ var: 'latest.amount' }, { var: 'params.amount' }] } },
        onAsk: () => at.store.setState('amount', null),
      })
      expect(await at.act(steps)).toBe('done')
      expect(at.calls.map((call) => call.args)).toEqual([{ amount: '5' }])
    })
  })
  test('without a prompt there is nothing to ask again, and nothing is sent twice', async () => {
    const at = place({ answer: async () => Promise.reject(old) })
    expect(await at.act([{ call: 'c' }], { price_stale: { retry: 'confirm' } })).toBe('failed')
    expect(at.calls).toHaveLength(1)
  })
  test('without a new offer there is nothing to ask again', async () => {
    const at = place({ answer: async () => Promise.reject(old), anew: false })
    const steps: Step[] = [{ confirm: 'p', with: { amount: { $: 'state.amount' } } }, { call: 'c' }]
    expect(await at.act(steps, { price_stale: { refresh: ['quote'], retry: 'confirm' } })).toBe('failed')
    expect(at.log).toEqual(['ask [{"label":"Amount","value":"5"}]', 'toast warn old price', 'refresh quote'])
    expect(at.calls).toHaveLength(1)
  })
  test('what was entered since the press is not asked about: it was never sent', async () => {
    let amount = '5'
    const at = place({ answer: async () => Promise.reject(old) })
    at.engine.bus.on('call-failed', () => void (amount = '6'))
    const scope = { get: (root: string) => (root === 'form' ? { amount } : at.store.get(root)) }
    const steps: Step[] = [{ confirm: 'p', with: { amount: { $: 'form.amount' } } }, { call: 'c' }]
    expect(await at.act(steps, { '*': { refresh: ['quote'], retry: 'confirm' } }, undefined, overlay(scope, {}))).toBe('failed')
    expect(at.log).toEqual(['ask [{"label":"Amount","value":"5"}]', 'toast warn old price', 'refresh quote'])
  })
  test('an offer that is always old is not asked for ever', async () => {
    const at = place({ answer: async () => Promise.reject(old) })
    expect(await at.act([{ confirm: 'p' }, { call: 'c' }], { price_stale: { retry: 'confirm' } })).toBe('failed')
    expect(at.calls.length).toBeLessThan(20)
  })
})

test('return, reset and writes to the form reach those who do them', async () => {
  const at = place({ form: true })
  await at.act([{ set: { 'form.amount': '1' } }, { reset: 'form' }, { return: true }])
  expect(at.log).toEqual(['form amount="1"', 'reset', 'return'])
})

describe('data that answers other arguments', () => {
  const quote = { id: 7 }
  const send: Step = { call: 'exchange', args: { quote: { $: 'data.quote.id' } } }
  const loading = ['toast warn engine.still_loading']
  test.each<[string, Step[]]>([
    ['sent', [send]],
    ['asked about', [{ confirm: 'p', with: { amount: { $: 'data.quote.id' } } }, { call: 'exchange' }]],
    ['decided by', [{ if: { '===': [{ var: 'data.quote.id' }, 7] }, then: [{ back: true }], else: [{ go: '/' }] }]],
    ['written', [{ set: { 'state.tab': { $: 'data.quote.id' } } }]],
  ])('is not %s: the customer is told that it is still loading', async (_name, steps) => {
    const at = place()
    at.store.setData('quote', quote, true)
    expect(await at.act(steps)).toBe('refused')
    expect([at.log, at.calls, at.store.get('state')]).toEqual([loading, [], { tab: 'a', amount: '5' }])
  })

  test('does not stop an action that reads something else', async () => {
    const at = place()
    at.store.setData('quote', quote, true)
    at.store.setData('other', { id: 1 })
    await at.act([{ go: 'pages/x', params: { id: { $: 'data.other.id' } } }])
    expect(at.log).toEqual(['go pages/x {"id":1} false'])
  })

  test('does not swallow what is told after a call', async () => {
    const at = place()
    at.store.setData('quote', quote, true)
    await at.act([{ call: 'c' }, { toast: { $: { cat: ['sent ', { var: ['data.quote.id', ''] }] } } }])
    expect(at.log).toEqual(['toast info sent '])
  })

  test('is not read from a row of it', async () => {
    const at = place()
    const row = new RowScope(at.store, { id: 3 }, 0)
    const open: Step[] = [{ go: 'pages/x', params: { id: { $: 'item.id' } } }]
    await at.act(open, undefined, undefined, row)
    row.update({ id: 3 }, 0, true)
    expect(await at.act(open, undefined, undefined, row)).toBe('refused')
    expect(at.log).toEqual(['go pages/x {"id":3} false', ...loading])
  })
})
