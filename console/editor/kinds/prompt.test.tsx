import { afterEach, expect, test, vi } from 'vitest'
import { valueAt } from '#console/editor/document/pointer.ts'
import { editingStage } from '#console/editor/editing-fixture.tsx'
import { PromptForm } from '#console/editor/kinds/PromptForm.tsx'
import { StepsField } from '#console/editor/values/StepsField.tsx'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

const promptFile = 'schemas/prompts/pay.json'
const screenFile = 'schemas/screens/home.json'
const prompt = {
  kind: 'prompt',
  id: 'pay',
  format: 1,
  title: { $t: 'home.pay' },
  rows: [
    { label: { $t: 'home.to', context: 'bank' }, value: { $: 'params.to' } },
    { label: { $t: 'home.sum' }, value: { $t: 'home.sum_of', amount: { $: 'params.amount' }, coin: { $: 'params.coin' } } },
  ],
}
const step = { confirm: 'pay', with: { to: { $: 'state.to' }, title: 'Mine', old: { $: 'state.to' } } }
const screen = {
  kind: 'screen',
  id: 'home.home',
  format: 1,
  state: { to: '' },
  body: [{ id: 'pay', widget: 'button', props: { label: { $t: 'home.pay' } }, on: { press: [step] } }],
}
const files = {
  'schemas/app.json': { kind: 'app', id: 'app', format: 1, languages: [{ id: 'en' }] },
  'locales/en/home.json': { pay: 'Pay?', to: 'To', sum: 'Amount', sum_of: '{{amount}} {{coin}}', bank: 'The bank' },
  [promptFile]: prompt,
  [screenFile]: screen,
}
let stage: Awaited<ReturnType<typeof editingStage>>
afterEach(() => stage.end())
const at = '/body/0/on/press'
const given = () => valueAt(stage.doc(), `${at}/0/with`)
const field = (name: string) => stage.find(`[data-pointer="${at}/0/with/${name}"]`)
const control = (name: string) => field(name).querySelector<HTMLTextAreaElement>('textarea, input:not([type=checkbox])')!
const choose = (select: HTMLSelectElement, value: string) =>
  stage.does(() => {
    select.value = value
    select.dispatchEvent(new Event('change', { bubbles: true }))
  })

test('a step is given what its prompt reads, each with an expression, words or a constant', async () => {
  stage = await editingStage(files, screenFile)
  await stage.show(({ doc }) => <StepsField pointer={at} steps={valueAt(doc, at)} label="press" />)
  const shown = [...stage.box.querySelectorAll('[data-pointer]')].map((one) => one.getAttribute('data-pointer')?.replace(`${at}/0`, ''))
  expect(shown).toEqual(['/confirm', '/with', '/with/to', '/with/amount', '/with/coin', '/with/title', '/with/old'])
  expect(control('to').value).toBe('state.to')
  // An unset member starts as an expression.
  expect([control('amount').tagName, control('amount').value]).toEqual(['TEXTAREA', ''])
  await stage.type(control('amount'), '3 + 4')
  expect(given()).toEqual({ ...step.with, amount: { $: '3 + 4' } })

  await choose(field('coin').querySelector('select')!, 'words')
  await stage.press(field('coin').querySelector('button[title=words_other]')!)
  await stage.press(stage.button('The bank'))
  expect(given()).toMatchObject({ coin: { $t: 'home.bank' } })
  await choose(field('to').querySelector('select')!, 'constant')
  await stage.type(control('to'), 'Ann')
  expect(given()).toMatchObject({ to: 'Ann' })
  expect(stage.workspace().problems.filter(({ severity, pointer }) => severity === 'error' && pointer.startsWith(at))).toEqual([])
})

test('what the prompt does not read is marked and can be taken out', async () => {
  stage = await editingStage(files, screenFile)
  await stage.show(({ doc }) => <StepsField pointer={at} steps={valueAt(doc, at)} label="press" />)
  expect(field('old').textContent).toContain('unknown_member')
  expect([control('old').value, control('title').value]).toEqual(['state.to', 'Mine'])
  await stage.press(field('old').querySelector('button[aria-label*=take_out]')!)
  expect(given()).toEqual({ to: { $: 'state.to' }, title: 'Mine' })
})

test('rows and named values of a prompt are edited without JSON, and its picture says what they read', async () => {
  stage = await editingStage(files, promptFile)
  await stage.show(() => <PromptForm />)
  expect([...stage.box.querySelectorAll('dl > div')].map(({ textContent }) => textContent)).toEqual([
    'To{params.to}',
    'Amount{params.amount} {params.coin}',
  ])
  const values = [...stage.box.querySelectorAll<HTMLTextAreaElement>('textarea')].map(({ value }) => value)
  expect(values.filter((text) => /^[[{]"?/.test(text))).toEqual([])
  const given = [...stage.find('[data-pointer="/rows/0/label"]').querySelectorAll('input')].map(({ value }) => value)
  expect(given).toContain('bank')
  // A list of rows is not computed; the value of a row is.
  expect(stage.find('[data-pointer="/rows"]').querySelector(':scope > div > select')).toBeNull()
  await stage.type(stage.find<HTMLTextAreaElement>('[data-pointer="/rows/0/value"] textarea'), "cat(params.to, '!')")
  expect(valueAt(stage.doc(), '/rows/0/value')).toEqual({ $: "cat(params.to, '!')" })
  await stage.press(stage.button('named_value_add'))
  const [, named = ''] = /"([^"]+)":/.exec(JSON.stringify(valueAt(stage.doc(), '/values'))) ?? []
  const area = [...stage.box.querySelectorAll<HTMLTextAreaElement>('textarea')].at(-1)!
  await stage.type(area, 'params.amount')
  expect(valueAt(stage.doc(), '/values')).toEqual({ [named]: 'params.amount' })
})
