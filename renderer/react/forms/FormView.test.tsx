import { act } from 'react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { CallProblem } from '#renderer/calls/api.ts'
import { drawn, fieldOf, formDoc, mountForm } from '#renderer/react/forms/form-fixture.tsx'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

let open: Awaited<ReturnType<typeof mountForm>> | undefined
const mount = async (options: Parameters<typeof mountForm>[0]) => {
  open = await mountForm(options)
  drawn.length = 0
  return open
}
const called = () => {
  const calls: unknown[] = []
  return { calls, call: async (name: string, args: unknown) => void calls.push([name, args]) }
}
afterEach(async () => {
  await open?.end()
  open = undefined
  drawn.length = 0
  sessionStorage.clear()
  document.body.replaceChildren()
})

describe('what a key draws', () => {
  const many = Array.from({ length: 200 }, (_, i) => fieldOf(`x${i}`, { required: i % 3 === 0 }))

  test('nothing but the browser: its own field is not drawn again, nor any other of 200', async () => {
    const form = await mount({ doc: formDoc(many) })
    for (const text of ['a', 'ab', 'abc']) await form.type('x7', text)
    expect(drawn).toEqual([])
    expect(form.input('x7')?.value).toBe('abc')
  })

  test('the declared dependents, once for each key that changes them', async () => {
    const last = fieldOf('last', { show: { '===': [{ var: 'form.x7' }, 'ab'] }, hint: { $: 'form.x7' } })
    const form = await mount({ doc: formDoc([...many, last]) })
    await form.type('x7', 'a')
    expect(drawn).toEqual([])
    await form.type('x7', 'ab')
    expect(drawn).toEqual(['last'])
    await form.type('x8', 'b')
    expect(drawn).toEqual(['last'])
    expect(form.input('last')).not.toBeNull()
    await form.type('x7', 'abc')
    expect(form.input('last')).toBeNull()
  })

  test('once a field shows what is wrong, its own field alone', async () => {
    const form = await mount({ doc: formDoc([...many, fieldOf('n', { type: 'decimal' })]) })
    await form.type('n', '1x')
    expect(form.problem('n')).toBeUndefined()
    await form.leave('n')
    expect(form.problem('n')).toBe('not_a_number')
    drawn.length = 0
    await form.type('n', '1')
    expect(drawn).toEqual(['n'])
    expect(form.problem('n')).toBeUndefined()
  })
})

