import { afterEach, expect, test, vi } from 'vitest'
import { valueAt } from '#console/editor/document/pointer.ts'
import { editingStage } from '#console/editor/editing-fixture.tsx'
import { QuickEntriesForm } from '#console/editor/kinds/QuickEntriesForm.tsx'
import { StepsField } from '#console/editor/values/StepsField.tsx'
import { WordsControl } from '#console/editor/words/WordsControl.tsx'
import { isObject } from '#language/documents/json.ts'
import { lengthened } from '#language/text/shorthand.ts'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

const home = 'schemas/quick-entries/home.json'
const fund = 'schemas/quick-entries/fund.json'
const words = (language: string) => `locales/${language}/home.json`
const entry = (id: string, key: string) => ({ id, icon: 'star', label: { $t: key }, to: '/' })
const files = {
  'schemas/app.json': { kind: 'app', id: 'app', format: 1, languages: [{ id: 'en' }, { id: 'ja' }] },
  [home]: { kind: 'quick-entries', id: 'home', format: 1, entries: [entry('a', 'home.markets'), entry('b', 'home.own')] },
  [fund]: { kind: 'quick-entries', id: 'fund', format: 1, entries: [entry('c', 'home.markets')] },
  [words('en')]: { markets: 'Markets', own: 'Mine' },
  [words('ja')]: { markets: '市場', own: '自分' },
}
let stage: Awaited<ReturnType<typeof editingStage>>
afterEach(() => stage.end())
const textsOf = (language: string) => JSON.parse(stage.workspace().files[words(language)] ?? '{}') as Record<string, string>
const labels = (path = home) =>
  (lengthened(JSON.parse(stage.workspace().files[path] ?? '{}')) as { entries: { label: { $t: string } }[] }).entries.map(
    ({ label }) => label.$t,
  )

test('a new entry gets a key of its own, and its words reach no other entry', async () => {
  stage = await editingStage(files, home)
  await stage.show(() => <QuickEntriesForm />)
  await stage.press(stage.button('entry_add'))
  const [, , key = ''] = labels()
  expect([labels().slice(0, 2), labels(fund)]).toEqual([['home.markets', 'home.own'], ['home.markets']])
  expect(['home.markets', 'home.own']).not.toContain(key)
  expect(textsOf('en')).toEqual({ markets: 'Markets', own: 'Mine', [key.slice(5)]: 'New entry' })
  await stage.press(stage.button('entry_add'))
  expect(new Set(labels()).size).toBe(4)
  await stage.does(() => stage.workspace().undo())
  await stage.does(() => stage.workspace().undo())
  expect([labels(), textsOf('en')]).toEqual([['home.markets', 'home.own'], { markets: 'Markets', own: 'Mine' }])
})

test('so does every text of a new step and of a new node', async () => {
  const screen = {
    kind: 'screen',
    id: 'home.home',
    format: 1,
    body: [{ id: 'title', widget: 'text', props: { text: { $t: 'home.markets' } }, on: { press: [] } }],
  }
  stage = await editingStage({ ...files, 'schemas/screens/home.json': screen }, 'schemas/screens/home.json')
  await stage.show(({ doc }) => <StepsField pointer="/body/0/on/press" steps={valueAt(doc, '/body/0/on/press')} label="press" />)
  await stage.does(() => stage.editing().insert({ list: '/body/0/on/press', index: 0 }, { toast: { $t: '' } }))
  const button = { id: 'go', widget: 'button', props: { label: { $t: '' }, hint: { $t: '' } } }
  await stage.does(() => stage.editing().insert({ list: '/body', index: 1 }, button))
  const doc = stage.doc()
  const keys = ['/body/0/on/press/0/toast/$t', '/body/1/props/label/$t', '/body/1/props/hint/$t'].map((at) => valueAt(doc, at))
  expect(keys).toEqual(['home.new_message', 'home.new_button', 'home.new_button_2'])
  expect(textsOf('en')).toMatchObject({ new_message: 'New message', new_button: 'New button', new_button_2: 'New button' })
})

const control = { id: 'c' }
const showWords = (at: string) =>
  stage.show(({ doc, set }) => {
    const value = valueAt(doc, at)
    return <WordsControl control={control} pointer={at} value={isObject(value) ? value : {}} onChange={(next) => set(at, next)} />
  })
const input = () => stage.find<HTMLInputElement>('#c')

test('a text that another place says cannot be changed before it is said where', async () => {
  stage = await editingStage(files, home)
  await showWords('/entries/0/label')
  expect(stage.box.textContent).toContain('Fund')
  expect(input().readOnly).toBe(true)
  await stage.press(stage.button('words_everywhere'))
  expect(input().readOnly).toBe(false)
  await stage.type(input(), 'Prices')
  expect([labels(), labels(fund), textsOf('en').markets]).toEqual([['home.markets', 'home.own'], ['home.markets'], 'Prices'])
})

test('changed only here, the other place keeps its text in every language', async () => {
  stage = await editingStage(files, home)
  await showWords('/entries/0/label')
  await stage.press(stage.button('words_here'))
  await stage.type(input(), 'News')
  const key = labels()[0]!.slice(5)
  expect([labels(fund), textsOf('en'), textsOf('ja')]).toEqual([
    ['home.markets'],
    { markets: 'Markets', own: 'Mine', [key]: 'News' },
    { markets: '市場', own: '自分', [key]: '市場' },
  ])
  await stage.does(() => stage.workspace().undo())
  await stage.does(() => stage.workspace().undo())
  expect(labels()).toEqual(['home.markets', 'home.own'])
})

test('a text of one place is written at once', async () => {
  stage = await editingStage(files, home)
  await showWords('/entries/1/label')
  await stage.type(input(), 'Yours')
  expect(textsOf('en').own).toBe('Yours')
})

test('texts with a context are not missing, and typing changes the text of that context', async () => {
  const label = { $t: 'home.to', context: { $: 'params.kind' } }
  const forms = { to_bank: 'To bank', to_wallet: 'To wallet' }
  const withContext = {
    ...files,
    [home]: { ...files[home], entries: [{ ...entry('a', ''), label }] },
    [words('en')]: { ...files[words('en')], ...forms },
    [words('ja')]: { ...files[words('ja')], ...forms },
  }
  stage = await editingStage(withContext, home)
  await showWords('/entries/0/label')
  expect(stage.box.textContent).not.toContain('words_missing')
  await stage.type(stage.box.querySelectorAll('input')[1]!, 'To purse')
  expect(textsOf('en')).toEqual({ ...withContext[words('en')], to_wallet: 'To purse' })
})

test('a text that is emptied is marked at once', async () => {
  stage = await editingStage(files, home)
  await showWords('/entries/1/label')
  expect(input().hasAttribute('aria-invalid')).toBe(false)
  await stage.type(input(), '')
  expect(input().getAttribute('aria-invalid')).toBe('true')
  expect(stage.find('[role=alert]').textContent).toBe('words_empty')
})

test('the id of an entry keeps the focus while it is typed', async () => {
  stage = await editingStage(files, home, '/entries/1')
  await stage.show(() => <QuickEntriesForm />)
  const id = () => stage.find<HTMLInputElement>('[data-pointer="/entries/1/id"] input')
  id().focus()
  for (const typed of ['bo', 'bon', 'bond']) {
    await stage.type(id(), typed)
    expect(document.activeElement).toBe(id())
  }
})
