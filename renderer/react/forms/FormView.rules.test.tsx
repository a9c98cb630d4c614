import { afterEach, describe, expect, test, vi } from 'vitest'
import type { FieldDoc, FormDoc, Logic } from '#language/documents/documents.ts'
import { fieldOf, formDoc, mountForm } from '#renderer/react/forms/form-fixture.tsx'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

let open: Awaited<ReturnType<typeof mountForm>> | undefined
let calls: unknown[] = []
const mount = async (doc: FormDoc, documents: Record<string, unknown> = {}) => {
  open = await mountForm({ doc, documents, call: async (_name, args) => void calls.push(args) })
  return open
}
afterEach(async () => {
  await open?.end()
  open = undefined
  document.body.replaceChildren()
  calls = []
  sessionStorage.clear()
})

const v = (path: string) => ({ var: path })
const limit: Logic = { '===': [v('form.mode'), 'limit'] }
const price = (more: Partial<FieldDoc> = {}) => fieldOf('price', { type: 'decimal', show: limit, ...more })
const size = (test: Logic) => fieldOf('size', { type: 'decimal', required: true, rules: [{ test, message: 'too much' }] })
/** At most 1,000: the size itself, or what it costs at the limit price. */
const within: Logic = { '<=': [{ if: [limit, { '*': [v('value'), v('form.price')] }, v('value')] }, 1000] }
const ticket = (test: Logic, more: Partial<FormDoc> = {}, priceMore?: Partial<FieldDoc>) =>
  formDoc([fieldOf('mode', { default: 'market' }), price(priceMore), size(test)], more)

describe('a rule that names a field which does not show', () => {
  test.each([
    ['1000', undefined],
    ['1000.01', 'too much'],
  ])('judges by the branch that was taken: %s', async (entry, problem) => {
    const form = await mount(ticket(within))
    await form.type('size', entry)
    await form.send()
    expect([form.problem('size'), calls.length]).toEqual([problem, problem ? 0 : 1])
  })

  test('reads the field as absent, also when something was entered before it was hidden', async () => {
    const form = await mount(ticket({ or: [{ '!': { has: 'form.price' } }, { '<=': [v('form.price'), 5] }] }))
    await form.type('mode', 'limit')
    await form.type('price', '7')
    await form.type('size', '1')
    await form.send()
    expect([form.problem('size'), calls.length]).toEqual(['too much', 0])
    await form.type('mode', 'market')
    expect(form.problem('size')).toBeUndefined()
    await form.type('mode', 'limit')
    expect(form.problem('size')).toBe('too much')
  })

  test('stops the form and says so where it cannot be judged', async () => {
    const form = await mount(ticket({ '<=': [v('form.price'), 5] }))
    await form.type('size', '1')
    await form.send()
    expect([form.problem('size'), calls.length]).toEqual(['cannot_check', 0])
  })

  test('and leaves the focus to a field that can be put right', async () => {
    const form = await mount(formDoc([price(), size({ '<=': [v('form.price'), 5] }), fieldOf('note', { required: true })]))
    await form.type('size', '1')
    await form.send()
    expect([form.problem('size'), form.problem('note'), document.activeElement === form.input('note')]).toEqual([
      'cannot_check',
      'required',
      true,
    ])
    await form.type('note', 'x')
    await form.send()
    expect([form.problem('note'), document.activeElement === form.input('size')]).toEqual([undefined, true])
  })

  test('so does a validation that is handed its value, and a bound', async () => {
    const cap = { kind: 'validation', id: 'cap', format: 1, params: { most: { type: 'decimal' } }, test: true, message: 'no' }
    const use = fieldOf('size', { type: 'decimal', rules: [{ use: 'cap', with: { most: { $: 'form.price' } } }] })
    const bound = fieldOf('other', { type: 'decimal', max: { $: 'form.price' } })
    const form = await mount(formDoc([fieldOf('mode', { default: 'market' }), price(), use, bound]), { 'validation/cap': cap })
    await form.type('size', '1')
    await form.type('other', '1')
    await form.send()
    expect([form.problem('size'), form.problem('other'), calls.length]).toEqual(['cannot_check', 'cannot_check', 0])
  })

  test('and a rule of a field that does not show is not judged', async () => {
    const form = await mount(ticket(true, {}, { rules: [{ test: false, message: 'never' }], default: '1' }))
    await form.type('size', '1')
    await form.send()
    expect(calls.length).toBe(1)
  })
})

describe('a rule of the form', () => {
  const alert = () => open?.box.querySelector('[role=alert]')?.textContent
  const across = (test: Logic) => ticket(true, { rules: [{ test, message: 'across', field: 'price' }] })

  test('holds although the field of its message does not show, and says so above the button', async () => {
    const form = await mount(across({ '<': [v('form.size'), 5] }))
    await form.type('size', '5')
    expect(alert()).toBeUndefined()
    await form.send()
    expect([alert(), calls.length]).toEqual(['across', 0])
    await form.type('size', '4')
    expect(alert()).toBeUndefined()
    await form.send()
    expect(calls.length).toBe(1)
  })

  test('that cannot be judged says so there as well', async () => {
    const form = await mount(across({ '<': [v('form.size'), v('form.price')] }))
    await form.type('size', '5')
    await form.send()
    expect([alert(), calls.length]).toEqual(['cannot_check', 0])
  })

  test('moves to its field when that shows', async () => {
    const form = await mount(across({ '<': [v('form.size'), 5] }))
    await form.type('size', '5')
    await form.send()
    await form.type('mode', 'limit')
    expect([alert(), form.problem('price')]).toEqual([undefined, 'across'])
  })

  test('is judged although its field is empty and may be', async () => {
    const fields = [fieldOf('a', { type: 'decimal' }), fieldOf('b', { type: 'decimal' }), fieldOf('note')]
    const form = await mount(formDoc(fields, { rules: [{ test: { '<': [v('form.a'), v('form.b')] }, message: 'across', field: 'note' }] }))
    await form.type('a', '2')
    await form.type('b', '1')
    await form.send()
    expect([form.problem('note'), calls.length]).toEqual(['across', 0])
  })
})

test('a rule is silent while a required field that it names is empty: that field stops the form', async () => {
  const rules = [{ test: { '===': [v('value'), v('form.first')] } as Logic, message: 'not the same' }]
  const form = await mount(formDoc([fieldOf('first', { required: true }), fieldOf('again', { required: true, rules })]))
  await form.type('again', 'x')
  await form.send()
  expect([form.problem('first'), form.problem('again'), calls.length]).toEqual(['required', undefined, 0])
})

test.each([
  ['too great', { type: 'decimal', max: '1250000.50' }, '1250001', 'At most 1,250,000.50'],
  ['too small', { type: 'decimal', min: 1000 }, '999.99', 'At least 1,000'],
  ['too early', { type: 'date', min: '2026-01-02' }, '2026-01-01', 'Not before 2026-01-02'],
] as const)('an entry is %s: the message has the bound as the language writes it', async (_, field, entry, problem) => {
  const form = await mount(formDoc([fieldOf('size', field)]))
  const words = { too_small: 'At least {{min}}', too_great: 'At most {{max}}', date_early: 'Not before {{min}}' }
  form.engine.i18n.addArea('en', 'form', words)
  await form.type('size', entry)
  await form.send()
  expect([form.problem('size'), calls]).toEqual([problem, []])
})
