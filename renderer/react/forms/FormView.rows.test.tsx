import { act } from 'react'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { FieldDoc, FormDoc, Logic } from '#language/documents/documents.ts'
import { CallProblem } from '#renderer/calls/api.ts'
import { fieldOf, formDoc, mountForm } from '#renderer/react/forms/form-fixture.tsx'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

let open: Awaited<ReturnType<typeof mountForm>> | undefined
let calls: unknown[] = []
const v = (path: string) => ({ var: path })
const price = fieldOf('price', { type: 'decimal', required: true })
const share = fieldOf('share', { type: 'integer', required: true, min: 1 })
const levels = (more: Partial<FieldDoc> = {}): FieldDoc =>
  fieldOf('levels', { type: 'rows', widget: 'rows-field', fields: [price, share], ...more })

async function mount(doc: FormDoc, options: Partial<Parameters<typeof mountForm>[0]> = {}) {
  open = await mountForm({ doc, call: async (_name, args) => void calls.push(args), ...options })
  const form = open
  const inputs = (cell: string) => [...form.box.querySelectorAll<HTMLInputElement>(`input[name$=".${cell}"]`)]
  return {
    ...form,
    inputs,
    values: (cell: string) => inputs(cell).map((input) => input.value),
    press: (what: string) => act(async () => form.box.querySelector<HTMLButtonElement>(`[data-do="${what}"]`)?.click()),
    enter: (row: number, cell: string, text: string) =>
      act(async () => {
        const input = inputs(cell)[row]
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
        input?.dispatchEvent(new Event('input', { bubbles: true }))
      }),
    leaveCell: (row: number, cell: string) =>
      act(async () => void inputs(cell)[row]?.dispatchEvent(new FocusEvent('focusout', { bubbles: true }))),
    problemAt: (row: number, cell: string) => form.box.querySelector(`[id="${inputs(cell)[row]?.id}-problem"]`)?.textContent,
    said: (id: string) => form.box.querySelector(`[data-node="${id}"]`)?.textContent,
  }
}
beforeAll(async () => {
  await import('#renderer/forms/rows-field.ts')
})
afterEach(async () => {
  await open?.end()
  open = undefined
  document.body.replaceChildren()
  calls = []
  sessionStorage.clear()
})

const two = [
  { price: '100', share: 60 },
  { price: '110', share: 40 },
]

