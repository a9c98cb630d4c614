import { act } from 'react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { FieldDoc, FormDoc, Logic } from '#language/documents/documents.ts'
import { CallProblem } from '#renderer/calls/api.ts'
import type { SessionRoot } from '#renderer/engine/types.ts'
import { drawn, fieldOf, formDoc, mountForm } from '#renderer/react/forms/form-fixture.tsx'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

let open: Awaited<ReturnType<typeof mountForm>> | undefined
let calls: unknown[] = []
const mount = async (options: Parameters<typeof mountForm>[0]) => {
  open = await mountForm({ call: async (_name, args) => void calls.push(args), ...options })
  drawn.length = 0
  return open
}
const end = async () => {
  await open?.end()
  open = undefined
  document.body.replaceChildren()
}
afterEach(async () => {
  await end()
  calls = []
  sessionStorage.clear()
})

describe('rules', () => {
  const above: Logic = { '>': [{ var: 'value' }, { var: 'form.low' }] }
  const numbers = (more: Partial<FieldDoc>) => [fieldOf('low', { type: 'decimal' }), fieldOf('high', { type: 'decimal', ...more })]
  type Row = [name: string, doc: FormDoc, documents: Record<string, unknown>, typed: Record<string, string>, problem: string | undefined]
  const least = {
    kind: 'validation',
    id: 'least',
    format: 1,
    params: { than: { type: 'decimal' } },
    test: { '>': [{ var: 'value' }, { var: 'params.than' }] },
    message: 'more',
  }
  const rows: Row[] = [
    ['of its own, kept', formDoc(numbers({ rules: [{ test: above, message: 'higher' }] })), {}, { low: '1', high: '2' }, undefined],
    [
      'of its own, broken, exactly',
      formDoc(numbers({ rules: [{ test: above, message: 'higher' }] })),
      {},
      { low: '9.5', high: '9.50' },
      'higher',
    ],
    ['with an empty neighbour as null', formDoc(numbers({ rules: [{ test: above, message: 'higher' }] })), {}, { high: '0' }, 'higher'],
    [
      'not for what is empty and may be',
      formDoc(numbers({ rules: [{ test: { '>': [{ var: 'value' }, 5] }, message: 'no' }] })),
      {},
      {},
      undefined,
    ],
    [
      'that speak of emptiness, for what is empty',
      formDoc([
        fieldOf('high', { rules: [{ test: { or: [{ has: 'value' }, { has: 'form.low' }] }, message: 'one of them' }] }),
        fieldOf('low'),
      ]),
      {},
      {},
      'one of them',
    ],
    [
      'across fields, on the field that they name',
      formDoc(numbers({}), { rules: [{ test: { '>': [{ var: 'form.high' }, { var: 'form.low' }] }, message: 'across', field: 'high' }] }),
      {},
      { low: '3', high: '2' },
      'across',
    ],
    [
      'across fields, with an empty one as null',
      formDoc(numbers({}), { rules: [{ test: { '>': [{ var: 'form.high' }, { var: 'form.low' }] }, message: 'across', field: 'high' }] }),
      {},
      { high: '2' },
      'across',
    ],
    [
      'by name, with what is handed over',
      formDoc(numbers({ rules: [{ use: 'least', with: { than: { $: 'form.low' } } }] })),
      { 'validation/least': least },
      { low: '5', high: '4' },
      'more',
    ],
    [
      'whose inputs are missing cannot check',
      formDoc(numbers({ rules: [{ test: { '>': [{ var: 'value' }, { var: 'data.none.x' }] }, message: 'no' }] })),
      {},
      { high: '4' },
      'cannot_check',
    ],
    ['a bound that has not been loaded cannot check', formDoc(numbers({ max: { $: 'data.none.x' } })), {}, { high: '4' }, 'cannot_check'],
    [
      'a validation without its parameter cannot check',
      formDoc(numbers({ rules: ['least'] })),
      { 'validation/least': least },
      { high: '4' },
      'cannot_check',
    ],
    ['required, if a condition says so', formDoc(numbers({ required: { '>': [{ var: 'form.low' }, 1] } })), {}, { low: '2' }, 'required'],
    ['required, if nobody can tell', formDoc(numbers({ required: { var: 'data.none.x' } })), {}, {}, 'required'],
    [
      'not required, if the condition says no',
      formDoc(numbers({ required: { '>': [{ var: 'form.low' }, 1] } })),
      {},
      { low: '1' },
      undefined,
    ],
  ]
  test.each(rows)('%s', async (_, doc, documents, typed, problem) => {
    const form = await mount({ doc, documents })
    for (const [name, text] of Object.entries(typed)) await form.type(name, text)
    await form.send()
    expect(form.problem('high')).toBe(problem)
    expect(calls.length).toBe(problem === undefined ? 1 : 0)
  })

  test('a warning wants its tick, and another tick for another entry', async () => {
    const rules = [{ test: { '<': [{ var: 'value' }, 100] }, message: 'that is much', level: 'warn' as const }]
    const form = await mount({ doc: formDoc([fieldOf('high', { type: 'decimal', rules })]) })
    await form.type('high', '500')
    await form.send()
    expect([form.problem('high'), calls.length]).toEqual(['that is much', 0])
    expect(form.box.querySelector('[role=status]')?.textContent).toBe('tick_to_go_on')
    const tick = () => act(async () => form.box.querySelector<HTMLInputElement>('[data-tick]')?.click())
    await tick()
    await form.type('high', '600')
    await form.send()
    expect(calls.length).toBe(0)
    await tick()
    await form.send()
    expect(calls).toEqual([{ high: '600' }])
  })

  test('info tells and lets go', async () => {
    const rules = [{ test: false, message: 'know this', level: 'info' as const }]
    const form = await mount({ doc: formDoc([fieldOf('high', { rules })]) })
    await form.type('high', 'x')
    await form.leave('high')
    expect(form.problem('high')).toBe('know this')
    await form.send()
    expect(calls.length).toBe(1)
  })
})

