import { afterEach, expect, test, vi } from 'vitest'
import { editingStage } from '#console/editor/editing-fixture.tsx'
import { FormFieldForm } from '#console/editor/fields/FormFieldForm.tsx'
import { isObject } from '#language/documents/json.ts'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

const path = 'schemas/forms/a.json'
let stage: Awaited<ReturnType<typeof editingStage>>
afterEach(() => stage.end())

interface Written {
  fields: { type: string; min?: unknown; max?: unknown; fields: Record<string, unknown>[] }[]
}

test('rows get their fields, with rules and conditions of their own, and at least and at most so many rows', async () => {
  const files = {
    [path]: {
      kind: 'form',
      id: 'a',
      format: 1,
      fields: [
        { name: 'legs', type: 'rows', label: { $t: 'a.legs' }, fields: [{ name: 'field', type: 'string', label: { $t: 'a.coin' } }] },
      ],
      submit: { label: { $t: 'a.send' }, steps: [{ back: true }] },
    },
    'schemas/validations/filled.json': {
      kind: 'validation',
      id: 'filled',
      format: 1,
      test: 'not empty(value)',
      message: { $t: 'a.empty' },
    },
    'locales/en/a.json': { legs: 'Legs', coin: 'Coin', send: 'Send', empty: 'Fill it in' },
  }
  stage = await editingStage(files, path, '/fields/0')
  await stage.show(({ doc }) => {
    const value = isObject(doc) && Array.isArray(doc.fields) ? doc.fields[0] : {}
    return <FormFieldForm pointer="/fields/0" value={value as Record<string, unknown>} />
  })
  const rows = () => (stage.doc() as unknown as Written).fields[0]!
  const cell = (i: number) => stage.find(`[data-pointer="/fields/0/fields/${i}"]`)
  const within = (i: number, selector: string) => cell(i).querySelector<HTMLElement>(selector)!
  const button = (i: number, words: string) =>
    [...cell(i).querySelectorAll('button')].find(
      (one) => one.textContent?.includes(words) || one.getAttribute('aria-label')?.includes(words),
    )!

  await stage.press(stage.button('field_add'))
  expect(rows().fields.map(({ name, type }) => [name, type])).toEqual([
    ['field', 'string'],
    ['field_2', 'string'],
  ])
  await stage.press(button(1, 'rule_add'))
  await stage.press(button(1, 'filled'))
  await stage.press(within(1, 'input[type=checkbox]'))
  expect(rows().fields[1]).toMatchObject({ rules: ['filled'], required: true })
  await stage.press(button(1, 'up'))
  expect(rows().fields.map(({ name }) => name)).toEqual(['field_2', 'field'])
  await stage.press(button(1, 'take_out'))
  expect(rows().fields.map(({ name }) => name)).toEqual(['field_2'])
  // The last field of the rows stays.
  expect(button(0, 'take_out').hasAttribute('disabled')).toBe(true)

  const plain = (words: string) => [...stage.box.querySelectorAll('button')].find(({ textContent }) => textContent === words)!
  await stage.press(plain('Min'))
  await stage.press(plain('Max'))
  await stage.type(stage.find('[data-pointer="/fields/0/max"] input'), '5')
  expect([rows().min, rows().max]).toEqual([0, 5])
  expect(stage.workspace().unread).toEqual([])
})