describe('sending', () => {
  test('what is wrong is said, counted and focused, and nothing is sent', async () => {
    const { calls, call } = called()
    const form = await mount({ doc: formDoc([fieldOf('a'), fieldOf('b', { required: true }), fieldOf('c', { required: true })]), call })
    await form.send()
    expect([form.problem('a'), form.problem('b'), form.problem('c')]).toEqual([undefined, 'required', 'required'])
    expect(drawn).toEqual(['b', 'c'])
    expect(document.activeElement).toBe(form.input('b'))
    expect(form.input('b')?.getAttribute('aria-describedby')).toBe('form-b-problem')
    expect(form.box.querySelector('[role=status]')?.textContent).toContain('wrong_count')
    expect(calls).toEqual([])
  })

  test('values as they are, hidden fields not at all', async () => {
    const { calls, call } = called()
    const fields = [
      fieldOf('a'),
      fieldOf('n', { type: 'decimal' }),
      fieldOf('empty'),
      fieldOf('gone', { show: false, required: true, default: 'x' }),
    ]
    const form = await mount({ doc: formDoc(fields), call })
    await form.type('a', '  text ')
    await form.type('n', '1.50')
    await form.send()
    expect(calls).toEqual([['x.send', { a: 'text', n: '1.50', empty: null, gone: undefined }]])
  })

  test('a control that is not native: focus, value, another drawing', async () => {
    const { calls, call } = called()
    const form = await mount({ doc: formDoc([fieldOf('agree', { type: 'boolean', widget: 'flag-field', required: true })]), call })
    const button = form.box.querySelector<HTMLButtonElement>('#form-agree')
    await form.send()
    expect([button?.textContent, document.activeElement === button, calls.length]).toEqual(['required', true, 0])
    await form.press('form-agree')
    expect(button?.textContent).toBe('')
    await form.send()
    expect(calls).toEqual([['x.send', { agree: true }]])
  })

  test.each<[string, (form: Awaited<ReturnType<typeof mount>>) => Promise<void>]>([
    [
      'two taps 30 ms apart',
      async (form) => {
        form.submit()?.click()
        await form.wait(30)
        form.submit()?.click()
      },
    ],
    [
      'Enter and a tap at once',
      async (form) => {
        form.submit()?.form?.requestSubmit()
        form.submit()?.click()
      },
    ],
    [
      'a tap while the first is on its way, long after',
      async (form) => {
        form.submit()?.click()
        await form.wait(600)
        form.submit()?.click()
      },
    ],
  ])('%s: one call, and the button says that it waits', async (_, press) => {
    const calls: unknown[] = []
    let answer = (_data: unknown) => {}
    const form = await mount({
      doc: formDoc([fieldOf('a')]),
      call: (_name, args) => {
        calls.push(args)
        return new Promise((done) => {
          answer = done
        })
      },
    })
    await form.wait(0)
    await act(() => press(form))
    await form.wait(20)
    expect(form.submit()?.getAttribute('aria-busy')).toBe('true')
    await act(async () => answer({}))
    const busy = async () => {
      await form.wait(20)
      return form.submit()?.getAttribute('aria-busy')
    }
    await expect.poll(busy).toBe('false')
    expect(calls.length).toBe(1)
  })

  test('what a document empties after the call is not said to be missing, until it is sent like that', async () => {
    let end = () => {}
    const doc = formDoc([fieldOf('a', { required: true })])
    doc.submit.steps = [{ call: 'x.send', args: {} }, { set: { 'form.a': null } }, { call: 'x.after' }]
    const call = (name: string) => (name === 'x.send' ? Promise.resolve() : new Promise<void>((done) => void (end = done)))
    const form = await mount({ doc, call })
    await form.type('a', '5')
    await form.send()
    await form.wait(10)
    expect([form.input('a')?.value, form.problem('a'), form.submit()?.getAttribute('aria-busy')]).toEqual(['', undefined, 'true'])
    end()
    await form.wait(510)
    expect(form.problem('a')).toBeUndefined()
    await form.send()
    expect(form.problem('a')).toBe('required')
  })

  test('one key for each press', async () => {
    const keys: unknown[] = []
    const doc = formDoc([fieldOf('a')])
    doc.submit.steps = [{ call: 'x.one' }, { call: 'x.two' }]
    const form = await mount({ doc })
    vi.spyOn(form.engine.api, 'call').mockImplementation(async (_name, _args, options) => void keys.push(options?.key))
    await form.send()
    await form.wait(520)
    await form.send()
    const presses = keys.map((key) => String(key).split('.')[0])
    expect([keys.length, new Set(presses).size, new Set(keys).size]).toEqual([4, 2, 4])
  })
})

describe('what the server refuses', () => {
  const refuse = (problem: CallProblem) => async () => {
    throw problem
  }
  test.each<[string, CallProblem, object | undefined]>([
    ['a problem that names a field', new CallProblem(4000, 'parameter_error', 'not like this', 'b'), undefined],
    ['an outcome of the form', new CallProblem(5001, 'insufficient_balance', 'not like this'), { insufficient_balance: { field: 'b' } }],
  ])('%s stands on that field, in focus, until it changes', async (_, problem, errors) => {
    const form = await mount({
      doc: formDoc([fieldOf('a'), fieldOf('b')], errors ? { errors: errors as never } : {}),
      call: refuse(problem),
    })
    await form.type('b', '1')
    await form.send()
    await form.wait(10)
    expect(form.problem('b')).toBe('not like this')
    expect(document.activeElement).toBe(form.input('b'))
    expect(form.engine.ui.toasts()).toEqual([])
    await form.type('b', '2')
    expect(form.problem('b')).toBeUndefined()
  })

  test('a field that does not show cannot say it: a toast does', async () => {
    const fields = [fieldOf('a'), fieldOf('b', { show: false })]
    const form = await mount({ doc: formDoc(fields), call: refuse(new CallProblem(4000, 'parameter_error', 'no', 'b')) })
    await form.send()
    await form.wait(10)
    expect(form.engine.ui.toasts().map(({ text }) => text)).toEqual(['no'])
  })

  test.each([
    ['is asked about once more as it was', undefined, ['5', '5']],
    ['is not asked about when another entry stands there by then', '6', ['5']],
  ])('an old offer %s', async (_, meanwhile, asked) => {
    let refusal: (problem: CallProblem) => void = () => undefined
    const doc = formDoc([fieldOf('a')], { errors: { quote_expired: { retry: 'confirm' } } })
    doc.submit.steps = [{ confirm: 'p', with: { a: { $: 'form.a' } } }, { call: 'x.send' }]
    const prompt = { kind: 'prompt', id: 'p', format: 1, title: { $: 'params.a' } }
    const form = await mount({ doc, documents: { 'prompt/p': prompt }, call: () => new Promise((_done, fail) => (refusal = fail)) })
    const titles: string[] = []
    form.engine.ui.ask = async ({ title }) => titles.push(title) === 1
    await form.type('a', '5')
    await form.send()
    await form.wait(10)
    if (meanwhile) await form.type('a', meanwhile)
    refusal(new CallProblem(4304, 'quote_expired', 'old'))
    await form.wait(520)
    expect(titles).toEqual(asked)
  })
})

