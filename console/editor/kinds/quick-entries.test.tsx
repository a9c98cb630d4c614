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
