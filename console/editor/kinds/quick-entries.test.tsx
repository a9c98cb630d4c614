import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { editingStage } from '#console/editor/editing-fixture.tsx'
import { QuickEntriesForm } from '#console/editor/kinds/QuickEntriesForm.tsx'
import type { EntryDoc, QuickEntriesDoc } from '#language/documents/documents.ts'
import type { DocumentKey } from '#language/publish/release.ts'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

const root = join(import.meta.dirname, '../../..')
const path = 'schemas/quick-entries/list.json'
let stage: Awaited<ReturnType<typeof editingStage>>
afterEach(() => stage.end())

/** Entries that customers get. */
const published = () => {
  const { kind, id } = stage.doc() as QuickEntriesDoc
  return (stage.workspace().prepared!.documents[`${kind}/${id}` as DocumentKey]!.doc as QuickEntriesDoc).entries
}
const card = (id: string) => stage.find(`[data-entry="${id}"]`).closest('li')!
const press = (id: string, word: string) =>
  stage.press([...card(id).querySelectorAll('button')].find((one) => one.getAttribute('aria-label')?.startsWith(`${word}:`))!)

test.for([
  ['schemas/quick-entries/fund.json', 0],
  ['schemas/quick-entries/home.json', 0],
  ['schemas/quick-entries/tabs.json', 0],
  ['console/schemas/quick-entries/office.json', 7],
  ['examples/lending-library/schemas/quick-entries/tabs.json', 0],
] as const)('%s: an entry that is hidden and shown again is the same to the byte', async ([file, guarded]) => {
  const text = readFileSync(join(root, file), 'utf8')
  stage = await editingStage({ [path]: text }, path)
  await stage.show(() => <QuickEntriesForm />)
  const before = published()
  expect(before.filter(({ show }) => show !== undefined)).toHaveLength(guarded)
  for (const [i, { id, show }] of before.entries()) {
    await press(id, 'entry_hide')
    const { entries } = stage.doc() as { entries: EntryDoc[] }
    expect(entries[i]).toMatchObject({ id, hidden: true })
    expect(entries[i]?.show === undefined).toBe(show === undefined)
    expect(published()).toEqual(before.toSpliced(i, 1))
    expect(card(id).textContent).toContain('entry_hidden')
    await press(id, 'entry_show')
    expect(stage.workspace().files[path]).toBe(text)
    expect(published()).toEqual(before)
  }
})

test('the last visible entry of the tab bar stays, and a sentence says why', async () => {
  const entry = (id: string) => ({ id, icon: 'star', label: { $t: `a.${id}` }, to: '/' })
  const app = { kind: 'app', id: 'app', tabBar: { id: 'tabs', widget: 'tab-bar', props: { list: 'bar' } } }
  const list = { kind: 'quick-entries', id: 'bar', format: 1, entries: [entry('home'), entry('trade')] }
  stage = await editingStage({ [path]: list, 'schemas/app.json': app }, path)
  await stage.show(() => <QuickEntriesForm />)
  await press('home', 'entry_hide')
  expect(stage.box.querySelector('[role=alert]')).toBeNull()
  await press('trade', 'entry_hide')
  expect(stage.find('[role=alert]').textContent).toBe('tabs_last')
  expect((stage.doc() as { entries: EntryDoc[] }).entries.map(({ hidden }) => hidden)).toEqual([true, undefined])
  await press('home', 'entry_show')
  await press('trade', 'entry_hide')
  expect((stage.doc() as { entries: EntryDoc[] }).entries.map(({ hidden }) => hidden)).toEqual([undefined, true])
})

test('a new entry that is removed leaves no text behind, and undo brings both back', async () => {
  const list = { kind: 'quick-entries', id: 'list', format: 1, entries: [{ id: 'home', icon: 'star', label: { $t: 'a.home' }, to: '/' }] }
  const words = { 'locales/en/a.json': { home: 'Home' }, 'locales/fr/a.json': { home: 'Accueil' } }
  stage = await editingStage({ [path]: list, ...words }, path)
  await stage.show(() => <QuickEntriesForm />)
  const before = stage.workspace().files
  await stage.press(stage.button('entry_add'))
  const added = stage.workspace().files
  expect(Object.keys(JSON.parse(added['locales/en/a.json']!))).toEqual(['home', 'new_entry'])
  await stage.press(card('entry').querySelector<HTMLElement>('[aria-label=take_out]')!)
  expect(JSON.parse(stage.workspace().files['locales/en/a.json']!)).toEqual(JSON.parse(before['locales/en/a.json']!))
  await stage.does(() => stage.workspace().undo())
  expect(stage.workspace().files).toEqual(added)
})
