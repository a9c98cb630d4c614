import { afterEach, describe, expect, test, vi } from 'vitest'
import { editingStage } from '#console/editor/editing-fixture.tsx'
import { FormFieldForm } from '#console/editor/fields/FormFieldForm.tsx'
import { isObject } from '#language/documents/json.ts'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

const path = 'schemas/forms/a.json'
const files = (field: Record<string, unknown>) => ({
  [path]: {
    kind: 'form',
    id: 'a',
    format: 1,
    fields: [
      { name: 'mail', type: 'string', label: { $t: 'a.mail' }, ...field },
      { name: 'kind', type: 'string', label: { $t: 'a.kind' } },
    ],
    submit: { label: { $t: 'a.send' }, steps: [{ back: true }] },
  },
  'schemas/validations/email.json': {
    kind: 'validation',
    id: 'email',
    format: 1,
    test: "match(value, 'email')",
    message: { $t: 'a.wrong' },
  },
  'schemas/validations/below.json': {
    kind: 'validation',
    id: 'below',
    format: 1,
    params: { most: { type: 'decimal', required: true } },
    test: 'value <= params.most',
    message: { $t: 'a.much', most: { $: 'params.most' } },
  },
  'locales/en/a.json': { mail: 'E-mail', kind: 'Kind', send: 'Send', wrong: 'Not an address', much: 'At most {{most}}' },
  'locales/fr/a.json': { mail: 'E-mail', kind: 'Genre', send: 'Envoyer', wrong: 'Pas une adresse', much: 'Au plus {{most}}' },
})

let stage: Awaited<ReturnType<typeof editingStage>>
afterEach(() => stage.end())

async function fieldStage(field: Record<string, unknown> = {}) {
  stage = await editingStage(files(field), path, '/fields/0')
  await stage.show(({ doc }) => {
    const value = isObject(doc) && Array.isArray(doc.fields) ? doc.fields[0] : {}
    return <FormFieldForm pointer="/fields/0" value={value as Record<string, unknown>} />
  })
}
const field = () => (stage.doc() as { fields: Record<string, unknown>[] }).fields[0]!
const control = (name: string): HTMLInputElement => {
  const label = [...stage.box.querySelectorAll('label')].find(({ textContent }) => textContent?.trim().startsWith(name))
  const found = label && (label.htmlFor ? document.getElementById(label.htmlFor) : label.querySelector('input'))
  if (!found) throw new Error(`no control "${name}"`)
  return found as HTMLInputElement
}
const verdict = () => stage.find('[data-verdict]').textContent
const choose = async (select: HTMLSelectElement, value: string) =>
  stage.does(() => {
    Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value')!.set!.call(select, value)
    select.dispatchEvent(new Event('change', { bubbles: true }))
  })

describe('a field without JSON', () => {
  test('is required by a tick, and only under a condition once the condition is complete', async () => {
    await fieldStage()
    await stage.press(control('needed'))
    expect(field().required).toBe(true)
    await stage.press(control('needed_when'))
    // The row is begun; the document keeps the last complete state.
    expect(field().required).toBe(true)
    expect(stage.box.textContent).toContain('unfinished')
    const subject = stage.find<HTMLInputElement>('[role=combobox]')
    await stage.does(() => subject.focus())
    await stage.type(subject, 'kind')
    await stage.press(stage.find('[role=option]'))
    expect(field().required).toBe(true)
    await stage.type(stage.find<HTMLInputElement>('[aria-label=value_of]'), 'x')
    expect(field().required).toBe("form.kind = 'x'")
    expect(stage.workspace().unread).toEqual([])
    await stage.press(control('needed_when'))
    expect(field().required).toBe(true)
    await stage.press(control('needed'))
    expect('required' in field()).toBe(false)
  })

  test('gets a rule from the validations, whose message is tried and edited in all languages', async () => {
    await fieldStage()
    await stage.press(stage.button('rule_add'))
    expect(stage.box.textContent).toContain('Not an address')
    await stage.press(stage.button('Not an address'))
    expect(field().rules).toEqual(['email'])
    await stage.type(control('try_value'), 'ann')
    expect([verdict(), stage.find('[data-verdict]').dataset.verdict]).toEqual(['verdict_wrong', 'error'])
    await stage.type(control('try_value'), 'ann@example.com')
    expect(verdict()).toBe('verdict_right')
    await stage.type(control('message'), 'Write an address')
    expect(JSON.parse(stage.workspace().files['locales/en/a.json']!).wrong).toBe('Write an address')
    await stage.press(stage.button('message_own'))
    expect(field().rules).toEqual([{ test: "match(value, 'email')", message: { $t: 'a.write_an_address' } }])
    expect(JSON.parse(stage.workspace().files['locales/fr/a.json']!).write_an_address).toBe('Pas une adresse')
  })

  test('gets a rule of its own only when it is complete, with its message', async () => {
    await fieldStage()
    await stage.press(stage.button('rule_add'))
    await stage.press(stage.button('rule_write'))
    const rule = stage.find('[aria-label=rule_own]')
    const subject = rule.querySelector<HTMLInputElement>('[role=combobox]')!
    await stage.does(() => subject.focus())
    await stage.type(subject, 'value')
    await stage.press(rule.querySelector<HTMLElement>('[role=option]')!)
    await choose(rule.querySelector<HTMLSelectElement>('[aria-label=operator_of]')!, 'is_not')
    await stage.type(rule.querySelector<HTMLInputElement>('[aria-label=value_of]')!, 'root')
    await stage.type([...rule.querySelectorAll<HTMLInputElement>('input[type=text]')].at(-1)!, 'This name is taken')
    expect('rules' in field()).toBe(false)
    await stage.press(stage.button('rule_add'))
    expect(field().rules).toEqual([{ test: "value != 'root'", message: { $t: 'a.this_name_is_taken' } }])
    expect(JSON.parse(stage.workspace().files['locales/en/a.json']!).this_name_is_taken).toBe('This name is taken')
  })

  test('has options with values and texts, and begins with one of them', async () => {
    await fieldStage({ type: 'enum', options: [{ id: 'chain', label: { $t: 'a.kind' } }] })
    await stage.press(stage.button('item_add'))
    const options = field().options as { id: string; label: { $t: string } }[]
    expect(options.map(({ id }) => id)).toEqual(['chain', ''])
    await stage.press(stage.button('Default'))
    const begins = stage.find('[data-pointer="/fields/0/default"] select:last-of-type')
    expect(begins).toBeTruthy()
    expect(field().default).toBe('chain')
  })

  test('a parameter of a validation is asked for, and its trial takes the value', async () => {
    await fieldStage({ type: 'decimal' })
    await stage.press(stage.button('rule_add'))
    await stage.press(stage.button('below'))
    expect(field().rules).toEqual([{ use: 'below', with: { most: '' } }])
    await stage.type(stage.find('[data-pointer="/fields/0/rules/0/with/most"] input'), '5')
    expect(field().rules).toEqual([{ use: 'below', with: { most: '5' } }])
    await stage.type(control('try_value'), '7')
    expect(verdict()).toBe('verdict_wrong')
    await stage.type(control('try_value'), '3')
    expect(verdict()).toBe('verdict_right')
  })
})