describe('what was entered and not sent', () => {
  const fields = [fieldOf('a'), fieldOf('p', { type: 'password' }), fieldOf('c', { type: 'code' }), fieldOf('d', { draft: false })]
  const enter = async (form: Awaited<ReturnType<typeof mount>>) => {
    for (const name of ['a', 'p', 'c', 'd']) await form.type(name, '123456')
    await form.wait(450)
  }

  test('survives leaving and coming back, but for passwords, codes and what may not be kept', async () => {
    await enter(await mount({ doc: formDoc(fields) }))
    expect(Object.keys(sessionStorage)).toHaveLength(1)
    expect(JSON.stringify(sessionStorage)).not.toMatch(/"p\\"|"c\\"|"d\\"/)
    await end()
    const form = await mount({ doc: formDoc(fields) })
    expect(['a', 'p', 'c', 'd'].map((name) => form.input(name)?.value)).toEqual(['123456', '', '', ''])
  })

  test('comes back when the account is known after the form has opened, and what was entered meanwhile stays', async () => {
    const ann = { logged_in: true, state: 'customer', uid: '7' } as const
    let now: SessionRoot = ann
    await enter(await mount({ doc: formDoc(fields), session: () => now }))
    await end()
    now = { logged_in: true, state: 'checking', uid: '' }
    const form = await mount({ doc: formDoc([...fields, fieldOf('b')]), session: () => now })
    await form.type('b', 'new')
    expect(['a', 'b'].map((name) => form.input(name)?.value)).toEqual(['', 'new'])
    now = ann
    await form.wake('session.uid')
    expect(['a', 'b'].map((name) => form.input(name)?.value)).toEqual(['123456', 'new'])
    await form.wait(450)
    expect(JSON.stringify(sessionStorage)).toContain('new')
  })

  test.each<[string, (form: Awaited<ReturnType<typeof mount>>) => Promise<unknown>]>([
    ['sending', (form) => form.send()],
    ['a reset', (form) => form.press('again')],
  ])('is forgotten by %s', async (_, forget) => {
    const around = [{ id: 'again', widget: 'label', props: { text: 'again' }, on: { press: [{ reset: 'form' as const }] } }]
    const form = await mount({ doc: formDoc([fieldOf('a', { default: 'start' })]), around })
    await form.type('a', 'entered')
    await form.wait(450)
    expect(Object.keys(sessionStorage)).toHaveLength(1)
    await forget(form)
    await form.wait(450)
    expect(Object.keys(sessionStorage)).toHaveLength(0)
  })

  test('stays when the server refuses', async () => {
    const call = async () => {
      throw new Error('down')
    }
    const form = await mount({ doc: formDoc([fieldOf('a')]), call })
    await form.type('a', 'entered')
    await form.send()
    await form.wait(450)
    expect([form.input('a')?.value, Object.keys(sessionStorage).length]).toEqual(['entered', 1])
  })

  test('another revision of the document keeps it where name and type stayed', async () => {
    const form = await mount({ doc: formDoc([fieldOf('a'), fieldOf('b'), fieldOf('p', { type: 'password' })]) })
    for (const name of ['a', 'b', 'p']) await form.type(name, '7')
    form.documents['form/f'] = formDoc([
      fieldOf('new'),
      fieldOf('a', { label: 'A' }),
      fieldOf('b', { type: 'decimal' }),
      fieldOf('p', { type: 'password' }),
    ])
    await form.swap()
    expect(['new', 'a', 'b', 'p'].map((name) => form.input(name)?.value)).toEqual(['', '7', '', '7'])
    expect(form.box.textContent).toContain('A')
    await form.send()
    expect(calls).toEqual([{ new: null, a: '7', b: null, p: '7' }])
  })

  test('holds a release back, and lets it go when it is sent', async () => {
    const form = await mount({ doc: formDoc([fieldOf('a')]) })
    const held: string[] = []
    Object.assign(form.engine, {
      beginBusy: (why: string) => {
        held.push(why)
        return () => held.splice(held.indexOf(why), 1)
      },
    })
    expect(held).toEqual([])
    await form.type('a', 'x')
    await form.type('a', 'xy')
    expect(held).toEqual(['form'])
    await form.type('a', '')
    expect(held).toEqual([])
    await form.type('a', 'x')
    await form.send()
    expect(held).toEqual([])
  })
})

