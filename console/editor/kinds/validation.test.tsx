import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { editingStage } from '#console/editor/editing-fixture.tsx'
import { ValidationForm } from '#console/editor/kinds/ValidationForm.tsx'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

const folder = 'schemas/validations'
const root = join(import.meta.dirname, '../../..')
const files = Object.fromEntries(
  readdirSync(join(root, folder)).map((file) => [`${folder}/${file}`, readFileSync(join(root, folder, file), 'utf8')]),
)
let stage: Awaited<ReturnType<typeof editingStage>>
afterEach(() => stage.end())
const open = async (path: string) => {
  stage = await editingStage(files, path)
  await stage.show(() => <ValidationForm />)
}
const verdict = () => stage.find('[data-verdict]').getAttribute('data-verdict')
const tryValue = (text: string) => stage.type(stage.find('input[aria-label=try_value]'), text)

test('every validation of the product is tried, and none of them is called broken', async () => {
  for (const path of Object.keys(files)) {
    await open(path)
    await tryValue('x')
    expect([path, verdict()]).toEqual([path, expect.stringMatching(/^(?:right|wrong|unsure)$/)])
    await stage.end()
  }
})

test('a value is tried with its parameters, while the rule is changed, and not while it cannot be read', async () => {
  const path = `${folder}/withdraw-minimum.json`
  await open(path)
  await tryValue('9')
  expect(verdict()).toBe('unsure')
  await stage.type([...stage.box.querySelectorAll<HTMLInputElement>('section[aria-label=try] input')][1]!, '9.5')
  expect(verdict()).toBe('wrong')
  await tryValue('9.5')
  expect(verdict()).toBe('right')
  await stage.press(stage.button('as_formula'))
  const rule = stage.find<HTMLTextAreaElement>('textarea')
  expect(rule.value).toBe('value >= params.least')
  await stage.type(rule, 'value > params.least')
  expect(verdict()).toBe('wrong')
  await stage.type(rule, 'value >')
  expect(stage.find('[data-verdict]').textContent).toBe('verdict_unread')
  await stage.type(rule, 'value = params.least')
  expect(verdict()).toBe('right')
})