test('fields of a group stand side by side where it says so', async () => {
  const groups = [{ id: 'pair', columns: 2 }, { id: 'plain' }]
  const fields = [fieldOf('a', { group: 'pair' }), fieldOf('b', { group: 'pair' }), fieldOf('c', { group: 'plain' })]
  const form = await mount({ doc: formDoc(fields, { groups }) })
  const drawn = [...form.box.querySelectorAll<HTMLElement>('fieldset')]
  expect(drawn.map((one) => [one.dataset.columns, one.style.getPropertyValue('--columns'), one.querySelectorAll('input').length])).toEqual([
    ['2', '2', 2],
    [undefined, '', 1],
  ])
})

describe('a broken field', () => {
  test('leaves the others alive', async () => {
    const form = await mount({
      doc: formDoc([fieldOf('a'), fieldOf('x', { widget: 'bomb-field' }), fieldOf('y', { widget: 'none-field' })]),
    })
    expect([form.input('a') !== null, form.box.querySelectorAll('[data-broken]').length]).toEqual([true, 2])
  })
})

test('entries belong to the parameters of the screen: another market has a form of its own, and the way back finds what was typed', async () => {
  const form = await mount({ doc: formDoc([fieldOf('price', { default: '1' })]) })
  await form.turnTo({ symbol: 'ETH' })
  await form.type('price', '3000')
  await form.turnTo({ symbol: 'BTC' })
  expect(form.input('price')?.value).toBe('1')
  await form.type('price', '50000')
  await form.turnTo({ symbol: 'ETH' })
  expect(form.input('price')?.value).toBe('3000')
})

describe('a button for each option of a field', () => {
  const side = fieldOf('side', { type: 'enum', required: true, options: [{ id: 'buy' }, { id: 'sell' }], props: { tones: { buy: 'up' } } })
  const lots = fieldOf('lots', { required: true })
  const doc = formDoc([side, lots], {
    submit: {
      label: { $: { cat: ['Now ', { var: 'form.side' }] } },
      by: 'side',
      enable: { '!==': [{ var: 'form.side' }, 'never'] },
      steps: [{ call: 'x.send', args: { side: { $: 'form.side' }, lots: { $: 'form.lots' } } }],
    },
  })
  const buttons = (box: ParentNode) => [...box.querySelectorAll<HTMLButtonElement>('[data-submit]')]

  test('is labelled with its option, and there is no control for the field', async () => {
    const { box, input } = await mount({ doc })
    expect(buttons(box).map(({ textContent, type, dataset }) => [textContent, type, dataset.key, dataset.tone])).toEqual([
      ['Now buy', 'button', 'buy', 'up'],
      ['Now sell', 'button', 'sell', undefined],
    ])
    expect(input('side')).toBeNull()
  })

  test('chooses its option and sends, once everything else is right', async () => {
    const { calls, call } = called()
    const { box, type, problem } = await mount({ doc, call })
    await act(async () => buttons(box)[1]?.click())
    expect([calls, problem('lots')]).toEqual([[], 'required'])
    await type('lots', '3')
    await act(async () => buttons(box)[1]?.click())
    expect(calls).toEqual([['x.send', { side: 'sell', lots: '3' }]])
  })

  test('is never meant by Enter in a field', async () => {
    const { calls, call } = called()
    const { box, type } = await mount({ doc, call })
    await type('lots', '3')
    await act(async () => box.querySelector('form')?.requestSubmit())
    expect(calls).toEqual([])
  })
})