describe('what is typed while the form is sent', () => {
  test('is unsent, and the other fields are not', async () => {
    let come = () => {}
    const call = () => new Promise<void>((done) => void (come = done))
    const form = await mount({ doc: formDoc([fieldOf('a'), fieldOf('b')]), call })
    const held: string[] = []
    Object.assign(form.engine, {
      beginBusy: (why: string) => {
        held.push(why)
        return () => held.splice(held.indexOf(why), 1)
      },
    })
    await form.type('a', 'sent')
    await form.type('b', 'sent')
    await form.send()
    await form.type('a', 'typed')
    await act(async () => come())
    await form.wait(450)
    expect(held).toEqual(['form'])
    const kept = () => Object.values({ ...sessionStorage }).join()
    expect(kept()).toContain('typed')
    expect(kept()).not.toContain('"b"')
    await form.type('a', 'sent')
    expect(held).toEqual([])
  })
})

describe('the screen around', () => {
  const label = (id: string, text: unknown, press?: object[]) => ({
    id,
    widget: 'label',
    props: { text: text as never },
    ...(press && { on: { press: press as never } }),
  })

  test('sees entries, validity and dirtiness, and may write', async () => {
    const around = [
      label('seen', { $: 'form.a' }),
      label('state', { $: { if: [{ valid: [] }, { if: [{ dirty: [] }, 'valid dirty', 'valid'] }, 'wrong'] } }),
      label('most', 'Max', [{ set: { 'form.a': '99.5' } }]),
    ]
    const form = await mount({ doc: formDoc([fieldOf('a', { type: 'decimal', max: '100', default: '1' })]), around })
    expect([form.node('seen')?.textContent, form.node('state')?.textContent]).toEqual(['1', 'valid'])
    await form.type('a', '101')
    expect([form.node('seen')?.textContent, form.node('state')?.textContent]).toEqual(['101', 'wrong'])
    await form.press('most')
    expect([form.input('a')?.value, form.node('seen')?.textContent, form.node('state')?.textContent]).toEqual([
      '99.5',
      '99.5',
      'valid dirty',
    ])
  })

  test('two forms have a scope each', async () => {
    const other = { ...formDoc([fieldOf('a'), fieldOf('z')]), id: 'g' }
    const around = [{ id: 'second', widget: 'form', props: { form: 'g' } }, label('seen', { $: 'form.z' })]
    const form = await mount({ doc: formDoc([fieldOf('a')]), documents: { 'form/g': other }, around })
    await form.type('a', 'one')
    await form.type('a', 'two', 'second')
    await form.type('z', 'last', 'second')
    expect(form.node('seen')?.textContent).toBe('last')
    await form.send()
    await form.send('second')
    expect(calls).toEqual([{ a: 'one' }, { a: 'two', z: 'last' }])
  })

  test('the slots of a form read and write that form, with its named values', async () => {
    const other = { ...formDoc([fieldOf('a')]), id: 'g' }
    const foot = (id: string) => [
      label(`${id}-seen`, { $: 'form.a' }),
      label(`${id}-sum`, { $: 'values.sum' }, [{ set: { 'form.a': `set ${id}` } }]),
    ]
    const around = [{ id: 'second', widget: 'form', props: { form: 'g' }, slots: { foot: foot('second') } }]
    const values = { sum: { cat: [{ var: 'form.a' }, '!'] } }
    const form = await mount({ doc: formDoc([fieldOf('a')]), documents: { 'form/g': other }, around, foot: foot('form'), values })
    await form.type('a', 'one')
    await form.type('a', 'two', 'second')
    const seen = () => ['form-seen', 'form-sum', 'second-seen', 'second-sum'].map((id) => form.node(id)?.textContent)
    expect(seen()).toEqual(['one', 'one!', 'two', 'two!'])
    await form.press('second-sum')
    expect(seen()).toEqual(['one', 'one!', 'set second', 'set second!'])
    expect(form.input('a')?.value).toBe('one')
  })

  test('a default that waits for data comes with it, and never over an entry', async () => {
    let answer: (value: unknown) => void = () => undefined
    const call = (name: string) => (name === 'x.me' ? new Promise((done) => (answer = done)) : Promise.resolve({}))
    const fields = [fieldOf('a', { default: { $: 'data.me.name' } }), fieldOf('b', { default: { $: 'data.me.name' } })]
    const form = await mount({ doc: formDoc(fields), call, data: { me: { call: 'x.me' } } })
    await form.type('b', 'mine')
    await act(async () => answer({ name: 'ann' }))
    await form.settle()
    expect([form.input('a')?.value, form.input('b')?.value]).toEqual(['ann', 'mine'])
  })

  test('the button follows its condition', async () => {
    const doc = formDoc([fieldOf('a', { required: true })])
    doc.submit.enable = { valid: [] }
    const form = await mount({ doc })
    expect(form.submit()?.disabled).toBe(true)
    await form.type('a', 'x')
    expect(form.submit()?.disabled).toBe(false)
  })

  test('an event of a field runs its steps on what is entered', async () => {
    const form = await mount({ doc: formDoc([fieldOf('a', { on: { send: [{ call: 'x.code', args: { to: { $: 'form.a' } } }] } })]) })
    await form.type('a', 'me')
    await act(async () => form.box.querySelector<HTMLButtonElement>('[data-send=a]')?.click())
    expect(calls).toEqual([{ to: 'me' }])
  })
})