describe('rows', () => {
  test('are added, filled in, moved, removed and sent as a list of records', async () => {
    const form = await mount(formDoc([levels()]))
    expect(form.inputs('price')).toEqual([])
    await form.press('add')
    await form.press('add')
    await form.enter(0, 'price', '100')
    await form.enter(0, 'share', '60')
    await form.enter(1, 'price', '110')
    await form.enter(1, 'share', '40')
    await form.press('up 1')
    expect([form.values('price'), form.values('share')]).toEqual([
      ['110', '100'],
      ['40', '60'],
    ])
    await form.send()
    expect(calls).toEqual([
      {
        levels: [
          { price: '110', share: '40' },
          { price: '100', share: '60' },
        ],
      },
    ])
    await form.press('remove 0')
    expect([form.values('price'), form.values('share')]).toEqual([['100'], ['60']])
  })

  test('keep their identity when they move, and with it the caret and what is below them', async () => {
    const form = await mount(formDoc([levels({ default: two })]))
    const [first, second] = form.inputs('price')
    await form.enter(0, 'price', '')
    await form.leaveCell(0, 'price')
    expect(form.problemAt(0, 'price')).toBe('required')
    await form.press('up 1')
    expect(form.inputs('price')).toEqual([second, first])
    expect([form.problemAt(0, 'price'), form.problemAt(1, 'price')]).toEqual([undefined, 'required'])
    await form.enter(1, 'price', '90')
    expect([form.values('price'), form.problemAt(1, 'price')]).toEqual([['110', '90'], undefined])
  })

  test.each<[string, Partial<FieldDoc>, number, string | undefined]>([
    ['none where one is required', { required: true }, 0, 'required'],
    ['fewer than the least', { min: 1 }, 1, undefined],
    ['as many as the most', { default: two, max: 2 }, 2, undefined],
    ['more than the most', { default: two, max: 1 }, 2, 'too_many_rows'],
  ])('%s', async (_, more, count, problem) => {
    const form = await mount(formDoc([levels({ ...more, fields: [fieldOf('price')] })]))
    expect(form.inputs('price').length).toBe(count)
    await form.send()
    expect(form.problem('levels')).toBe(problem)
  })

  test('are judged together: sums and equal ones', async () => {
    const most: Logic = { '<=': [{ sum: [v('value'), 'share'] }, 100] }
    const other: Logic = { '===': [{ len: { distinct: [v('value'), 'price'] } }, { len: v('value') }] }
    const form = await mount(
      formDoc([
        levels({
          default: two,
          rules: [
            { test: most, message: 'more than all' },
            { test: other, message: 'twice' },
          ],
        }),
      ]),
    )
    await form.enter(1, 'share', '41')
    await form.send()
    expect([form.problem('levels'), calls]).toEqual(['more than all', []])
    await form.enter(1, 'share', '40')
    expect(form.problem('levels')).toBeUndefined()
    await form.enter(1, 'price', '100.0')
    expect(form.problem('levels')).toBe('twice')
    await form.press('remove 1')
    expect(form.problem('levels')).toBeUndefined()
    await form.send()
    expect(calls.length).toBe(1)
  })

  test('read each other in a row, their place, and the form; nodes outside read the list', async () => {
    const limit = fieldOf('limit', { type: 'decimal' })
    const note = fieldOf('note', { show: { '===': [v('item.share'), 100] }, label: { $: { cat: ['note ', v('index')] } } })
    const capped = { ...price, rules: [{ test: { '<': [v('value'), v('form.limit')] } as Logic, message: 'over' }] }
    const form = await mount(formDoc([limit, levels({ fields: [capped, share, note], default: two })]), {
      around: [{ id: 'total', widget: 'label', props: { text: { $: { cat: [{ sum: [v('form.levels'), 'share'] }] } } } }],
    })
    expect([form.said('total'), form.inputs('note').length]).toEqual(['100', 0])
    await form.enter(1, 'share', '100')
    expect([form.said('total'), form.box.querySelector('label[for$="-note"]')?.textContent]).toEqual(['160', 'note 1'])
    await form.type('limit', '105')
    await form.send()
    expect([form.problemAt(0, 'price'), form.problemAt(1, 'price'), calls]).toEqual([undefined, 'over', []])
    expect(document.activeElement).toBe(form.inputs('price')[1])
    await form.type('limit', '200')
    expect(form.problemAt(1, 'price')).toBeUndefined()
    await form.send()
    expect(calls).toEqual([
      {
        limit: '200',
        levels: [
          { price: '100', share: '60' },
          { price: '110', share: '100', note: null },
        ],
      },
    ])
  })

  test('outlive the screen as a draft', async () => {
    const first = await mount(formDoc([levels()]))
    await first.press('add')
    await first.enter(0, 'price', '7')
    dispatchEvent(new Event('pagehide'))
    await first.end()
    const second = await mount(formDoc([levels()]))
    expect([second.values('price'), second.values('share')]).toEqual([['7'], ['']])
    await second.press('remove 0')
    dispatchEvent(new Event('pagehide'))
    await second.end()
    const third = await mount(formDoc([levels()]))
    expect(third.values('price')).toEqual([])
  })

  test('are set and reset by steps', async () => {
    const doc = formDoc([levels({ default: two })])
    const press = (id: string, steps: never[]) => ({ id, widget: 'label', props: { text: id }, on: { press: steps } })
    const form = await mount(doc, {
      around: [
        press('set', [{ set: { 'form.levels': [{ price: 5, share: '1' }] } }] as never[]),
        press('reset', [{ reset: 'form' }] as never[]),
      ],
    })
    const click = (id: string) => act(async () => form.box.querySelector<HTMLButtonElement>(`[data-node="${id}"]`)?.click())
    await click('set')
    await form.settle()
    expect([form.values('price'), form.values('share')]).toEqual([['5'], ['1']])
    await form.enter(0, 'price', '6')
    await click('reset')
    await form.settle()
    expect([form.values('price'), form.values('share')]).toEqual([
      ['100', '110'],
      ['60', '40'],
    ])
  })

  test.each([
    ['levels[1].share', 1, 'share'],
    ['levels.0.price', 0, 'price'],
  ] as const)('a problem of the server with %s stands in its row', async (path, row, cell) => {
    const form = await mount(formDoc([levels({ default: two })]), {
      call: () => Promise.reject(new CallProblem(4000, 'parameter_error', 'not like this', path)),
    })
    await form.send()
    await form.wait(10)
    expect([form.problemAt(row, cell), document.activeElement === form.inputs(cell)[row]]).toEqual(['not like this', true])
    await form.enter(row, cell, '7')
    expect(form.problemAt(row, cell)).toBeUndefined()
  })
})
