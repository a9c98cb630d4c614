import { act } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import type { NodeDoc, ScreenDoc } from '#language/documents/documents.ts'
import { CallProblem } from '#renderer/calls/api.ts'
// Loaded before the first press, as on a screen that has stood for a moment.
import '#renderer/data/unsent.ts'
import { fieldOf, formDoc, mountForm } from '#renderer/react/forms/form-fixture.tsx'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

let open: Awaited<ReturnType<typeof mountForm>> | undefined
afterEach(async () => {
  await open?.end()
  open = undefined
})

const row: NodeDoc = {
  id: 'row',
  widget: 'label',
  repeat: { each: { $: 'data.rows.list' }, key: 'id' },
  props: { text: { $: { cat: [{ var: 'item.a' }, ' ', { if: [{ has: 'item.sending' }, { var: 'item.sending' }, 'there'] }, ' '] } } },
  on: { press: [{ resend: { $: 'item.id' } }] },
}
const data: ScreenDoc['data'] = { rows: { call: 'x.rows', send: { call: 'x.send', id: 'id', optimistic: { at: 1 } } } }
const doc = formDoc([fieldOf('a')], {
  submit: { label: 'Send', steps: [{ call: 'x.send', args: { a: { $: 'form.a' } } }, { reset: 'form' }] },
})

test('what a form sends stands in the list of its screen at once, and a row that failed is sent again by a step', async () => {
  const rows: object[] = [{ id: '1', a: 'old' }]
  const sent: { id: string; a: string }[] = []
  let answer: (problem?: CallProblem) => void = () => undefined
  const form = (open = await mountForm({
    doc,
    data,
    around: [row],
    call: (name, args) => {
      if (name !== 'x.send') return Promise.resolve({ list: [...rows] })
      sent.push(args as (typeof sent)[number])
      return new Promise((done, fail) => {
        answer = (problem) => (problem ? fail(problem) : done({}))
      })
    },
  }))
  await form.settle()
  const shown = () => [...form.box.querySelectorAll('[data-node="row"]')].map((one) => one.textContent?.trim())
  const shows = (wanted: string[]) =>
    vi.waitFor(async () => {
      await form.settle()
      expect(shown()).toEqual(wanted)
    })
  await form.type('a', 'new')
  await form.send()
  await shows(['new pending', 'old there'])
  expect(form.input('a')?.value).toBe('')
  await act(async () => answer(new CallProblem(4000, 'parameter_error')))
  await shows(['new failed', 'old there'])
  await form.press('row')
  await shows(['new pending', 'old there'])
  expect(sent).toEqual([
    { a: 'new', id: expect.any(String) },
    { a: 'new', id: sent[0]!.id },
  ])
  rows.unshift({ id: sent[0]!.id, a: 'new' })
  await act(async () => answer())
  await act(() => form.engine.queries.refetchQueries({ type: 'active' }))
  await shows(['new there', 'old there'])
})