describe('a source', () => {
  const doc = formDoc([fieldOf('code', { enable: { has: 'data.info.email' } }), fieldOf('size')])
  const notice = () => open?.box.querySelector('.form-problem')

  test('that the form reads could not be loaded: the form says so and loads it again', async () => {
    let works = false
    const asked = () => calls.length
    const call = async (name: string) => {
      if (name !== 'x.info') return {}
      calls.push(name)
      if (!works) throw new CallProblem(4004, 'not_found')
      return { email: 'a@b.c' }
    }
    const form = await mount({ doc, data: { info: { call: 'x.info' } }, call })
    await form.wait(5)
    expect([notice()?.getAttribute('role'), asked(), form.input('code')?.disabled]).toEqual(['alert', 1, true])
    works = true
    await act(async () => notice()?.querySelector('button')?.click())
    await form.wait(5)
    expect([notice(), asked(), form.input('code')?.disabled]).toEqual([null, 2, false])
  })

  test('that the form does not read failed: the form says nothing', async () => {
    const call = async () => {
      throw new CallProblem(4004, 'not_found')
    }
    const form = await mount({ doc: formDoc([fieldOf('size')]), data: { info: { call: 'x.info' } }, call })
    await form.wait(5)
    expect(notice()).toBeNull()
  })
})
