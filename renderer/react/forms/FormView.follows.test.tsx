import { act } from 'react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { FieldDoc, Step } from '#language/documents/documents.ts'
import { fieldOf, formDoc, mountForm } from '#renderer/react/forms/form-fixture.tsx'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

let open: Awaited<ReturnType<typeof mountForm>> | undefined
let calls: unknown[] = []
const button = (id: string, steps: Step[]) => ({ id, widget: 'label', props: { text: id }, on: { press: steps } })
const say = (id: string, logic: unknown) => ({ id, widget: 'label', props: { text: { $: logic } } }) as never
async function mount(options: Omit<Parameters<typeof mountForm>[0], 'call'>) {
  open = await mountForm({ ...options, call: async (_name, args) => void calls.push(args) })
  const form = open
  return {
    ...form,
    press: async (id: string) => {
      await act(async () => form.box.querySelector<HTMLButtonElement>(`[data-node="${id}"]`)?.click())
      await form.settle()
    },
    said: (id: string) => form.box.querySelector(`[data-node="${id}"]`)?.textContent,
    value: (name: string) => form.input(name)?.value,
  }
}
afterEach(async () => {
  await open?.end()
  open = undefined
  document.body.replaceChildren()
  calls = []
  sessionStorage.clear()
})

describe('a field that follows a value', () => {
  const set = (value: number | null) => [{ set: { 'state.last': value } }]
  const price = (more: Partial<FieldDoc> = {}) => fieldOf('price', { type: 'decimal', follows: { $: 'state.last' }, ...more })
  const ticket = (more: Partial<FieldDoc> = {}) =>
    mount({
      doc: formDoc([price(more), fieldOf('note')]),
      state: { last: 100 },
      around: [
        button('up', set(101)),
        button('more', set(102)),
        button('bid', [{ set: { 'form.price': '99' } }]),
        button('anew', [{ set: { 'form.price': null } }]),
        button('reset', [{ reset: 'form' }]),
        say('dirty', { if: [{ dirty: ['price'] }, 'dirty', 'clean'] }),
      ],
    })

  test('goes with it, and is no entry of the customer', async () => {
    const form = await ticket()
    expect(form.value('price')).toBe('100')
    await form.press('up')
    expect([form.value('price'), form.said('dirty')]).toEqual(['101', 'clean'])
    await form.send()
    expect(calls).toEqual([{ price: '101', note: null }])
  })

  test('stays as the customer typed it, until the form is reset', async () => {
    const form = await ticket()
    await form.type('price', '90')
    await form.press('up')
    expect([form.value('price'), form.said('dirty')]).toEqual(['90', 'dirty'])
    await form.press('reset')
    expect([form.value('price'), form.said('dirty')]).toEqual(['101', 'clean'])
    await form.press('more')
    expect(form.value('price')).toBe('102')
  })

  test('stays as a press set it, and follows again when a press sets nothing', async () => {
    const form = await ticket()
    await form.press('bid')
    await form.press('up')
    expect(form.value('price')).toBe('99')
    await form.press('anew')
    expect(form.value('price')).toBe('101')
  })

  test.each([
    ['stays empty', false, ''],
    ['follows again where the document says so', true, '102'],
  ])('that is emptied and left %s', async (_, followsAgain, value) => {
    const form = await ticket({ followsAgain })
    await form.type('price', '90')
    await form.type('price', '')
    await form.press('up')
    expect(form.value('price')).toBe('')
    await form.leave('price')
    await form.press('more')
    expect(form.value('price')).toBe(value)
  })

  test('keeps still under the hands of the customer', async () => {
    const form = await ticket()
    act(() => form.input('price')?.focus())
    await form.press('up')
    expect(form.value('price')).toBe('100')
    act(() => form.input('price')?.blur())
    await form.settle()
    expect(form.value('price')).toBe('101')
  })

  test('follows another field, through a third; a circle of theirs ends', async () => {
    const one = { type: 'decimal' as const }
    const form = await mount({
      doc: formDoc([
        fieldOf('a', one),
        fieldOf('b', { ...one, follows: { $: { '*': [{ var: 'form.a' }, 2] } } }),
        fieldOf('c', { ...one, follows: { $: { '+': [{ var: 'form.b' }, { var: 'form.d' }] } } }),
        fieldOf('d', { ...one, follows: { $: { '+': [{ var: 'form.c' }, 1] } } }),
      ]),
    })
    await form.type('a', '4')
    expect(form.value('b')).toBe('8')
    await form.type('d', '1')
    expect(form.value('c')).toBe('9')
  })

  test('an entry of the customer outlives the screen as a draft, a followed value does not', async () => {
    const first = await ticket()
    await first.type('price', '90')
    dispatchEvent(new Event('pagehide'))
    await first.end()
    const second = await ticket()
    await second.press('up')
    expect(second.value('price')).toBe('90')
  })
})

describe('steps that follow a change', () => {
  const seen = say('seen', { cat: ['from ', { var: 'state.before' }] })
  const clear: Step[] = [{ set: { 'form.amount': null, 'state.before': { $: 'value' } } }]

  test('of a field, once for each change, with the value before; not for the draft or the default that it begins with', async () => {
    const options = {
      doc: formDoc([fieldOf('side', { default: 'buy' }), fieldOf('amount')], { changes: [{ when: 'form.side', do: clear }] }),
      state: { before: '–' },
      around: [seen],
    }
    const form = await mount(options)
    await form.settle()
    await form.type('amount', '5')
    expect([form.value('amount'), form.said('seen')]).toEqual(['5', 'from –'])
    await form.type('side', 'sell')
    await form.settle()
    expect([form.value('amount'), form.said('seen')]).toEqual(['', 'from buy'])
    await form.type('amount', '7')
    dispatchEvent(new Event('pagehide'))
    await form.end()
    const again = await mount(options)
    await again.settle()
    expect([again.value('side'), again.value('amount'), again.said('seen')]).toEqual(['sell', '7', 'from –'])
  })

  test('of the state of the screen, though several writes are one change', async () => {
    const form = await mount({
      doc: formDoc([fieldOf('amount')]),
      state: { side: 'buy', kind: 'limit', before: '–', times: 0 },
      changes: [
        {
          when: { cat: [{ var: 'state.side' }, ' ', { var: 'state.kind' }] },
          do: [{ set: { 'state.before': { $: 'value' }, 'state.times': { $: { '+': [{ var: 'state.times' }, 1] } } } }],
        },
      ],
      around: [
        button('both', [{ set: { 'state.side': 'sell', 'state.kind': 'market' } }]),
        seen,
        say('times', { cat: [{ var: 'state.times' }] }),
      ],
    })
    await form.settle()
    await form.press('both')
    expect([form.said('seen'), form.said('times')]).toEqual(['from buy limit', '1'])
    await form.press('both')
    expect(form.said('times')).toBe('1')
  })

  test('and change what they watch end after some rounds', async () => {
    const form = await mount({
      doc: formDoc([fieldOf('amount')]),
      state: { n: 0 },
      changes: [{ when: 'state.n', do: [{ set: { 'state.n': { $: { '+': [{ var: 'state.n' }, 1] } } } }] }],
      around: [button('go', [{ set: { 'state.n': 10 } }]), say('n', { cat: [{ var: 'state.n' }] })],
    })
    await form.settle()
    await form.press('go')
    expect(form.said('n')).toBe('15')
  })
})
