import { act } from 'react'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { FieldDoc, FormDoc } from '#language/documents/documents.ts'
import { CallProblem } from '#renderer/calls/api.ts'
import { fieldOf, formDoc, mountForm } from '#renderer/react/forms/form-fixture.tsx'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

let open: Awaited<ReturnType<typeof mountForm>> | undefined
let calls: unknown[] = []
let now = 0
const onPage = (page: string, name: string, more: Partial<FieldDoc> = {}) => fieldOf(name, { page, ...more })
const three = (fields: FieldDoc[], more: Partial<FormDoc> = {}) =>
  formDoc(fields, {
    pages: [
      { id: 'one', title: 'First' },
      { id: 'two', title: 'Second' },
      { id: 'three', title: 'Third', summary: true },
    ],
    ...more,
  })
const plain = [onPage('one', 'a', { required: true }), onPage('two', 'b', { required: true }), onPage('three', 'c')]

async function mount(doc: FormDoc, options: Partial<Parameters<typeof mountForm>[0]> = {}) {
  open = await mountForm({ doc, call: async (_name, args) => void calls.push(args), ...options })
  const form = open
  await act(async () => form.engine.i18n.addArea('en', 'form', { step: '{{n}} of {{count}}', next: 'Next' }))
  await form.settle()
  return {
    ...form,
    title: () => form.box.querySelector('h2')?.textContent,
    button: () => form.submit()?.textContent,
    /** A press after the throttle. */
    next: async () => {
      now += 1_000
      await form.send()
      await form.settle()
    },
    back: () => act(async () => form.box.querySelector<HTMLButtonElement>('[data-back]')?.click()),
    browserBack: () => act(async () => void form.engine.ui.uncover()),
    summary: () => [...form.box.querySelectorAll('[data-change]')].map((one) => one.textContent),
  }
}
beforeAll(async () => {
  await import('#renderer/react/forms/FormPages.tsx')
})
vi.spyOn(performance, 'now').mockImplementation(() => now)
afterEach(async () => {
  await open?.end()
  open = undefined
  document.body.replaceChildren()
  calls = []
  sessionStorage.clear()
})

describe('a form in pages', () => {
  test('goes on when the page is right, and sends all of it from the last one', async () => {
    const form = await mount(three(plain))
    expect([form.title(), form.button(), form.input('b')]).toEqual(['1 of 3 First', 'Next', null])
    await form.next()
    expect([form.title(), form.problem('a'), document.activeElement === form.input('a')]).toEqual(['1 of 3 First', 'required', true])
    await form.type('a', 'x')
    await form.next()
    expect([form.title(), document.activeElement?.tagName]).toEqual(['2 of 3 Second', 'H2'])
    await form.type('b', 'y')
    await form.next()
    expect([form.title(), form.button(), form.summary()]).toEqual(['3 of 3 Third', 'Send', ['a=x', 'b=y']])
    await form.type('c', 'z')
    await form.next()
    expect(calls).toEqual([{ a: 'x', b: 'y', c: 'z' }])
    expect(form.title()).toBe('1 of 3 First')
  })

  test('a double press turns one page', async () => {
    const form = await mount(three(plain.map((field) => ({ ...field, required: false }))))
    now += 1_000
    await form.send()
    await form.send()
    expect(form.title()).toBe('2 of 3 Second')
  })

  test('goes back without loss, by its button and by that of the browser', async () => {
    const form = await mount(three(plain))
    await form.type('a', 'x')
    await form.next()
    await form.type('b', 'y')
    await form.next()
    expect(form.engine.ui.layers()).toBe(2)
    await form.browserBack()
    expect([form.title(), form.input('b')?.value, form.engine.ui.layers()]).toEqual(['2 of 3 Second', 'y', 1])
    await form.back()
    expect([form.title(), form.input('a')?.value, form.engine.ui.layers()]).toEqual(['1 of 3 First', 'x', 0])
  })

  test('the summary leads to the page of an entry', async () => {
    const form = await mount(three([onPage('one', 'a'), onPage('two', 'b', { type: 'password' })]))
    await form.type('a', 'x')
    await form.next()
    await form.type('b', 'secret')
    await form.next()
    expect(form.summary()).toEqual(['a=x', ''])
    await act(async () => form.box.querySelector<HTMLButtonElement>('[data-change="one"]')?.click())
    expect(form.title()).toBe('1 of 3 First')
  })

  test('passes over a page whose condition does not hold, and its fields are absent', async () => {
    const doc = three([onPage('one', 'a'), onPage('two', 'b', { required: true }), onPage('three', 'c')])
    doc.pages![1]!.show = { '===': [{ var: 'form.a' }, 'more'] }
    const form = await mount(doc)
    expect(form.title()).toBe('1 of 2 First')
    await form.type('a', 'less')
    await form.next()
    expect(form.title()).toBe('2 of 2 Third')
    await form.next()
    expect(calls).toEqual([{ a: 'less', c: null }])
    await form.type('a', 'more')
    expect(form.title()).toBe('1 of 3 First')
  })

  test('a draft remembers the page, but for what is not done before it', async () => {
    const first = await mount(three(plain))
    await first.type('a', 'x')
    await first.next()
    await first.type('b', 'y')
    await first.next()
    dispatchEvent(new Event('pagehide'))
    await first.end()
    const second = await mount(three(plain))
    expect(second.title()).toBe('3 of 3 Third')
    await second.browserBack()
    await second.type('b', '')
    dispatchEvent(new Event('pagehide'))
    await second.end()
    const third = await mount(three([onPage('one', 'a', { type: 'password', required: true }), ...plain.slice(1)]))
    expect(third.title()).toBe('1 of 3 First')
  })

  test('a refusal of the server leads to the page of its field', async () => {
    const doc = three(plain.map((field) => ({ ...field, default: 'x' })))
    const form = await mount(doc, { call: () => Promise.reject(new CallProblem(4000, 'parameter_error', 'not like this', 'b')) })
    await form.next()
    await form.next()
    await form.next()
    await form.wait(10)
    expect([form.title(), form.problem('b'), document.activeElement === form.input('b')]).toEqual(['2 of 3 Second', 'not like this', true])
  })

  test('a rule that is broken by a later page leads back to its field', async () => {
    const rule = { test: { '!==': [{ var: 'form.a' }, { var: 'form.c' }] }, message: 'the same', field: 'a' }
    const form = await mount(
      three(
        plain.map((field) => ({ ...field, default: field.name })),
        { rules: [rule] },
      ),
    )
    await form.next()
    await form.next()
    await form.type('c', 'a')
    await form.next()
    await form.wait(10)
    expect([form.title(), form.problem('a'), calls]).toEqual(['1 of 3 First', 'the same', []])
    expect(document.activeElement).toBe(form.input('a'))
  })
})
